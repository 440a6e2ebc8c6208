"""Money, dates of things, what was done or attended, and plans."""

from facts.extraction.statements.events.courses import (
    HABITS,
    aim,
    become,
    go,
    habit,
    plan,
    retire,
    spend,
    turn,
)
from facts.extraction.statements.events.dated import release, schedule, start_date
from facts.extraction.statements.events.deeds import (
    attend,
    close_on,
    fail,
    finish,
    graduate,
    hand_in,
    win,
)
from facts.extraction.statements.events.money import cost, earn, invest, put, rise, weigh

READINGS = {
    "start": start_date, "begin": start_date, "expire": start_date, "end": start_date,
    "run": start_date, "turn": turn, "spend": spend, "close": close_on, "fail": fail,
    "weigh": weigh,
    "earn": earn, "make": earn, "cost": cost, "rise": rise, "increase": rise, "go": go,
    "schedule": schedule, "reschedule": schedule, "postpone": schedule, "finish": finish,
    "complete": finish, "pass": finish, "graduate": graduate, "win": win, "attend": attend,
    "submit": hand_in, "hand": hand_in, "plan": plan, "intend": plan, "aim": aim,
    "retire": retire, "release": release, "become": become, "invest": invest, "put": put,
} | dict.fromkeys(HABITS, habit)  # fmt: skip
