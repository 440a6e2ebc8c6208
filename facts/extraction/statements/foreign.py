"""The plainest statements in Italian, Spanish, German, French, Chinese, Japanese and Korean.

One pattern a meaning; anything that bends it (a condition, a question, a negation) leaves the
sentence unread. The object stays in the language of the text.
"""

import re
from dataclasses import dataclass

from facts.extraction.candidate import Move, Tense

_OBJ = r"([^\s,.;:!?()][^,.;:!?()\n]{0,50}?)"
_END = (
    r"(?=\s*(?:$|[,.;:!?()]|\b(?:ma|pero|aber|mais|perché|porque|weil|parce|da|desde"
    r"|seit|depuis|con|mit|avec|come|como|als|comme|ma|ahora|adesso|ora|jetzt|maintenant|per|para|für"
    r"|pour|ojo|gern|gerne|más|mehr|plus|anymore|dal|dalla|nel|en el|à la)\b))"
)
_NAME = r"((?-i:[A-ZÀ-Þ][\w'’\-]+(?: (?:(?:de|di|da|la) )?[A-ZÀ-Þ][\w'’\-]+){0,3}))"


@dataclass(frozen=True, slots=True)
class Saying:
    """One statement found: predicate, object with offsets into the sentence, tense and move."""

    predicate: str
    object: str
    start: int
    end: int
    tense: Tense = "current"
    move: Move = "state"


