"""Names of medicines, told by their endings."""

import re

from facts.vocabulary.words import words

_MEDICINE = re.compile(
    r"(?:[a-z]{3,}(?:in|ol|am|ide|pril|tan|statin|mab|zole|ine|one|ate|cillin|profen|pam|lol|ium|xel|tin"
    r"|pine|azole|ril|oxin|mycin|phen)|insulin|antidepressants?|antibiotics?|painkillers?|vitamins?"
    r"|blood thinners?|steroids|statins?|the pill|birth control|aspirin|melatonin|iron|chemo"
    r"|antihistamines?|inhaler)(?: ?\d+ ?(?:mg|mcg|g|ml|iu))?",
    re.I,
)


_NOT_MEDICINE = words(
    """time line online wine machine routine magazine medicine engine cocaine fine mine nine phone
    alone anyone someone everyone train plane holiday vacation again contain captain bargain
    caffeine gasoline chocolate climate private date state plate karate latte pain rain brain
    coin cabin cousin captain ruin spain zone one stone clone drone headline deadline discipline
    team steam cream ice-cream exam jam ham program beam protein muffin pumpkin dolphin"""
)


def is_medicine(text: str) -> bool:
    """Whether the words look like the name of a medicine, by its ending."""
    return bool(_MEDICINE.fullmatch(text)) and text.casefold().split()[0] not in _NOT_MEDICINE
