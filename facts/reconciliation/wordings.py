"""English words that decide whether two phrases can mean the same. Data of `paraphrase`."""

import re

from facts.vocabulary.words import words

# Carry no meaning of their own.
SILENT: frozenset[str] = words("a an the some any very really")

# Tie words together; which of them it is changes little.
CONNECTIVES: frozenset[str] = words("of in on at by and as")

# Say which part a thing plays: both sides have the same ones, or one side has none.
ROLES: frozenset[str] = words(
    """about across against along around behind below above beside between beyond for from into
    like near onto over past per through to toward towards under up down off out via with within
    when where while because"""
)

# Turn the meaning: both sides have the same ones.
DECISIVE: frozenset[str] = words(
    """no not non never none nothing nobody nor neither without except but cannot can't don't
    doesn't
    won't isn't aren't before after until since than instead only just or if unless almost hardly
    barely more less most least fewer few little much many too enough always often sometimes
    rarely seldom every each all both either half several last next former ex who
    whom whose which that is are was were be being been am"""
)

NUMBERS: frozenset[str] = words(
    """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred thousand million dozen pair couple once twice thrice single double triple first second
    third fourth fifth sixth seventh eighth ninth tenth"""
)

# A phrase, or a word, and what it is read as: only pairs that no context tells apart. Of a phrase
# a fixed part comes first: looking for that is far cheaper than looking for the pattern.
PHRASES: tuple[tuple[str, re.Pattern[str], str], ...] = tuple(
    (start, re.compile(rf"\b{phrase}\b"), word)
    for start, phrase, word in (
        ("stand", "stand ?up meetings?", "standup"),
        ("retrospective", "retrospective meetings?", "retrospective"),
        (" session", "(training|workout|therapy) sessions?", r"\1"),
        ("software", "software developers?", "software engineer"),
        ("science", "science fiction", "scifi"),
        ("sci fi", "sci fi", "scifi"),
        ("from home", "work(?:ing)? from home", "remote work"),
        ("self ", "self employed", "freelance"),
        ("second ", "second hand", "used"),
        ("a little", "a little", "some"),
        ("every ", "every week", "weekly"),
        ("every ", "every day", "daily"),
        ("every ", "every month", "monthly"),
    )
)

SYNONYMS: dict[str, str] = {
    "asynchronous": "async",
    "synchronous": "sync",
    "answer": "reply",
    "response": "reply",
    "apartment": "flat",
    "automobile": "car",
    "awaiting": "waiting",
    "begin": "start",
    "bicycle": "bike",
    "big": "large",
    "brief": "short",
    "coastal": "coast",
    "couch": "sofa",
    "dish": "food",
    "documentation": "docs",
    "eastern": "east",
    "film": "movie",
    "movies": "movie",
    "issue": "problem",
    "license": "licence",
    "loss": "losing",
    "northern": "north",
    "photograph": "photo",
    "picture": "photo",
    "southern": "south",
    "theme": "mode",
    "trouble": "problem",
    "western": "west",
    "written": "writing",
}

# Of one group only one can be meant. For phrases that differ in several words; of phrases that
# differ in one, that one decides whatever it is.
CONTRASTS: tuple[frozenset[str], ...] = tuple(
    words(line)
    for line in (
        "morning noon afternoon evening night midnight",
        "breakfast brunch lunch dinner supper",
        "spring summer autumn fall winter",
        "monday tuesday wednesday thursday friday saturday sunday weekend weekday",
        "january february march april may june july august september october november december",
        "daily weekly monthly quarterly yearly annual hourly day week month year hour minute",
        "black white red green blue yellow orange purple pink brown grey gray",
        "dark light bright",
        "small large big little tiny huge",
        "short long tall",
        "old new young used modern",
        "early late",
        "hot cold warm cool",
        "good bad better worse best worst great",
        "high low",
        "fast slow quick",
        "loud quiet silent",
        "cheap expensive free",
        "north south east west",
        "left right",
        "front back middle rear",
        "inside outside indoor outdoor",
        "online offline remote onsite office",
        "public private",
        "sync async",
        "formal informal casual",
        "junior senior",
        "primary secondary",
        "beginner intermediate advanced",
        "mother father parent",
        "brother sister",
        "son daughter",
        "uncle aunt",
        "husband wife",
        "man woman boy girl",
        "male female",
        "learn teach",
        "play watch",
        "buy sell rent lend borrow",
        "give receive take get",
        "send receive",
        "start stop finish end quit continue",
        "open close",
        "rise fall increase decrease grow shrink",
        "gain lose loss",
        "love hate like dislike",
        "vegan vegetarian",
        "urban rural city town village country countryside",
        "house flat",
        "coffee tea",
        "dog cat",
        "rare frequent common",
    )
)

# What turns a word into its opposite, or into another deed.
PREFIXES: tuple[str, ...] = (
    "un", "non", "in", "im", "ir", "il", "dis", "mis", "re", "anti", "de", "ex", "pre", "post",
    "over", "under",
)  # fmt: skip
