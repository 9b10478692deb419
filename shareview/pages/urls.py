"""The readers' addresses."""

from django.urls import path, register_converter

from shareview.pages import views
from shareview.pages.converters import IdConverter

register_converter(IdConverter, "id")

urlpatterns = [
    path("s/<str:token>", views.without_slash),
    path("s/<str:token>/", views.share_page, name="share"),
    path("s/<str:token>/m/<id:message>/sources/", views.sources, name="sources"),
    path("s/<str:token>/m/<id:message>/steps/", views.steps, name="steps"),
    path("s/<str:token>/m/<id:message>/answer.md", views.markdown, name="markdown"),
    path("s/<str:token>/m/<id:message>/article/", views.article, name="article"),
    path("s/<str:token>/m/<id:message>/claims/", views.claims, name="claims"),
    path("s/<str:token>/m/<id:message>/claims/<id:span>/", views.card, name="card"),
    path("s/<str:token>/documents/<id:document>/", views.document, name="document"),
    path("s/<str:token>/thread/", views.thread, name="thread"),
    path("s/<str:token>/model-input.json", views.model_input, name="model-input"),
    path("s/<str:token>/rounds/", views.rounds, name="rounds"),
    path("s/<str:token>/files/<str:sha256>", views.file, name="file"),
    path("s/<str:token>/export.<str:ending>", views.export, name="export"),
    path("robots.txt", views.robots),
    path("healthz", views.healthz),
]
