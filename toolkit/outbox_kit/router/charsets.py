"""Java's encodings of text, by their names. Pure."""

from collections.abc import Callable, Mapping

from outbox_kit.lazy_pattern import lazy_pattern
from outbox_kit.router.javatext import utf8

HALF_PAIR = lazy_pattern(r"[\ud800-\udfff]")


def encoder(name: str) -> Callable[[str], bytes] | None:
    """From a text to its bytes in an encoding; None for one that is not known here. name: in any case."""
    return ENCODERS.get(name.lower())


def _single_byte(charset: str) -> Callable[[str], bytes]:
    """What the encoding does not have becomes a question mark. charset: by Python's name."""
    return lambda text: text.encode(charset, "replace")


def _double_byte(charset: str) -> Callable[[str], bytes]:
    """Half a surrogate pair becomes U+FFFD. charset: by Python's name."""
    return lambda text: HALF_PAIR.sub("\ufffd", text).encode(charset)


def _marked(text: str) -> bytes:
    """UTF-16 with a byte order mark, the most significant byte first; an empty text has no mark."""
    return _double_byte("utf-16-be")(f"\ufeff{text}") if text else b""


ENCODERS: Mapping[str, Callable[[str], bytes]] = {
    **dict.fromkeys(("utf-8", "utf8"), utf8),
    **dict.fromkeys(("iso-8859-1", "iso8859_1", "latin1"), _single_byte("latin-1")),
    **dict.fromkeys(("us-ascii", "ascii"), _single_byte("ascii")),
    "utf-16": _marked,
    "utf-16be": _double_byte("utf-16-be"),
    "utf-16le": _double_byte("utf-16-le"),
}
"""By the names in lower case."""
