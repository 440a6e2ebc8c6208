"""Plain statements: each says exactly one thing, and the engine hears exactly that."""

import pytest

# text -> (predicate, object), of the end user, current
PLAIN = [
    # places
    ("I live in Lyon.", "lives_in", "Lyon"),
    ("i live in lyon", "lives_in", "lyon"),
    ("I live in New Orleans now.", "lives_in", "New Orleans"),
    ("I moved to Perm.", "lives_in", "Perm"),
    ("I've just relocated to Perm", "lives_in", "Perm"),
    ("We live in a small house in Lyon.", "lives_in", "Lyon"),
    ("I'm based in Lyon.", "lives_in", "Lyon"),
    ("Lives in Lyon", "lives_in", "Lyon"),
    ("The user lives in Lyon.", "lives_in", "Lyon"),
    ("User resides in Lyon, France.", "lives_in", "Lyon"),
    ("I was born in Lyon.", "born_in", "Lyon"),
    ("I'm originally from Lyon.", "from", "Lyon"),
    ("I grew up in Lyon", "from", "Lyon"),
    ("I visited Lyon.", "visited", "Lyon"),
    ("I've been to Lyon twice", "visited", "Lyon"),
    ("My timezone is Asia/Tokyo.", "time_zone", "Asia/Tokyo"),
    # work
    ("I work at Brightly.", "works_at", "Brightly"),
    ("I work for Hale & Sons.", "works_at", "Hale & Sons"),
    ("I joined Brightly", "works_at", "Brightly"),
    ("I am an employee of Brightly", "works_at", "Brightly"),
    ("My employer is Brightly.", "works_at", "Brightly"),
    ("I work as a plumber.", "works_as", "plumber"),
    ("I'm a plumber.", "works_as", "plumber"),
    ("I'm on the search team.", "works_on_team", "search"),
    ("I'm a board member of A", "board_member_of", "A"),
    ("I report to Joan Hale.", "has_manager", "Joan Hale"),
    ("I study geology.", "studies", "geology"),
    ("I'm learning Welsh.", "studies", "Welsh"),
    ("I speak Welsh.", "speaks", "Welsh"),
    ("I use Emacs.", "uses", "Emacs"),
    ("I work on the search service.", "works_on", "search service"),
    ("I founded Brightly.", "founded", "Brightly"),
    # preferences
    ("I like opera.", "likes", "opera"),
    ("I love dumplings", "likes", "dumplings"),
    ("I really enjoy opera.", "likes", "opera"),
    ("I also like cider", "likes", "cider"),
    ("I like Haskell too", "likes", "Haskell"),
    ("I like to paint.", "likes", "painting"),
    ("I'm a big fan of opera.", "likes", "opera"),
    ("I hate dumplings now", "dislikes", "dumplings"),
    ("I don't like dumplings.", "dislikes", "dumplings"),
    ("I can't stand dumplings.", "dislikes", "dumplings"),
    ("not a fan of dumplings", "dislikes", "dumplings"),
    ("I'm interested in chess.", "interested_in", "chess"),
    ("I prefer trains.", "prefers", "trains"),
    ("User prefers email", "prefers_contact", "email"),
    ("I'd rather have trains.", "prefers", "trains"),
    ("I don't eat fish.", "avoids", "fish"),
    ("My favourite drink is cider", "favorite_drink", "cider"),
    ("My favorite colour is teal.", "favorite_color", "teal"),
    ("Favourite tea: oolong", "favorite_tea", "oolong"),
    ("My goal is to run a marathon.", "has_goal", "run a marathon"),
    # people
    ("my sister Mona", "has_sibling", "Mona"),
    ("My wife is called Mona.", "has_spouse", "Mona"),
    ("Mona is my cousin.", "has_relative", "Mona"),
    ("I'm married to Mona.", "has_spouse", "Mona"),
    ("I'm dating Mona.", "has_partner", "Mona"),
    ("My boss is Joan Hale", "has_manager", "Joan Hale"),
    ("My dentist is Dr. Hale.", "has_dentist", "Dr. Hale"),
    ("We have a corgi called Bolt.", "has_pet", "Bolt"),
    ("My cat is called Nut.", "has_pet", "Nut"),
    ("I have two kids.", "has_child", "two kids"),
    # ownership, money
    ("I own a boat.", "owns", "boat"),
    ("I have a car.", "owns", "car"),
    ("I drive a Fiat Panda.", "owns", "Fiat Panda"),
    ("I bought a tent.", "bought", "tent"),
    ("I subscribe to Nature.", "subscribes_to", "Nature"),
    ("I'm on the Gold plan.", "plan", "Gold"),
    ("I upgraded to the Gold plan", "plan", "Gold"),
    ("My salary is 40,000 EUR.", "salary", "40,000 EUR"),
    ("I earn 3000 a month", "salary", "3000 a month"),
    ("My budget is 90 euros", "budget", "90 euros"),
    ("I pay for Nature.", "pays_for", "Nature"),
    # health
    ("I am allergic to wool.", "allergic_to", "wool"),
    ("allergic to wool", "allergic_to", "wool"),
    ("I have a wool allergy.", "allergic_to", "wool"),
    ("I am vegetarian", "diet", "vegetarian"),
    ("I'm vegan.", "diet", "vegan"),
    ("I'm on a keto diet.", "diet", "keto"),
    ("I have asthma.", "has_condition", "asthma"),
    ("I take aspirin every day.", "takes_medication", "aspirin"),
    ("I'm on aspirin.", "takes_medication", "aspirin"),
    ("I do yoga twice a week.", "does_exercise", "yoga"),
    ("I play tennis on Sundays.", "does_exercise", "tennis"),
    # the rest
    ("My name is Kimberly.", "has_name", "Kimberly"),
    ("I'm 41 years old.", "age", "41"),
    ("My e-mail is kim@post.example", "email", "kim@post.example"),
    ("My phone number is +44 20 5550 123", "phone", "+44 20 5550 123"),
    ("I passed my driving test.", "completed", "driving test"),
    ("I won the chess tournament.", "won", "chess tournament"),
    ("I attended the book fair.", "attended", "book fair"),
]


