"""What Kafka Connect's answers must look like, one function for each endpoint. Pure.

Whatever answers in a worker's place - a proxy's page, another service, a worker that is broken - is never taken for an
answer: each function raises Malformed for what it cannot read.
"""

from collections.abc import Callable, Mapping
from typing import Any

NO_SUCH_PATH = "HTTP 404 Not Found"  # the worker's words where it is the path that it does not know


class Malformed(ValueError):
    """An answer that is none. expected: what it should have been. found: what it is, without its values."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}; found {found}")
        self.expected, self.found = expected, found


def worker(document: Any) -> dict[str, Any]:
    """Version and cluster of a worker."""
    found = _object(document, "a worker's version")
    _text(found, "version", "a worker's version")
    return found


def config(document: Any) -> dict[str, str]:
    """A connector's config, without options that have no value."""
    what = "a connector's config"
    found = _object(document, what)
    given = {key: value for key, value in found.items() if value is not None}
    if not given:
        raise Malformed(what, "an empty object")
    return {key: _text(given, key, what) for key in given}


def written(document: Any) -> None:
    """The answer to a config that was written: the connector."""
    found = _object(document, "the connector that was written")
    _text(found, "name", "the connector that was written")
    _object(found.get("config"), "the connector's config, where it was written")


def done(document: Any) -> None:
    """The answer to an order: nothing, or an object."""
    if document is not None:
        _object(document, "nothing, or an object")


def validation(document: Any) -> dict[str, list[str]]:
    """Each key with its errors, and an empty list where it has none."""
    what = "a list of options with their errors"
    found = _object(document, what)
    entries = _list(found.get("configs"), what)
    errors: dict[str, list[str]] = {}
    for entry in entries:
        held = _object(entry, "an option with its errors")
        if "value" not in held:
            raise Malformed("an option with its errors", _named(held))
        if held["value"] is not None:
            value = _object(held["value"], "an option with its errors")
            name = _text(value, "name", "an option with its errors")
            texts = _list(value.get("errors"), "an option's errors")
            errors[name] = [_is(one, str, "an option's error as text") for one in texts]
    count = found.get("error_count", 0)
    if not errors or (count and not any(errors.values())):
        raise Malformed(what, f"{len(errors)} options, with {count} errors that are not named")
    return errors


def status(document: Any) -> dict[str, Any]:
    """State of a connector and its tasks: `connector` and `tasks`, each part with `state` and `worker_id`."""
    what = "a connector's status"
    found = _object(document, what)
    parts = [found.get("connector"), *_list(found.get("tasks"), "the status of tasks")]
    for part in parts:
        held = _object(part, "the status of a connector or a task")
        for name in ("state", "worker_id"):
            _text(held, name, "the status of a connector or a task")
        if held.get("trace") is not None:
            _text(held, "trace", "the status of a connector or a task")
    return found


def offsets(document: Any) -> list[dict[str, Any]]:
    """The stored offsets: objects with `offset`, an object or null."""
    what = "a list of stored offsets"
    found = _list(_object(document, what).get("offsets"), what)
    for entry in found:
        held = _object(entry, "a stored offset")
        if "offset" not in held:
            raise Malformed("a stored offset", _named(held))
        if held["offset"] is not None:
            _object(held["offset"], "a stored offset")
    return found


def topics(connector: str) -> Callable[[Any], list[str]]:
    """The topics of one connector."""

    def parsed(document: Any) -> list[str]:
        what = f"the topics of '{connector}'"
        found = _object(_object(document, what).get(connector), what)
        return sorted(_is(one, str, "a topic's name") for one in _list(found.get("topics"), what))

    return parsed


def missing(document: Any) -> bool:
    """Whether an answer with 404 is a worker's, about something that is not there: and not about the path itself."""
    return (
        isinstance(document, Mapping)
        and document.get("error_code") == 404
        and isinstance(document.get("message"), str)
        and document["message"] != NO_SUCH_PATH
    )


def described(value: Any) -> str:
    """What kind of a value it is, without the value."""
    if isinstance(value, Mapping):
        return _named(value)
    if isinstance(value, list):
        return f"a list of {len(value)}"
    kinds = {type(None): "null", bool: "true or false", str: "text", int: "a number", float: "a number"}
    return kinds.get(type(value), type(value).__name__)


def _named(found: Mapping[str, Any]) -> str:
    keys = [repr(key)[:40] for key in list(found)[:3]]
    return f"an object with {', '.join(keys)}" if keys else "an empty object"


def _is(value: Any, kind: type[Any], what: str) -> Any:
    if not isinstance(value, kind):
        raise Malformed(what, described(value))
    return value


def _object(value: Any, what: str) -> dict[str, Any]:
    found: dict[str, Any] = _is(value, dict, what)
    return found


def _list(value: Any, what: str) -> list[Any]:
    found: list[Any] = _is(value, list, what)
    return found


def _text(found: Mapping[str, Any], name: str, what: str) -> str:
    if not isinstance(found.get(name), str):
        raise Malformed(
            f"{what}, with '{name}' as text", described(found.get(name)) if name in found else _named(found)
        )
    return str(found[name])
