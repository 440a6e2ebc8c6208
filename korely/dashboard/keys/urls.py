"""Routes of an organisation's keys."""

from django.urls import path

from korely.dashboard.keys import acts, creating, listing, one

urlpatterns = [
    path("", listing.keys, name="keys"),
    path("new/", creating.create, name="key-create"),
    path("<uuid:key_id>/", one.key, name="key"),
    path("<uuid:key_id>/secret/", creating.secret, name="key-secret"),
    path("<uuid:key_id>/rotate/", acts.rotate, name="key-rotate"),
    path("<uuid:key_id>/move/", acts.move, name="key-move"),
    path("<uuid:key_id>/revoke/", acts.revoke, name="key-revoke"),
]
