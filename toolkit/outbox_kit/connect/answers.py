"""What Kafka Connect's answers must look like, one function for each endpoint. Pure.

Whatever answers in a worker's place - a proxy's page, another service, a worker that is broken - is never taken for an
answer: each function raises Malformed for what it cannot read.
"""

from collections.abc import Callable, Mapping
from typing import Any

NO_SUCH_PATH = "HTTP 404 Not Found"  # the worker's words where it is the path that it does not know


class Malformed(ValueError):
    """An answer that is not what it should be."""

    def __init__(self, expected: str, actual: str) -> None:
        """expected: what the answer should have been. actual: what it is, without its values."""
        super().__init__(f"expected {expected}; found {actual}")
        self.expected, self.actual = expected, actual


def worker(document: Any) -> dict[str, Any]:
    """Version and cluster of a worker."""
    answer = _object(document, "a worker's version")
    _text(answer, "version", "a worker's version")
    return answer


def config(document: Any) -> dict[str, str]:
    """A connector's config, without options that have no value."""
    what = "a connector's config"
    options = _object(document, what)
    values = {key: value for key, value in options.items() if value is not None}
    if not values:
        raise Malformed(what, "an empty object")
    return {key: _text(values, key, what) for key in values}


def written(document: Any) -> None:
    """The answer to a config that was written: the connector."""
    connector = _object(document, "the connector that was written")
    _text(connector, "name", "the connector that was written")
    _object(connector.get("config"), "the connector's config, where it was written")


def acknowledgement(document: Any) -> None:
    """The answer to a request without a result: nothing, or an object."""
    if document is not None:
        _object(document, "nothing, or an object")


def validation(document: Any) -> dict[str, list[str]]:
    """Each key with its errors, and an empty list where it has none."""
    what = "a list of options with their errors"
    answer = _object(document, what)
    entries = _list(answer.get("configs"), what)
    errors: dict[str, list[str]] = {}
    for entry in entries:
        option = _object(entry, "an option with its errors")
        if "value" not in option:
            raise Malformed("an option with its errors", _object_text(option))
        if option["value"] is not None:
            value = _object(option["value"], "an option with its errors")
            name = _text(value, "name", "an option with its errors")
            texts = _list(value.get("errors"), "an option's errors")
            errors[name] = [_is(text, str, "an option's error as text") for text in texts]
    count = answer.get("error_count", 0)
    if not errors or (count and not any(errors.values())):
        raise Malformed(what, f"{len(errors)} options, with {count} errors that are not named")
    return errors


def status(document: Any) -> dict[str, Any]:
    """State of a connector and its tasks: `connector` and `tasks`, each part with `state` and `worker_id`."""
    what = "a connector's status"
    answer = _object(document, what)
    parts = [answer.get("connector"), *_list(answer.get("tasks"), "the status of tasks")]
    for part in parts:
        part_status = _object(part, "the status of a connector or a task")
        for name in ("state", "worker_id"):
            _text(part_status, name, "the status of a connector or a task")
        if part_status.get("trace") is not None:
            _text(part_status, "trace", "the status of a connector or a task")
    return answer


def task_configs(document: Any) -> list[dict[str, str]]:
    """The config of each task."""
    what = "a list of tasks with their configs"
    return [config(_object(task, what).get("config")) for task in _list(document, what)]


def offsets(document: Any) -> list[dict[str, Any]]:
    """The stored offsets: objects with `offset`, an object or null."""
    what = "a list of stored offsets"
    entries = _list(_object(document, what).get("offsets"), what)
    for entry in entries:
        stored = _object(entry, "a stored offset")
        if "offset" not in stored:
            raise Malformed("a stored offset", _object_text(stored))
        if stored["offset"] is not None:
            _object(stored["offset"], "a stored offset")
    return entries


def topics(connector: str) -> Callable[[Any], list[str]]:
    """The topics of one connector."""

    def parsed(document: Any) -> list[str]:
        what = f"the topics of '{connector}'"
        answer = _object(_object(document, what).get(connector), what)
        return sorted(_is(topic, str, "a topic's name") for topic in _list(answer.get("topics"), what))

    return parsed


def plugins(document: Any) -> list[dict[str, Any]]:
    """The plugins of a worker, each with `class`, and `version` where it has one."""
    what = "a list of plugins"
    entries = [_object(entry, what) for entry in _list(document, what)]
    for entry in entries:
        _text(entry, "class", "a plugin")
    return entries


def connectors(document: Any) -> dict[str, dict[str, str]]:
    """The config of each connector by its name, without the name among the options."""
    what = "a list of connectors with their configs"
    entries = {name: _object(entry, what) for name, entry in _object(document, what).items()}
    configs = {name: config(_object(entry.get("info"), what).get("config")) for name, entry in entries.items()}
    return {name: {key: value for key, value in options.items() if key != "name"} for name, options in configs.items()}


def log_level(document: Any) -> str | None:
    """The level of one logger; None if it inherits its level."""
    answer = _object(document, "a logger's level")
    if "level" not in answer:
        raise Malformed("a logger's level", _object_text(answer))
    return None if answer["level"] is None else _text(answer, "level", "a logger's level")


def anything(document: Any) -> None:
    """An answer of which only the status is used."""


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
        return _object_text(value)
    if isinstance(value, list):
        return f"a list of {len(value)}"
    kinds = {type(None): "null", bool: "true or false", str: "text", int: "a number", float: "a number"}
    return kinds.get(type(value), type(value).__name__)


def _object_text(document: Mapping[str, Any]) -> str:
    keys = [repr(key)[:40] for key in list(document)[:3]]
    return f"an object with {', '.join(keys)}" if keys else "an empty object"


def _is(value: Any, kind: type[Any], what: str) -> Any:
    if not isinstance(value, kind):
        raise Malformed(what, described(value))
    return value


def _object(value: Any, what: str) -> dict[str, Any]:
    document: dict[str, Any] = _is(value, dict, what)
    return document


def _list(value: Any, what: str) -> list[Any]:
    items: list[Any] = _is(value, list, what)
    return items


def _text(document: Mapping[str, Any], name: str, what: str) -> str:
    if not isinstance(document.get(name), str):
        raise Malformed(
            f"{what}, with '{name}' as text",
            described(document.get(name)) if name in document else _object_text(document),
        )
    return str(document[name])
