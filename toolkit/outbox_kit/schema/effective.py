"""All that holds for an outbox: what its schema file says, and the default of all it leaves out."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from outbox_kit.schema.layers import Layers, depth
from outbox_kit.schema.model import Outbox

SHORTENED = "{...}"  # a payload's whole JSON Schema


class SettingSource(StrEnum):
    """Where a setting is from."""

    file = "file"
    environment = "environment"
    default = "default"


@dataclass(frozen=True)
class Setting:
    """A setting of an outbox."""

    path: str
    value: str
    """As JSON."""
    source: SettingSource

    @property
    def mark(self) -> str:
        """What marks a setting that is not of the file itself."""
        return "" if self.source is SettingSource.file else f"  ({self.source.value})"


def settings(outbox: Outbox, layers: Layers | None = None) -> Iterator[Setting]:
    """Each setting of an outbox. layers: its document, which says what an environment has set."""
    explicit = outbox.model_dump(mode="json", by_alias=True, exclude_unset=True)
    overlay = layers.overlay if layers is not None else None
    for path, value, is_explicit in _settings(outbox.model_dump(mode="json", by_alias=True), explicit, ()):
        source = SettingSource.file if is_explicit else SettingSource.default
        if is_explicit and overlay is not None and _sets(overlay, path):
            source = SettingSource.environment
        yield Setting(".".join(map(str, path)), value, source)


def _sets(overlay: Any, path: tuple[int | str, ...]) -> bool:
    """Whether an overlay sets a value, or replaces the list that has it."""
    reached = depth(overlay, path)
    node = overlay
    for step in path[:reached]:
        if isinstance(node, list):
            return True
        node = node[step]
    return reached == len(path) or isinstance(node, list)


def _settings(
    document: dict[str, Any], explicit: Any, path: tuple[int | str, ...]
) -> Iterator[tuple[tuple[int | str, ...], str, bool]]:
    for name, value in document.items():
        is_explicit = isinstance(explicit, dict) and name in explicit
        below = explicit[name] if is_explicit else None
        if isinstance(value, dict) and value and name != "payload":
            yield from _settings(value, below, (*path, name))
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for number, item in enumerate(value):
                yield from _settings(item, below[number] if below else None, (*path, name, number))
        else:
            text = SHORTENED if isinstance(value, dict) and value else json.dumps(value, ensure_ascii=False)
            yield (*path, name), text, is_explicit
