"""Tokens of share links: 192 bits, derived and never stored.

The database holds a share's random nonce, and for look-up the SHA-256 of its token. The token is an HMAC of the
nonce under a key of its own, so whoever holds the key can show a link again, and whoever reads the database cannot.
"""

import base64
import hashlib
import hmac
from typing import Final

_TOKEN_BYTES: Final = 24
NONCE_BYTES: Final = 24
TOKEN_LENGTH: Final = 32


def derive_token(nonce: str, key: str) -> str:
    """The token (32 characters of base64url) of the share with ``nonce`` (hex)."""
    mac = hmac.new(key.encode(), b"shareview share token\n" + bytes.fromhex(nonce), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(mac[:_TOKEN_BYTES]).decode()


def hash_token(token: str) -> str:
    """What the database holds of ``token``."""
    return hashlib.sha256(token.encode()).hexdigest()