@pytest.mark.parametrize(("text", "predicate", "value"), PLAIN, ids=[p[0] for p in PLAIN])
def test_a_plain_statement_makes_exactly_one_fact_of_the_end_user(told, text, predicate, value):
    (fact,) = told(text)
    assert (fact.subject, fact.subject_type) == ("kim", "self")
    assert (fact.predicate, fact.object, fact.tense, fact.move) == (
        predicate, value, "current", "state",
    )  # fmt: skip
    assert (fact.valid_from, fact.invalid_at, fact.replaces) == (None, None, ())


def test_without_an_end_user_the_subject_is_user(told):
    (fact,) = told("I like opera.", user_id=None)
    assert (fact.subject, fact.subject_type) == ("user", "self")


def test_a_declared_name_is_the_end_user(told):
    (fact,) = told("Kimberly lives in Lyon.", names=("Kimberly",))
    assert (fact.subject, fact.subject_type) == ("kim", "self")
    (fact,) = told("Kimberley lives in Lyon.", names=("Kimberly",))
    assert (fact.subject, fact.subject_type) == ("Kimberley", "person")


OTHERS = [
    ("Joan works at Brightly", "Joan", "works_at", "Brightly"),
    ("Joan Hale lives in Lyon.", "Joan Hale", "lives_in", "Lyon"),
    ("my sister is allergic to wool", "kim's sister", "allergic_to", "wool"),
    ("My boss hates opera.", "kim's boss", "dislikes", "opera"),
    ("Brightly uses Bazel.", "Brightly", "uses", "Bazel"),
    ("Bolt is a corgi.", "Bolt", "is_a", "corgi"),
    ("The recital is on 3 July 2026.", "recital", "scheduled_for", "2026-07-03"),
    ("The deadline for the thesis is 3 July 2026.", "thesis", "deadline", "2026-07-03"),
    ("The day pass costs 9 euros.", "day pass", "price", "9 euros"),
    ("My rent is 640 euros.", "kim's rent", "price", "640 euros"),
    ("Our Asana is on the Gold plan.", "Asana", "plan", "Gold"),
    ("The rewrite is blocked by legal.", "rewrite", "status", "blocked"),
    ("Budget at Brightly: 9,000 EUR", "Brightly", "budget", "9,000 EUR"),
]


@pytest.mark.parametrize(
    ("text", "subject", "predicate", "value"), OTHERS, ids=[o[0] for o in OTHERS]
)
def test_a_statement_about_others_keeps_their_name(told, text, subject, predicate, value):
    (fact,) = told(text)
    assert (fact.subject, fact.predicate, fact.object) == (subject, predicate, value)
    assert fact.subject_type != "self"


