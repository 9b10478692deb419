"""The readers' addresses."""

from django.urls import include, path, register_converter

from shareview.pages import site_views, views
from shareview.pages.addresses import Door
from shareview.pages.converters import IdConverter

register_converter(IdConverter, "id")

OF_A_SHARE = [
    path("", views.share_page, name="page"),
    path("m/<id:message>/sources/", views.sources, name="sources"),
    path("m/<id:message>/steps/", views.steps, name="steps"),
    path("m/<id:message>/answer.md", views.markdown, name="markdown"),
    path("m/<id:message>/article/", views.article, name="article"),
    path("m/<id:message>/claims/", views.claims, name="claims"),
    path("m/<id:message>/claims/<id:span>/", views.card, name="card"),
    path("documents/<id:document>/", views.document, name="document"),
    path("thread/", views.thread, name="thread"),
    path("search/", views.search, name="search"),
    path("model-input.json", views.model_input, name="model-input"),
    path("rounds/", views.rounds, name="rounds"),
    path("files/<str:sha256>", views.file, name="file"),
    path("export.<str:ending>", views.export, name="export"),
    path("preview.png", views.preview, name="preview"),
    path("<path:rest>", views.nothing, name="nothing"),
]

urlpatterns = [
    path("s/<str:token>", views.without_slash),
    path("s/<str:token>/", include((OF_A_SHARE, Door.PAGE.value))),
    path("embed/<str:token>", views.without_slash),
    path("embed/<str:token>/", include((OF_A_SHARE, Door.EMBED.value))),
    path("preview/<str:token>", views.without_slash),
    path("preview/<str:token>/", include((OF_A_SHARE, Door.DRAFT.value))),
    path("oembed", views.oembed, name="oembed"),
    path("embed.js", site_views.embed_script, name="embed-script"),
    path("robots.txt", site_views.robots),
    path("healthz", site_views.healthz),
    path("metrics", site_views.metrics),
]
