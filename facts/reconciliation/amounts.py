"""Amounts and telephone numbers: one spelling per value, so that a restatement is recognised."""

import re
from decimal import Decimal

_CURRENCIES: dict[str, str] = {
    "€": "eur",
    "eur": "eur",
    "euro": "eur",
    "euros": "eur",
    "$": "usd",
    "usd": "usd",
    "us$": "usd",
    "dollar": "usd",
    "dollars": "usd",
    "£": "gbp",
    "gbp": "gbp",
    "pound": "gbp",
    "pounds": "gbp",
    "¥": "jpy",
    "jpy": "jpy",
    "yen": "jpy",
    "chf": "chf",
    "francs": "chf",
}
_SCALES: dict[str, int] = {
    "k": 1_000,
    "thousand": 1_000,
    "m": 1_000_000,
    "mio": 1_000_000,
    "million": 1_000_000,
    "bn": 1_000_000_000,
    "billion": 1_000_000_000,
}
_PERIODS: dict[str, str] = {
    "annually": "year",
    "yearly": "year",
    "pa": "year",
    "p.a": "year",
    "p.a.": "year",
    "monthly": "month",
    "weekly": "week",
    "daily": "day",
    "hourly": "hour",
}
_AMOUNT = re.compile(
    r"(?P<before>us\$|[€$£¥]|eur|usd|gbp|jpy|chf)?\s?"
    r"(?P<number>[0-9]+(?:[.,' ][0-9]{3})*(?:[.,][0-9]{1,2})?)"
    r"(?:\s?(?P<scale>k|m|mio|bn|thousand|million|billion)\b)?"
    r"\s?(?P<after>[€$£¥]|[a-z]+\b)?(?P<rest>.*)"
)
_GROUPED = re.compile(r"[0-9]{1,3}(?:([,' ])[0-9]{3})(?:\1[0-9]{3})*")
_PERIOD = re.compile(r"(?:/|a |an |per |each |every )\s*(year|month|week|day|hour)")
_PHONE = re.compile(r"(?:\+|00)[0-9][0-9 ()./-]{5,}[0-9]")


def amount_key(key: str) -> str | None:
    """The normal form of an amount in comparison form ("80k euros", "80,000 eur"), else None.

    A bare number without currency, scale or group separators is left alone: it may be a version, an
    age or a code, where 3.10 is not 3.1.
    """
    found = _AMOUNT.fullmatch(key)
    if found is None:
        return None
    after, rest = found["after"] or "", found["rest"]
    currency = _CURRENCIES.get(found["before"] or "")
    if after in _CURRENCIES and currency in {None, _CURRENCIES[after]}:
        currency = _CURRENCIES[after]
    else:
        rest = f"{after}{rest}"
    tail = _tail(rest)
    if currency is None and not _is_count(found["number"], found["scale"], tail):
        return None
    value = _value(found["number"]) * _SCALES.get(found["scale"] or "", 1)
    return f"{_plain(value)} {currency or ''}{tail}".strip()


def phone_key(key: str) -> str | None:
    """The digits of an international telephone number, else None."""
    if _PHONE.fullmatch(key) is None:
        return None
    digits = re.sub(r"[^0-9]", "", key)
    return "+" + (digits.removeprefix("00") if key.startswith("00") else digits)


def _is_count(number: str, scale: str | None, tail: str) -> bool:
    if number.startswith("0") or "." in number or scale == "m":
        return False
    return scale is not None or tail.startswith("/") or _GROUPED.fullmatch(number) is not None


def _value(number: str) -> Decimal:
    cut = max(number.rfind("."), number.rfind(","))
    if cut != -1 and len(number) - cut <= 3:
        return Decimal(f"{re.sub('[^0-9]', '', number[:cut])}.{number[cut + 1 :]}")
    return Decimal(re.sub(r"[^0-9]", "", number))


def _plain(value: Decimal) -> str:
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _tail(rest: str) -> str:
    rest = rest.strip()
    if rest in _PERIODS:
        return f"/{_PERIODS[rest]}"
    period = _PERIOD.fullmatch(rest)
    if period is not None:
        return f"/{period[1]}"
    return f" {rest}" if rest else ""
