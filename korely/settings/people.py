"""People: log-in, sessions, cookies, e-mail. Keys have nothing to do with any of it."""

from urllib.parse import quote, unquote, urlsplit

from korely.settings.environment import data_directory, env
from korely.settings.product import KORELY_PUBLIC_URL
from korely.settings.storage import CACHES

_public = urlsplit(KORELY_PUBLIC_URL)
_secure = _public.scheme == "https"
_path = quote(unquote(_public.path)) or "/"

AUTH_USER_MODEL = "accounts.Person"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {"user_attributes": ("email", "name")}),
        ("MinimumLengthValidator", {"min_length": 10}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
PASSWORD_RESET_TIMEOUT = 24 * 3600
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "dashboard"
LOGOUT_REDIRECT_URL = "account_login"

# Sessions are rows: a lost cache logs nobody out. A cookie goes to this install's path only.
SESSION_COOKIE_NAME = "korely_session"
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_PATH = _path
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = _secure
CSRF_COOKIE_NAME = "korely_csrf"
CSRF_COOKIE_PATH = _path
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = _secure
CSRF_TRUSTED_ORIGINS = [f"{_public.scheme}://{_public.netloc}"]
CSRF_FAILURE_VIEW = "korely.dashboard.errors.csrf_failure"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

ACCOUNT_ADAPTER = "accounts.people.adapter.PeopleAdapter"
ACCOUNT_FORMS = {"signup": "accounts.people.forms.SignUpForm"}
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_CHANGE_EMAIL = True  # one address a person; a new one takes over once it is verified
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = ("password", "mfa")
ACCOUNT_LOGOUT_ON_PASSWORD_CHANGE = False
# Beside allauth's own limits of log-in, sign-up and reset: invitations send mail to strangers.
ACCOUNT_RATE_LIMITS = {"invite": "30/h/user"}
MFA_ADAPTER = "accounts.people.second_factor.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Korely"
MFA_TOTP_TOLERANCE = 1  # steps of 30 s that a clock may be off (RFC 6238, section 5.2)

# What people's pages count in: the cache, or the process's own memory while it is away.
CACHES["people"] = {**CACHES["default"], "BACKEND": "accounts.people.cache.SteadyCache"}

SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])

DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Korely <korely@localhost>")
_files = "django.core.mail.backends.filebased.EmailBackend"
_mail = env.email_url("EMAIL_URL") if env.str("EMAIL_URL", default="") else {}
EMAIL_BACKEND = _mail.get("EMAIL_BACKEND", _files)
_given = _mail.get("EMAIL_FILE_PATH", "").lstrip("/")
EMAIL_FILE_PATH = f"/{_given}" if _given else str(data_directory().absolute() / "mail")
if _files == EMAIL_BACKEND:
    EMAIL_BACKEND = "accounts.people.mail.PrivateFiles"
EMAIL_HOST = _mail.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = _mail.get("EMAIL_PORT") or 25
EMAIL_HOST_USER = _mail.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = _mail.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = _mail.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _mail.get("EMAIL_USE_SSL", False)
EMAIL_TIMEOUT = 10

# Over plain HTTP a secure cookie would never come back, so neither can be one.
COOKIE_CHECKS_SILENCED = [] if _secure else ["security.W010", "security.W016"]
