"""DRF and the OpenAPI document."""

from korely.settings.product import KORELY_VERSION

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "korely.rest.schema.OperationSchema",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Korely",
    "DESCRIPTION": "Memory for AI agents: text in, typed facts with two clocks out.",
    "VERSION": KORELY_VERSION,
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": False,
    "APPEND_COMPONENTS": {
        "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
    },
    "SECURITY": [{"key": []}],
    "COMPONENT_SPLIT_PATCH": False,  # a PATCH's body has required fields of its own
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    # Choices stay in their place: the usual hook would make components of them.
    "POSTPROCESSING_HOOKS": ["korely.rest.schema.drop_marks", "korely.rest.schema.add_health"],
}
