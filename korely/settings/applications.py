"""Applications, middleware, URLs, templates, security headers."""

from urllib.parse import urlsplit

from korely.settings.environment import BASE_DIR, env
from korely.settings.people import COOKIE_CHECKS_SILENCED
from korely.settings.product import KORELY_PUBLIC_URL

SECRET_KEY = env.str("SECRET_KEY")
DEBUG = False
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["*"])

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "korely.work",
    "korely.idempotency",
    "korely.webhooks",
    "billing",
    "accounts",
    "facts",
    "memories",
    "korely.rest",
    "korely.dashboard",
    "django_htmx",
    "django.contrib.admin",
    "allauth",
    "allauth.account",
    "allauth.mfa",
]

MIDDLEWARE = [
    "korely.http.middleware.RequestMiddleware",
    "korely.openmem.middleware.OpenMemPathMiddleware",
    "korely.http.middleware.MalformedPathMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Below /account/, /dashboard/ and /ops/ only; see korely/dashboard/middleware.py.
    "korely.dashboard.middleware.Pages",
    "korely.dashboard.middleware.Sessions",
    "korely.dashboard.middleware.Csrf",
    "korely.dashboard.middleware.Authentication",
    "korely.dashboard.middleware.Messages",
    "allauth.account.middleware.AccountMiddleware",
    "korely.dashboard.middleware.WholePages",
]

ROOT_URLCONF = "korely.urls"
APPEND_SLASH = False  # the service never redirects: clients turn a redirected POST into a GET
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Not relative: Django would make it absolute once, before any request has said its prefix.
STATIC_URL = f"{urlsplit(KORELY_PUBLIC_URL).path}/static/"
WHITENOISE_STATIC_PREFIX = "/static/"  # the front takes the prefix off
STATIC_ROOT = BASE_DIR / "staticfiles"
WHITENOISE_USE_FINDERS = True  # `make run` needs no collectstatic
WHITENOISE_AUTOREFRESH = False

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# TLS is the proxy's: the service itself speaks HTTP on loopback and never redirects.
SILENCED_SYSTEM_CHECKS = [
    "security.W003",  # it looks for Django's own name; korely.dashboard.middleware.Csrf is in place
    "security.W004",  # HSTS is set by the proxy that ends TLS
    "security.W008",  # the API never redirects
    *COOKIE_CHECKS_SILENCED,
]

DATA_UPLOAD_MAX_MEMORY_SIZE = None  # the front bounds bodies; see korely/asgi.py
