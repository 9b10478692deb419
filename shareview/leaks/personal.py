"""All personal data of a text."""

from shareview.leaks.accounts import find_cards, find_ibans
from shareview.leaks.emails import find_emails
from shareview.leaks.findings import Leak, keep_longest
from shareview.leaks.phones import find_phones


def find_personal(text: str) -> list[Leak]:
    """Addresses of e-mail, telephone numbers, numbers of cards (Luhn) and of bank accounts (IBAN) in ``text``.

    They come in ascending order and never overlap: the longest finding stays. Each span covers the datum alone. The
    time grows with the length of ``text``, whatever it holds.
    """
    return keep_longest([*find_emails(text), *find_phones(text), *find_ibans(text), *find_cards(text)])