# (pattern, predicate); the first group is the object.
_ROWS: tuple[tuple[str, str], ...] = (
    # Italian
    (rf"\bmi chiamo {_NAME}", "has_name"),
    (rf"\b(?:vivo|abito|risiedo) (?:a|in|ad) {_NAME}", "lives_in"),
    (rf"\bmi sono trasferit[oa] (?:a|in|ad) {_NAME}", "lives_in"),
    (rf"\bsono nat[oa] (?:a|in|ad) {_NAME}", "born_in"),
    (
        rf"\blavoro (?:come|da) (?:un |una )?{_OBJ}"
        rf"(?= (?:al|alla|allo|in|per|presso|a|e)\b| all['’]|{_END[3:]}",
        "works_as",
    ),
    (rf"\blavoro (?:come \w+ )?(?:per|presso|alla|al|allo|da|all['’])\s?{_NAME}", "works_at"),
    (rf"\bfaccio (?:il|la|lo|l['’]) ?{_OBJ}{_END}", "works_as"),
    (rf"\bmi piacciono? (?:il |la |lo |le |gli |i |l['’])?{_OBJ}{_END}", "likes"),
    (rf"\b(?:odio|detesto) (?:il |la |lo |le |gli |i |l['’])?{_OBJ}{_END}", "dislikes"),
    (rf"\bsono allergic[oa] (?:ai|alle|alla|al|agli|allo|a) {_OBJ}{_END}", "allergic_to"),
    (rf"\bnon mangio (?:più )?(?:la |il |le |i )?{_OBJ}{_END}", "avoids"),
    (rf"\bparlo (l['’]?\w+|\w+){_END}", "speaks"),
    (rf"\bmia sorella {_NAME}", "has_sibling"),
    (rf"\bmio fratello {_NAME}", "has_sibling"),
    (rf"\b(?:mia moglie|mio marito),? {_NAME}", "has_spouse"),
    # Spanish
    (rf"\bme llamo {_NAME}", "has_name"),
    (rf"\b(?:vivo|resido) en {_NAME}", "lives_in"),
    (rf"\bme mudé a {_NAME}", "lives_in"),
    (rf"\bnací en {_NAME}", "born_in"),
    (rf"\btrabajo (?:en|para) {_NAME}", "works_at"),
    (rf"\btrabajo (?:como|de) (?:una? )?{_OBJ}(?= (?:en|y)\b|{_END[3:]}", "works_as"),
    (rf"\bme gustan? (?:mucho )?(?:el |la |los |las )?{_OBJ}{_END}", "likes"),
    (rf"\bodio (?:el |la |los |las )?{_OBJ}{_END}", "dislikes"),
    (rf"\bsoy alérgic[oa] (?:al |a los |a las |a la |a ){_OBJ}{_END}", "allergic_to"),
    (rf"\bno como (?:más )?{_OBJ}{_END}", "avoids"),
    (rf"\bhablo (\w+){_END}", "speaks"),
    (rf"\bmi (?:hermana|hermano) {_NAME}", "has_sibling"),
    (rf"\bmi (?:marido|esposo|esposa|mujer),? {_NAME}", "has_spouse"),
    # German
    (rf"\bich heiße {_NAME}", "has_name"),
    (rf"\bich (?:wohne|lebe)(?: (?:seit [\w ]{{2,20}}?|jetzt|nun))? in {_NAME}", "lives_in"),
    (rf"\bich bin nach {_NAME} (?:gezogen|umgezogen)", "lives_in"),
    (rf"\bich (?:bin|wurde) in {_NAME} geboren", "born_in"),
    (rf"\bich arbeite (?:\w+ )?(?:bei|für) (?:der |dem )?{_NAME}", "works_at"),
    (rf"\bich arbeite (?:\w+ )?als {_OBJ}(?= (?:bei|in|für|und)\b|{_END[3:]}", "works_as"),
    (rf"\bich (?:mag|liebe) (?!nicht|kein)(?:den |die |das )?{_OBJ}{_END}", "likes"),
    (rf"\bich hasse (?:den |die |das )?{_OBJ}{_END}", "dislikes"),
    (rf"\bich bin (?:allergisch gegen|allergisch auf) {_OBJ}{_END}", "allergic_to"),
    (rf"\bich esse kein(?:e|en)? {_OBJ}{_END}", "avoids"),
    (rf"\bich spreche (\w+){_END}", "speaks"),
    (rf"\bmein(?:e)? (?:schwester|bruder) {_NAME}", "has_sibling"),
    (rf"\bmein(?:e)? (?:frau|mann),? {_NAME}", "has_spouse"),
    (rf"\b(?:unser|unsere|mein|meine) (?:kater|katze|hund|hündin) {_NAME}", "has_pet"),
    # French
    (rf"\bje m['’]appelle {_NAME}", "has_name"),
    (rf"\b(?:j['’]habite|je vis|je réside) (?:à|en|au) {_NAME}", "lives_in"),
    (rf"\bj['’]ai déménagé à {_NAME}", "lives_in"),
    (rf"\bje suis née? à {_NAME}", "born_in"),
    (rf"\bje (?:travaille|bosse)(?: maintenant)? (?:chez|pour) {_NAME}", "works_at"),
    (rf"\bje travaille comme {_OBJ}(?= (?:chez|à|et)\b|{_END[3:]}", "works_as"),
    (rf"\bj['’](?:aime|adore) (?:le |la |les |l['’])?{_OBJ}{_END}", "likes"),
    (rf"\bje déteste (?:le |la |les |l['’])?{_OBJ}{_END}", "dislikes"),
    (rf"\bje suis allergique (?:aux |au |à la |à l['’]|à ){_OBJ}{_END}", "allergic_to"),
    (rf"\bje ne mange (?:pas|plus) (?:de |d['’]){_OBJ}{_END}", "avoids"),
    (rf"\bje parle (?:le |l['’])?(\w+){_END}", "speaks"),
    (rf"\bma sœur {_NAME}", "has_sibling"),
    (rf"\bmon frère {_NAME}", "has_sibling"),
    (rf"\b(?:ma femme|mon mari),? {_NAME}", "has_spouse"),
    # Chinese
    (r"我(?:现在)?(?:住在|居住在)([^，。！？,.\s了的]{1,12})", "lives_in"),
    (r"我(?:已经)?搬到了?([^，。！？,.\s了的]{1,12})", "lives_in"),
    (r"我出生(?:在|于)([^，。！？,.\s的]{1,12})", "born_in"),
    (r"我在([^，。！？,.\s的]{1,16})(?:工作|上班)", "works_at"),
    (r"我(?:很|最|非常)?喜欢([^，。！？,.\s]{1,16})", "likes"),
    (r"我(?:很)?(?:讨厌|不喜欢)([^，。！？,.\s]{1,16})", "dislikes"),
    (r"我对([^，。！？,.\s]{1,12})过敏", "allergic_to"),
    (r"(?:我|另外|也|从)不吃([^，。！？,.\s了]{1,12})", "avoids"),
    (
        r"养了?(?:一|两|三)?(?:只|条|匹)?(?:叫|名叫)([^，。！？,.\s的]{1,8})的(?:猫|狗|兔子)",
        "has_pet",
    ),
    (r"我叫([^，。！？,.\s]{1,8})", "has_name"),
    # Japanese
    (r"(?:私は|僕は|わたしは)?([^、。！？\s]{1,12})に住んでいます", "lives_in"),
    (r"(?:私は|僕は)?([^、。！？\s]{1,12})に引っ越しました", "lives_in"),
    (r"(?:私は|僕は)?([^、。！？\sの]{1,12})で生まれました", "born_in"),
    (r"([^、。！？\sのでは]{1,16})で(?:[^、。！？\s]{1,12}として)?働いています", "works_at"),
    (r"(?:で|は)?([^、。！？\sでは]{1,12})として働いています", "works_as"),
    (r"(?:私は|僕は)?([^、。！？\s]{1,16})が(?:大)?好きです", "likes"),
    (r"(?:私は|僕は)?([^、。！？\s]{1,16})が(?:大)?嫌いです", "dislikes"),
    (r"(?:私は|僕は)?([^、。！？\s]{1,12})アレルギーです", "allergic_to"),
    # Korean
    (
        r"(?:저는|나는)?\s*([^\s,.!?]{1,12})에 (?:살아요|삽니다|살고 있어요|살고 있습니다)",
        "lives_in",
    ),
    (r"([^\s,.!?]{1,12}?)(?:으로|로) 이사했(?:어요|습니다)", "lives_in"),
    (r"([^\s,.!?]{1,16})에서 (?:일해요|일합니다|일하고 있어요)", "works_at"),
    (r"([^\s,.!?]{1,16})(?:을|를) 좋아(?:해요|합니다)", "likes"),
    (r"([^\s,.!?]{1,12}) 알레르기가 있(?:어요|습니다)", "allergic_to"),
)
_PATTERNS = tuple(
    (re.compile(pattern, re.I if pattern.startswith(r"\b") else 0), p) for pattern, p in _ROWS
)