def facts(found):
    return [(f.subject, f.predicate, f.object) for f in found]


def test_coordinated_objects_make_one_fact_each(told):
    assert facts(told("I like tea, cider and opera.")) == [
        ("kim", "likes", "tea"), ("kim", "likes", "cider"), ("kim", "likes", "opera"),
    ]  # fmt: skip
    assert facts(told("I'm allergic to wool and latex.")) == [
        ("kim", "allergic_to", "wool"), ("kim", "allergic_to", "latex"),
    ]  # fmt: skip


def test_coordinated_subjects_make_one_fact_each(told):
    assert facts(told("My brother and I live in Lyon.")) == [
        ("kim's brother", "lives_in", "Lyon"), ("kim", "lives_in", "Lyon"),
    ]  # fmt: skip


def test_several_clauses_are_read_one_by_one(told):
    assert facts(told("I live in Lyon and work at Brightly as a welder.")) == [
        ("kim", "lives_in", "Lyon"), ("kim", "works_as", "welder"), ("kim", "works_at", "Brightly"),
    ]  # fmt: skip
    assert facts(told("Hates opera, loves chess, lives in Lyon.")) == [
        ("kim", "dislikes", "opera"), ("kim", "likes", "chess"), ("kim", "lives_in", "Lyon"),
    ]  # fmt: skip


def test_a_name_in_passing_is_a_statement_too(told):
    assert facts(told("My brother Otis plays the oboe.")) == [
        ("kim", "has_sibling", "Otis"), ("Otis", "plays", "oboe"),
    ]  # fmt: skip
    assert facts(told("Joan Hale, Head of Sales at Brightly, called.")) == [
        ("Joan Hale", "works_as", "Head of Sales"), ("Joan Hale", "works_at", "Brightly"),
    ]  # fmt: skip


def test_pronouns_take_the_nearest_name_that_agrees(told):
    text = "My sister Mona lives in Lyon. She works at Brightly. He likes opera."
    assert facts(told(text)) == [
        ("kim", "has_sibling", "Mona"),
        ("Mona", "lives_in", "Lyon"),
        ("Mona", "works_at", "Brightly"),
    ]  # fmt: skip
    assert told("She lives in Lyon.") == []


def test_notes_with_keys_are_statements_of_the_end_user(told):
    text = (
        "- **Job:** welder\n- Languages: Welsh, Irish\n- Pets: Bolt\n- Kids: Ada (9) and Joan (6)"
    )
    assert facts(told(text)) == [
        ("kim", "works_as", "welder"), ("kim", "speaks", "Welsh"), ("kim", "speaks", "Irish"),
        ("kim", "has_pet", "Bolt"), ("kim", "has_child", "Ada"), ("Ada", "age", "9"),
        ("kim", "has_child", "Joan"), ("Joan", "age", "6"),
    ]  # fmt: skip


def test_literal_values_are_marked(told):
    assert told("My salary is 40,000 EUR.")[0].object_is_literal
    assert told("My favorite colour is teal.")[0].object_is_literal
    assert not told("I live in Lyon.")[0].object_is_literal


def test_evidence_points_into_the_text(told):
    text = "Well, hello! I live in Lyon. Did you know \U0001f600 that I like opera?"
    (fact,) = told(text)
    begin, end = fact.span
    assert text[begin:end] == "I live in Lyon"
    assert fact.predicate_raw == "lives in"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Vivo a Lione.", ("lives_in", "Lione")),
        ("Mi chiamo Ada.", ("has_name", "Ada")),
        ("Vivo en Lugo.", ("lives_in", "Lugo")),
        ("Soy alérgica a la lana.", ("allergic_to", "lana")),
        ("Ich wohne in Bremen.", ("lives_in", "Bremen")),
        ("Ich arbeite bei Hale.", ("works_at", "Hale")),
        ("J'habite à Lyon.", ("lives_in", "Lyon")),
        ("Je déteste le café.", ("dislikes", "café")),
        ("我住在南京。", ("lives_in", "南京")),
        ("我对牛奶过敏。", ("allergic_to", "牛奶")),
        ("札幌に住んでいます。", ("lives_in", "札幌")),
        ("저는 부산에 살아요.", ("lives_in", "부산")),
    ],
)
def test_the_plainest_statements_of_other_languages_are_heard(told, text, expected):
    (fact,) = told(text)
    assert (fact.predicate, fact.object) == expected
