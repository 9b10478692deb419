"""What is to be done about what was found."""

from dataclasses import dataclass

from shareview.leaks.findings import LeakClass


@dataclass(frozen=True)
class LeakHandling:
    """Whether what was found is taken out (``redact``), or published as it is (``acknowledge``).

    Secrets stop a publication where neither is asked for; personal data does so where ``personal_stops``, and is
    listed only where not.
    """

    redact: bool = False
    acknowledge: bool = False
    personal_stops: bool = False

    def concerns(self, of: LeakClass) -> bool:
        """Whether leaks of that class stop a publication, or are taken out of it."""
        return of is LeakClass.SECRET or self.personal_stops
