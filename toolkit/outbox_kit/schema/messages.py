"""What is wrong with single values of a file, in plain words. The only place that reads pydantic's errors."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel

from outbox_kit.schema.characters import IN_WORDS
from outbox_kit.schema.fields import PATTERNS_IN_WORDS
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.nearest import nearest, suggestion
from outbox_kit.schema.problem import Mismatch, SchemaProblem, Steps, quoted

SECRET = ("database", "password")
EXPECTED = {
    "int_type": "an integer",
    "int_parsing": "an integer",
    "int_parsing_size": "an integer",
    "int_from_float": "an integer",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "a text",
    "dict_type": "a mapping of keys to values",
    "model_type": "a mapping of keys to values",
    "model_attributes_type": "a mapping of keys to values",
    "tuple_type": "a list",
    "list_type": "a list",
    "string_too_short": "a text that is not empty",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "greater_than": "more than {gt}",
    "less_than": "less than {lt}",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a number",
    "string_too_long": "at most {max_length} characters",
    "too_short": "at least {min_length} element",
}
VALUE_ERROR = "value_error"


def problems(errors: Sequence[Any], model: type[BaseModel] = Outbox) -> Iterator[SchemaProblem]:
    """The mistakes that pydantic found, as those of the file. errors: of a ValidationError of the model."""
    places = [error["loc"] for error in errors]
    for error in errors:
        location: Steps = error["loc"]
        cause = error.get("ctx", {}).get("error")
        if isinstance(cause, Mismatch):
            yield from (problem.below(location) for problem in cause.problems)
        elif error["type"] != "too_short" or not any(_is_below(place, location) for place in places):
            yield SchemaProblem(
                _sentence(location, error, model), location
            )  # a list is only short if its elements were refused


def dotted(location: Steps) -> str:
    """A place in the file as a key's path: `events.0.type`."""
    return ".".join(repr(step)[1:-1] if isinstance(step, str) else str(step) for step in location)


def _is_below(place: Steps, location: Steps) -> bool:
    return len(place) > len(location) and place[: len(location)] == location


def _sentence(location: Steps, error: Any, model: type[BaseModel]) -> str:
    key = dotted(location) or "the document"
    kind, context, value = error["type"], error.get("ctx", {}), _value(location, error["input"])
    if kind == "extra_forbidden":
        return _unknown(location, model)
    if kind == "missing":
        return f"'{key}' is missing"
    if kind == "literal_error":
        allowed = [word.strip("' ") for word in context["expected"].replace(" or ", ", ").split(",")]
        return f"invalid '{key}'{value}: expected {', '.join(allowed)}{suggestion(str(error['input']), allowed)}"
    if kind == VALUE_ERROR:
        text = str(context["error"])
        return f"invalid '{key}': {text}" if text.startswith("expected") else f"'{key}': {text}"
    if kind == "string_pattern_mismatch":
        words = {**IN_WORDS, **PATTERNS_IN_WORDS}
        expected = words.get(context["pattern"], f"a text that matches {context['pattern']}")
        return f"invalid '{key}'{'' if '@' in str(error['input']) else value}: expected {expected}"
    if kind in EXPECTED:
        return f"invalid '{key}'{value}: expected {EXPECTED[kind].format(**context)}"
    return f"invalid '{key}'{value}: {error['msg'][0].lower()}{error['msg'][1:]}"


def _value(location: Steps, value: object) -> str:
    """A value as a message shows it, with a blank before it; empty for a secret, a list and a mapping."""
    if location[:2] == SECRET or isinstance(value, Mapping | list | tuple):
        return ""
    return f" {quoted(json.dumps(value) if value is None or isinstance(value, bool) else value)}"


def _unknown(location: Steps, model: type[BaseModel]) -> str:
    """An unknown key: in the wrong section, or misspelled."""
    key, section = str(location[-1]), location[:-1]
    problem = f"unknown key '{dotted(location[-1:])}'"
    for depth in range(len(section) - 1, -1, -1):
        if key in _keys(section[:depth], model):
            home = place_text(section[:depth])
            return f"{problem} in '{dotted(section)}': it belongs to {home}; is it indented too far?"
    homes = [name for name in _keys((), model) if key in _keys((name,), model)]
    if not section and len(homes) == 1:
        return f"{problem}: it belongs to '{homes[0]}'; indent it below '{homes[0]}'"
    return problem + nearest(key, _keys(section, model))


def place_text(place: Steps, outermost: str = "the top level") -> str:
    """A place of the document in words. outermost: the words for the document itself."""
    return f"'{dotted(place)}'" if place else outermost


def _keys(location: Steps, root: type[BaseModel]) -> list[str]:
    """The keys that a model knows at a place."""
    model: Any = root
    for step in location:
        if isinstance(step, int):
            continue
        by_key = {field.alias or name: field for name, field in model.model_fields.items()}
        if step not in by_key:
            return []
        model = next((t for t in _types(by_key[str(step)].annotation) if issubclass(t, BaseModel)), None)
        if model is None:
            return []
    return [field.alias or name for name, field in model.model_fields.items()]


def _types(annotation: Any) -> Iterator[type]:
    if isinstance(annotation, type):
        yield annotation
    for argument in get_args(annotation):
        yield from _types(argument)
