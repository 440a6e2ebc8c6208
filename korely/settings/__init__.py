"""Django settings, one module per concern. Every variable is listed in `.env.example`."""

from korely.settings.applications import *  # noqa: F403 - settings are gathered here
from korely.settings.background import *  # noqa: F403
from korely.settings.logs import *  # noqa: F403
from korely.settings.people import *  # noqa: F403
from korely.settings.product import *  # noqa: F403
from korely.settings.schema import *  # noqa: F403
from korely.settings.storage import *  # noqa: F403
from korely.settings.webhooks import *  # noqa: F403
from korely.settings.writer import *  # noqa: F403
