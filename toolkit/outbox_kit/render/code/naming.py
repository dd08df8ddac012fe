"""Names of a schema file converted to unique names of a programming language. Pure."""

import unicodedata
from collections.abc import Callable, Iterable

from outbox_kit.lazy_pattern import lazy_pattern

WORDS = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(text: str) -> list[str]:
    """`It's orderID-2` is it, s, order, id, 2. Accents and letters outside ASCII are removed."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return [word.lower() for word in WORDS.findall(plain)]


def pascal(text: str) -> str:
    """`order-id` is OrderId. A name that would not start with a letter gets an X."""
    return _begun("".join(word.capitalize() for word in words(text)), "X")


def camel(text: str) -> str:
    """`order-id` is orderId."""
    name = pascal(text)
    return name[:1].lower() + name[1:]


def snake(text: str) -> str:
    """`orderId` is order_id."""
    return _begun("_".join(words(text)), "x")


def upper(text: str) -> str:
    """`orderId` is ORDER_ID."""
    return snake(text).upper()


def go(text: str) -> str:
    """`orderId` is OrderID, as in Go's standard library."""
    initialisms = {"id", "uuid", "url", "uri", "http", "json", "xml", "html", "ip", "api"}
    return _begun("".join(w.upper() if w in initialisms else w.capitalize() for w in words(text)), "X")


def _begun(name: str, letter: str) -> str:
    return name if name[:1].isalpha() else letter + name


class Scope:
    """Gives each name once. taken: names that are in use; the comparison ignores case."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {name.lower() for name in taken}

    def name(self, text: str, style: Callable[[str], str] = pascal) -> str:
        """A name for a text in a style, with a number appended if it is in use."""
        styled = style(text)
        free = next(n for n in (styled, *(f"{styled}{k}" for k in range(2, 10_000))) if n.lower() not in self._taken)
        self._taken.add(free.lower())
        return free
