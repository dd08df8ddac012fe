"""Addresses that may hold a password, `scheme://user:password@host:port/path`: an error never shows it."""

import re
from urllib.parse import SplitResult, urlsplit

from outbox_kit.lazy_pattern import lazy_pattern

ESCAPES = "a '@', '/', '?' or '#' in the user, the password or an option must be written %40, %2F, %3F or %23"
_END = lazy_pattern(r"[/?#]")
_PERCENT = lazy_pattern(r"%(?![0-9a-fA-F]{2})")


def flaw(address: str, *, fragments: bool = True, several: bool = True) -> str:
    """Why the end of an address's password is ambiguous; empty if it is not, or if the address is not a URL.

    fragments: whether a `#` ends the host. several: whether all but the last `@` before the path are the password's.
    """
    rest = address.partition("://")[2]
    end = _END.search(rest) if fragments else re.search(r"[/?]", rest)
    authority, behind = (rest[: end.start()], rest[end.start() :]) if end else (rest, "")
    if "@" in behind or "#" in (behind if fragments else "") or (authority.count("@") > 1 and not several):
        return ESCAPES
    if _PERCENT.search(authority):
        return "a '%' in the user or the password must be written %25"
    return ""


def http(url: str) -> SplitResult | None:
    """A service's address, taken apart; None where it is not http://HOST:PORT/PATH, or it is unclear."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        return None
    usable = usable and not parts.query and not parts.fragment
    return parts if usable and not flaw(url) and url.isprintable() and " " not in url else None
