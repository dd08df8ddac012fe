"""The outbox-kit's own data in YAML: mappings, lists, texts, whole numbers, flags, and aliases of mappings and lists.

The values are built from the events of the parser in C: a third of the time that a constructor for all of YAML takes,
which every command would spend.
"""

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from outbox_kit.lazy_pattern import lazy_pattern

WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
WHOLE = lazy_pattern(r"[-+]?\d+")
NO_KEY = object()


def values(path: Path) -> Any:
    """The values of a file. An alias is the same object as what it stands for."""
    root: Any = None
    anchored: dict[str, Any] = {}
    open_collections: list[tuple[Any, list[Any]]] = []  # each with the key whose value comes next
    for event in YAML(typ="safe").parse(path.read_text(encoding="utf-8")):
        kind = event.__class__
        if kind is ScalarEvent:
            value = _scalar(event)
        elif kind is MappingStartEvent:
            open_collections.append((_anchored(event, {}, anchored), [NO_KEY]))
            continue
        elif kind is SequenceStartEvent:
            open_collections.append((_anchored(event, [], anchored), [NO_KEY]))
            continue
        elif kind is AliasEvent:
            value = anchored[event.anchor]
        elif kind in (MappingEndEvent, SequenceEndEvent):
            value = open_collections.pop()[0]
        else:
            continue
        if not open_collections:
            root = value
            continue
        collection, key = open_collections[-1]
        if isinstance(collection, list):
            collection.append(value)
        elif key[0] is NO_KEY:
            key[0] = value
        else:
            collection[key[0]], key[0] = value, NO_KEY
    return root


def _anchored(event: Any, collection: Any, anchored: dict[str, Any]) -> Any:
    """A collection, which is noted under its anchor."""
    if event.anchor:
        anchored[event.anchor] = collection
    return collection


def _scalar(event: Any) -> Any:
    """The value of a text: one without quotes may be a word or a number."""
    text = event.value
    if not event.implicit[0]:
        return text
    if text in WORDS:
        return WORDS[text]
    return int(text) if WHOLE.fullmatch(text) else text
