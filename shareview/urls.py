"""The site's addresses."""

from django.contrib import admin
from django.urls import include, path

from shareview.admins.trial import trial
from shareview.api.problems import no_such_thing
from shareview.api.site import api

urlpatterns = [
    path("api/", no_such_thing),
    path("api/", api.urls),
    path("api/<path:rest>", no_such_thing),
    path("admin/try/<str:ticket>/", trial, name="admin-trial"),
    path("admin/", admin.site.urls),
    path("", include("shareview.pages.urls")),
]

handler404 = "shareview.pages.errors.not_found"
handler403 = "shareview.pages.errors.forbidden"
handler400 = "shareview.pages.errors.bad_request"
handler500 = "shareview.pages.errors.broken"
