"""What the operator sets about the product itself (contract: operations and settings)."""

from ipaddress import ip_network

from django.core.exceptions import ImproperlyConfigured

from korely.settings.environment import env

KORELY_VERSION = "0.1.0"
KORELY_PUBLIC_URL = env.str("KORELY_PUBLIC_URL", default="http://localhost:8000").rstrip("/")
KORELY_BOOTSTRAP_KEY = env.str("KORELY_BOOTSTRAP_KEY", default="")
KORELY_REGION = env.str("KORELY_REGION", default="local")
KORELY_PAUSED = env.bool("KORELY_PAUSED", default=False)
# Origins of web pages that may speak to /agent/mcp, beside the install's own.
MCP_ALLOWED_ORIGINS = env.list("MCP_ALLOWED_ORIGINS", default=[])
KORELY_METRICS_TOKEN = env.str("KORELY_METRICS_TOKEN", default="")
# Where processes of one machine keep what they count, so that the web server tells all of it; read
# by prometheus_client under this name. Empty: each tells its own, and workers nobody.
PROMETHEUS_MULTIPROC_DIR = env.str("PROMETHEUS_MULTIPROC_DIR", default="")
# Requests a minute of an account whose plan is `self_hosted`; 0 is no ceiling.
RATE_LIMIT_PER_MINUTE = env.int("RATE_LIMIT_PER_MINUTE", default=1200)
# Days until new keys expire, 1 to 3650; None: they do not.
KEY_DEFAULT_DAYS = int(env.str("KEY_DEFAULT_DAYS", default="") or 0) or None
if KEY_DEFAULT_DAYS is not None and not 1 <= KEY_DEFAULT_DAYS <= 3_650:
    raise ImproperlyConfigured("KEY_DEFAULT_DAYS is from 1 to 3650, or empty for never")

# "1:<hex>,2:<hex>": numbered peppers of the key hashes; the highest number signs new keys.
KORELY_PEPPERS = env.str("KORELY_PEPPERS")
# Another number that signs, while a new pepper is made known to several servers; 0: the highest.
KORELY_PEPPER_CURRENT = int(env.str("KORELY_PEPPER_CURRENT", default="") or 0)

# Sign-up without an invitation, of agents and of people, and the plan of what it makes.
KORELY_SIGNUP = env.bool("KORELY_SIGNUP", default=False)
SIGNUP_PLAN = env.str("SIGNUP_PLAN", default="hobby")
# Plans that every account is shown and can ask for; any other is for the accounts that are on it.
PLANS_OFFERED = env.list("PLANS_OFFERED", default=["hobby", "developer", "team", "scale"])
# Accounts that agents of one IPv4 address or IPv6 /64 can make in a UTC day.
KORELY_SIGNUPS_PER_DAY = env.int("KORELY_SIGNUPS_PER_DAY", default=3)
KORELY_TERMS_URL = env.str("KORELY_TERMS_URL", default="") or None
KORELY_PRIVACY_URL = env.str("KORELY_PRIVACY_URL", default="") or None

# Networks whose X-Forwarded-For is believed; a malformed one stops the start.
try:
    KORELY_TRUSTED_PROXIES = tuple(
        ip_network(one.strip()) for one in env.list("KORELY_TRUSTED_PROXIES", default=[]) if one
    )
except ValueError as error:
    raise ImproperlyConfigured(f"KORELY_TRUSTED_PROXIES: {error}") from None

# Texts of one account that a web process embeds at once; more of them wait for their turn.
EMBEDDINGS_AT_ONCE = env.int("EMBEDDINGS_AT_ONCE", default=4)
# Extraction: attempts before a memory's status becomes `error`.
EXTRACTION_MAX_ATTEMPTS = env.int("EXTRACTION_MAX_ATTEMPTS", default=5)
# A batch: attempts before an item is reported as one that cannot be stored.
BATCH_MAX_ATTEMPTS = env.int("BATCH_MAX_ATTEMPTS", default=5)
# Most facts a context block shows (contract: at most 10, a setting).
CONTEXT_MAX_FACTS = env.int("CONTEXT_MAX_FACTS", default=10)

# Days that the log of requests is kept; 0: none is written.
KORELY_REQUEST_LOG_DAYS = env.int("KORELY_REQUEST_LOG_DAYS", default=14)
if KORELY_REQUEST_LOG_DAYS < 0:
    raise ImproperlyConfigured("KORELY_REQUEST_LOG_DAYS is 1 or more, or 0 for no log of requests")

# Days that audit events are kept; None: for ever.
AUDIT_RETENTION_DAYS = int(env.str("AUDIT_RETENTION_DAYS", default="") or 0) or None
if AUDIT_RETENTION_DAYS is not None and AUDIT_RETENTION_DAYS < 1:
    raise ImproperlyConfigured("AUDIT_RETENTION_DAYS is 1 or more, or empty for ever")
