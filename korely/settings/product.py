"""What the operator sets about the product itself (contract: operations and settings)."""

from korely.settings.environment import env

KORELY_VERSION = "0.1.0"
KORELY_PUBLIC_URL = env.str("KORELY_PUBLIC_URL", default="http://localhost:8000").rstrip("/")
KORELY_BOOTSTRAP_KEY = env.str("KORELY_BOOTSTRAP_KEY", default="")
KORELY_REGION = env.str("KORELY_REGION", default="local")
KORELY_PAUSED = env.bool("KORELY_PAUSED", default=False)
KORELY_METRICS_TOKEN = env.str("KORELY_METRICS_TOKEN", default="")
# Requests a minute of an account whose plan is `self_hosted`; 0 is no ceiling.
RATE_LIMIT_PER_MINUTE = env.int("RATE_LIMIT_PER_MINUTE", default=1200)
KEY_DEFAULT_DAYS = int(env.str("KEY_DEFAULT_DAYS", default="") or 0) or None

# "1:<hex>,2:<hex>": numbered peppers of the key hashes; the highest number signs new keys.
KORELY_PEPPERS = env.str("KORELY_PEPPERS")

# Extraction: attempts before a memory's status becomes `error`.
EXTRACTION_MAX_ATTEMPTS = env.int("EXTRACTION_MAX_ATTEMPTS", default=5)
# Most facts a context block shows (contract: at most 10, a setting).
CONTEXT_MAX_FACTS = env.int("CONTEXT_MAX_FACTS", default=10)
