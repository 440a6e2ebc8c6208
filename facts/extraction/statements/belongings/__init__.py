"""What somebody owns, buys, sells, subscribes to and pays for."""

from facts.extraction.statements.belongings.having import collect, drive, have, keep, own
from facts.extraction.statements.belongings.subscriptions import cancel, pay, subscribe, upgrade
from facts.extraction.statements.belongings.trade import buy, get, sell
from facts.extraction.statements.tastes.habits import smoke

READINGS = {
    "have": have, "own": own, "drive": drive, "buy": buy, "purchase": buy, "get": get,
    "sell": sell, "subscribe": subscribe, "cancel": cancel, "pay": pay, "upgrade": upgrade,
    "downgrade": upgrade, "collect": collect, "keep": keep, "smoke": smoke,
}  # fmt: skip
