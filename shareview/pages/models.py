"""Tables of composed pages: derived, and made anew whenever anything they are made of changes."""

from typing import ClassVar

from django.db import models

from shareview.shares.models import Share


class ComposedPage(models.Model):
    """A page as it goes out, compressed: the first view of a part of a thread, in one language.

    ``view`` is the query of its address. ``version`` is that of all that pages are made of, ``shown`` the snapshot's
    ``ShownVersion``, ``token_hash`` the link's that its addresses name: where one of them has changed, it is stale.
    """

    share = models.ForeignKey(Share, on_delete=models.CASCADE, related_name="composed_pages")
    view = models.CharField(max_length=700)
    language = models.CharField(max_length=10)
    version = models.CharField(max_length=64)
    shown = models.PositiveBigIntegerField()
    token_hash = models.CharField(max_length=64)
    etag = models.CharField(max_length=64)
    gzip = models.BinaryField()
    brotli = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["share", "view", "language"], name="one_composition_a_view")
        ]

    def __str__(self) -> str:
        return f"{self.share_id} {self.view} {self.language}"
