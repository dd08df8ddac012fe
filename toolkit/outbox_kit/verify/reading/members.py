"""Which members payloads have, and which their schema declares: the contract's coverage. Pure.

Members are JSON pointers, with `*` for any element of an array.
"""

from collections.abc import Iterable, Iterator
from typing import Any

EXACT = 2**53  # beyond it, integers are no longer told apart by readers with doubles, as JavaScript's
KEPT = 2**63  # from which on the quick parser may give a double for an integer
DEEP = 8  # levels that are looked at
LONGEST = 200  # characters of a place
APPLIED = ("allOf", "anyOf", "oneOf")


def member_names(document: Any, at: str = "", depth: int = 0) -> Iterator[str]:
    """The members that a document has."""
    if depth > DEEP:
        return
    if isinstance(document, dict):
        for name, value in document.items():
            yield f"{at}/{name}"
            yield from member_names(value, f"{at}/{name}", depth + 1)
    elif isinstance(document, list):
        for value in document:
            yield from member_names(value, f"{at}/*", depth + 1)


def inexact(document: Any) -> list[str]:
    """The members whose integers are larger than every reader can tell apart."""
    return [at for at, value in _large(document) if type(value) is int]


def rounded(document: Any) -> bool:
    """Whether a number may have been an integer of more bits than the quick parser keeps."""
    return any(type(value) is float and abs(value) >= KEPT for _, value in _large(document))


def _large(document: Any) -> Iterator[tuple[str, int | float]]:
    """Every large number of a document, however deep, with its place."""
    if type(document) is not dict and type(document) is not list:
        document = [document]
    waiting: list[tuple[str, Any]] = [("", document)]
    while waiting:
        at, container = waiting.pop()
        is_object = isinstance(container, dict)
        for name, value in container.items() if is_object else enumerate(container):
            kind = type(value)
            if kind is dict or kind is list or ((kind is int or kind is float) and abs(value) > EXACT):
                pointer = f"{at}/{name if is_object else '*'}"[:LONGEST]
                if kind is dict or kind is list:
                    waiting.append((pointer, value))
                else:
                    yield pointer, value


def declared(schema: Any) -> set[str]:
    """The members that a schema names, wherever it names them."""
    return set(_declared(schema, schema, "", 0))


def _declared(schema: Any, root: Any, at: str, depth: int) -> Iterator[str]:
    if not isinstance(schema, dict) or depth > DEEP:
        return
    if isinstance(reference := schema.get("$ref"), str):
        yield from _declared(_target(root, reference), root, at, depth + 1)
    for name, inner in (schema.get("properties") or {}).items():
        yield f"{at}/{name}"
        yield from _declared(inner, root, f"{at}/{name}", depth + 1)
    yield from _declared(schema.get("items"), root, f"{at}/*", depth + 1)
    for inner in (subschema for word in APPLIED for subschema in schema.get(word) or ()):
        yield from _declared(inner, root, at, depth + 1)
    for word in ("then", "else"):
        yield from _declared(schema.get(word), root, at, depth + 1)


def _target(root: Any, reference: str) -> Any:
    """What a reference inside of a schema means; None for any other."""
    target = root
    if not reference.startswith("#"):
        return None
    for step in filter(None, reference[1:].split("/")):
        target = target.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(target, dict) else None
    return target


def undeclared(names_seen: Iterable[str], declared: set[str]) -> list[str]:
    """The undeclared members, without the members inside of an undeclared one."""
    names: list[str] = []
    for pointer in sorted(set(names_seen) - declared):
        if not any(pointer.startswith(f"{other}/") for other in names):
            names.append(pointer)
    return names