_CUES = re.compile(
    r"\b(?:mi chiamo|vivo|abito|risiedo|trasferit|sono|lavoro|faccio|piac|odio|detesto|mangio|parlo"
    r"|mi[ao]"
    r"|me|resido|nací|trabajo|soy|como|hablo|mi|ich|mein|unser|je|j['’]|ma|mon)\w*|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]",
    re.I,
)
_BENT = re.compile(
    r"\b(?:se (?:mi|avessi|fossi)|si (?:me|yo|fuera|tuviera)|wenn|falls|hätte|würde|si j['’]|si je"
    r"|dice che"
    r"|dice que|sagt|dit que|forse|quizás|vielleicht|peut-être|non (?:vivo|lavoro|abito|sono)"
    r"|no (?:vivo|trabajo|soy|me)|nicht|viviría|vivrei)\b|もし|如果|要是|[吗呢か]$|만약",
    re.I,
)
_JOINED = re.compile(
    r"\s+(?:e|ed|y|und|et)\s+(?:ai |alle |alla |al |a los |a las |al |aux |au )?|[、和]"
)
_ARTICLE = re.compile(
    r"^(?:(?:il|la|lo|le|gli|i|el|los|las|der|die|das|les|un|una|une|ein|eine)\s+|l['’]\s?)(?=\w)",
    re.I,
)


def read_foreign(text: str) -> list[Saying]:
    """The plain statements of a sentence in one of these languages, in its order."""
    if not _CUES.search(text) or _BENT.search(text):
        return []
    found: list[Saying] = []
    taken: set[tuple[str, int]] = set()
    for pattern, predicate in _PATTERNS:
        for match in pattern.finditer(text):
            value = match.group(1)
            for item, offset in _items(value, predicate):
                start = match.start(1) + offset
                if (predicate, start) in taken or not item:
                    continue
                taken.add((predicate, start))
                found.append(Saying(predicate, item, start, start + len(item)))
    found.sort(key=lambda saying: saying.start)
    return found


_LISTED = frozenset({"likes", "dislikes", "allergic_to", "avoids", "speaks"})


def _items(value: str, predicate: str) -> list[tuple[str, int]]:
    parts: list[tuple[str, int]] = []
    at = 0
    pieces = _JOINED.split(value) if predicate in _LISTED else [value]
    for piece in pieces:
        place = value.find(piece, at)
        at = place + len(piece)
        bare = piece.strip()
        if predicate in _LISTED:
            bare = _ARTICLE.sub("", bare) or bare
        parts.append((bare.strip(), max(place, 0) + piece.find(bare)))
    return parts
