"""Likes, dislikes, preferences, wishes and habits of eating and drinking."""

from facts.extraction.statements.tastes.habits import attempt, avoid, consume, cut, smoke
from facts.extraction.statements.tastes.likings import dislike, like, prefer, stand
from facts.extraction.statements.tastes.wishes import wish

READINGS = {
    "like": like, "love": like, "enjoy": like, "adore": like,
    "hate": dislike, "dislike": dislike, "detest": dislike, "loathe": dislike, "despise": dislike,
    "try": attempt, "stand": stand, "bear": stand, "prefer": prefer, "avoid": avoid,
    "eat": consume, "drink": consume, "touch": consume, "smoke": smoke, "want": wish, "cut": cut,
}  # fmt: skip
