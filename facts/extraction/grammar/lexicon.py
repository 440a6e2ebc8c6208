"""Closed word classes of the grammar."""

from collections.abc import Sequence

from facts.vocabulary.words import words

ARTICLES = words("a an the")
POSSESSIVES = words("my our your his her their its")
DETERMINERS = ARTICLES | POSSESSIVES | words("this that these those some any every each another")

BE = words("am is are was were be been being 's 're 'm")
BE_PAST = words("was were")
HAVE = words("have has had 've")
DO = words("do does did")
MODALS = words("will would 'd 'll can could should might may must shall")
# A modal that leaves open whether it is so; "will" and "can" do not.
DOUBT = words("would 'd could should might may")

ADVERBS = words(
    """also now still currently presently really always just already finally usually often only
    actually mostly mainly even recently basically generally typically kinda totally absolutely
    honestly sometimes both all probably maybe perhaps definitely certainly simply normally
    regularly lately once officially originally primarily rarely seldom hardly particularly
    especially truly quite very so pretty rather long too newly fully completely permanently
    temporarily happily sadly unfortunately soon today together almost merely secretly quietly
    daily weekly mainly apparently obviously clearly deeply strongly severely highly mildly
    slightly extremely super incredibly genuinely personally sort kind sorta actively
    professionally remotely again never not no n't longer legit lowkey"""
)
WEAK = words("rarely seldom hardly barely maybe perhaps probably almost merely")

SELF_NOUNS = words(
    "user customer client cust pt patient caller subscriber requester member candidate"
)

OBJECT_PRONOUNS = words(
    """it them him her me us you this that these those one ones something anything everything
    nothing someone anyone everyone somebody anybody everybody nobody himself herself itself
    themselves myself ourselves each other stuff things thing which what who whom whatever both
    none all some any more most much many few lot lots same such so yes no ok okay there here
    em mine yours hers theirs ours another either neither"""
)

SUBORDINATORS = words(
    """because although though while whereas unless which who whose whom where when since until
    before after if whether that so but as than till cause why how once whenever wherever lest"""
)

PREPOSITIONS = words(
    """in on at for with without from to of about by into onto over under near around through
    during between among against toward towards via per as off out up down across behind beside
    below above outside inside next like than since until till after before because despite
    besides except instead regarding re"""
)

# Words that begin an adverbial and so end an object, wherever they stand.
OBJECT_STOPS = words(
    """because although though while whereas unless which who whose whom where when since until if
    so but than till cause whenever after before these nowadays lately currently now anymore today
    tomorrow yesterday tonight recently already again too though tho lol haha btw please pls thx
    thanks instead anyway honestly actually especially particularly mostly mainly usually always
    often sometimes right ever except despite regarding during together everywhere whatever hence
    therefore otherwise either apparently unfortunately xd omg ugh imo tbh daily weekly monthly
    yearly twice once that that's that'll that'd who's how what why 'cause coz"""
)

# Phrases that end an object although their words may stand inside one.
STOP_PHRASES: tuple[tuple[str, ...], ...] = tuple(
    tuple(phrase.split())
    for phrase in (
        "at the moment|for now|in case|as well|a lot|so much|very much|too much|a bit|at least"
        "|at work|at home|at all|in general|at present|right now|of course|these days|this week"
        "|every day|every morning|every evening|every night|every week|every month|every year"
        "|every other|each day|each week|each morning|most mornings|most days|most of|on mondays"
        "|on tuesdays|on wednesdays|on thursdays|on fridays|on saturdays|on sundays|once a"
        "|twice a|three times|two days|three days|four days|per week|per day|a week|a day|as needed"
        "|in the morning|in the evening|in the afternoon|at night|on weekends|at weekends|by now"
        "|with my|with our|with his|with her|with their|in order|due to|as a result|any more"
        "|no longer|by the way|as you|as of|on top|for years|for ages|for a|from time|now and"
        "|on my side|by heart|the most|more than|way more|since childhood|for free|in my"
        "|all the time"
        "|every single|last time|next to|so far|by far|the whole|as far|along with|such as|any time"
        "|ever since|ever again|poor thing|poor things|all day|all year|full time|part time"
    ).split("|")
)


def by_first_word(phrases: Sequence[tuple[str, ...]]) -> dict[str, tuple[tuple[str, ...], ...]]:
    """Phrases under their first word, so that a text is only compared with those that may fit."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for phrase in phrases:
        found[phrase[0]] = (*found.get(phrase[0], ()), phrase)
    return found


LEADS = words(
    """ok okay so well btw also and but honestly actually lol omg haha hey hi hello yes yeah yep nah
    no nope sorry oh ah ugh update fyi note turns out anyway basically look listen
    guess remember reminder finally plus then funny sadly luckily fortunately unfortunately
    apparently naturally personally frankly seriously correction typo wait right sure thanks
    moreover however still meanwhile ps nb tbh imo recently lately nowadays currently
    surprisingly obviously usually normally generally today now hm hmm um uh er wow yay great good
    news big quick truth told admittedly interestingly nvm incidentally or nor fwiw"""
)
LEAD_PHRASES: tuple[tuple[str, ...], ...] = tuple(
    tuple(phrase.split())
    for phrase in (
        "by the way|these days|for the record|in case you|on top of that|turns out that"
        "|turns out|guess what|scratch that|no wait|you know|as you know|to be honest"
        "|fun fact|for context|quick note|good news|bad news|big news|just so you know"
        "|at the moment|right now|at work|at home|at the weekend|on the side|as a kid"
        "|change of plans|one more thing|in fact|by now|for now|of course|note that"
        "|please note that|please note|i forgot to mention that|i should mention that|i mean"
        "|remember that|note to self|to clarify|in my spare time|in my free time|on weekends"
        "|most of the time|all in all|did i tell you|i think|i believe|i guess|i suppose"
        "|the thing is"
        "|after all|as of now|as of today|so update|long story short|as usual|for my part"
    ).split("|")
)
