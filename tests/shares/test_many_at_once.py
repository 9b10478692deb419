"""Four admins and four publishers at once, each a process of its own, on the database of this run."""

from pathlib import Path

from browser_site import environment
from machines import Machine
from sessions import sample

ROUNDS = 12
PUBLISHER = f"""
import secrets
from django.conf import settings
from django.utils import timezone
from shareview.shares.actors import Actor
from shareview.shares.publish import ShareTerms, publish_snapshot
from shareview.shares.view_counts import VIEWS
from shareview.snapshots.models import Snapshot
snapshot = Snapshot.objects.get()
for number in range({ROUNDS}):
    terms = ShareTerms(recipients=["one", "two"], embeds=["https://blog.example.org"])
    shares = publish_snapshot(
        snapshot, terms, actor=Actor("publisher", "-"), now=timezone.now(), token_key=settings.SHAREVIEW_TOKEN_KEY
    )
    for share in shares:
        VIEWS.count(share.pk, now=timezone.now(), is_crawler=False)
    VIEWS.write()
print("done")
"""
ADMIN = f"""
import random, secrets
from django.conf import settings
from django.utils import timezone
from shareview.shares.actors import Actor
from shareview.shares.models import Share, StopKind
from shareview.shares.revoke import revoke_shares
from shareview.shares.stops import release, stop_everything
from shareview.shares.terms import pause_shares, resume_shares, rotate_shares
how = dict(reason="so", actor=Actor("admin", "-"))
for number in range({ROUNDS}):
    some = Share.objects.filter(pk__in=random.sample([*Share.objects.values_list("pk", flat=True)], 3))
    pause_shares(some, now=timezone.now(), **how)
    resume_shares(some, now=timezone.now(), **how)
    rotate_shares(
        some, now=timezone.now(), token_key=settings.SHAREVIEW_TOKEN_KEY, random=secrets.token_bytes, **how
    )
    revoke_shares(Share.objects.filter(pk=some[0].pk), now=timezone.now(), **how)
    stop_everything(StopKind.RECIPIENT, f"nobody {{number}}", now=timezone.now(), **how)
print("done")
"""
FOUND = """
import json
from django.db.models import Count, Sum
from shareview.shares.models import AuditEntry, Share, ViewDay
print(json.dumps({
    "shares": Share.objects.count(), "views": Share.objects.aggregate(n=Sum("views"))["n"],
    "days": ViewDay.objects.aggregate(n=Sum("views"))["n"],
    "published": AuditEntry.objects.filter(action="publish").count(),
    "revoked": AuditEntry.objects.filter(action="revoke").count(),
    "ended": Share.objects.filter(revoked_at__isnull=False).count(),
}))
"""


def test_admins_and_publishers_at_once_wait_for_each_other_and_lose_nothing(tmp_path: Path, database: str) -> None:
    variables = environment(tmp_path, "http://127.0.0.1:8000") | ({"DATABASE_URL": database} if database else {})
    site = Machine(variables, tmp_path)
    site.manage("migrate", "--verbosity", "0")
    site.publish(sample("battery.en.jsonl"), *(f"--recipient=person {number}" for number in range(8)))
    running = [site.start("shell", "--no-imports", "-c", code) for code in (PUBLISHER, ADMIN) for _one in range(4)]
    for process in running:
        out, err = process.communicate(timeout=120)
        assert (out.strip(), process.returncode) == ("done", 0), err
        assert "locked" not in err
    found = site.ask(FOUND)
    published = 4 * ROUNDS * 2
    assert (found["shares"], found["published"]) == (8 + published, 8 + published)
    assert (found["views"], found["days"]) == (published, published)
    assert found["revoked"] == found["ended"] > 0
    site.manage("check_audit")
