"""What a branch inherits, through every thread it came from."""

from shareview.chat.lineage import Stretch, lineage
from shareview.chat.sessions import Fork, Thread, ThreadState


def thread(id: str, parent: str | None = None, fork: str = "", state: ThreadState = ThreadState.ACTIVE) -> Thread:
    return Thread(id, "", parent, Fork(fork, None) if fork else None, state)


def line(of: str, *threads: Thread) -> tuple[Stretch, ...]:
    return lineage(of, {thread.id: thread for thread in threads})


def test_a_fork_in_a_fork_inherits_from_both() -> None:
    found = line("E", thread("A"), thread("B", "A", "A2"), thread("E", "B", "B4"))
    assert found == (Stretch("A", "A2"), Stretch("B", "B4"), Stretch("E"))


def test_a_thread_without_a_known_fork_inherits_nothing() -> None:
    assert line("B", thread("A"), thread("B", "A")) == (Stretch("B"),)


def test_nothing_is_inherited_from_a_deleted_thread_or_one_outside_the_share() -> None:
    deleted = thread("D", state=ThreadState.DELETED)
    assert line("B", deleted, thread("B", "D", "D1")) == (Stretch("B"),)
    assert line("B", thread("B", "A", "A1")) == (Stretch("B"),)


def test_threads_that_descend_from_each_other_come_to_an_end() -> None:
    assert line("B", thread("A", "B", "B1"), thread("B", "A", "A1")) == (Stretch("A", "A1"), Stretch("B"))
