"""Jobs, employers, teams, studies, languages and skills."""

from facts.extraction.statements.work.jobs import hire, join, leave, promote, step, volunteer, work
from facts.extraction.statements.work.studies import speak, study, teach
from facts.extraction.statements.work.teams import found, manage, report, set_up, sit, take_over

READINGS = {
    "sit": sit, "step": step, "take": take_over, "set": set_up,
    "work": work, "consult": work, "freelance": work, "join": join, "quit": leave, "leave": leave,
    "resign": leave, "promote": promote, "hire": hire, "employ": hire, "manage": manage,
    "lead": manage, "run": manage, "supervise": manage, "report": report, "found": found,
    "study": study, "learn": study, "major": study, "teach": teach, "speak": speak,
    "volunteer": volunteer,
}  # fmt: skip
