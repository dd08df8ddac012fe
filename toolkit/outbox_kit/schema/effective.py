"""All that holds for an outbox: what its schema file says, and the default of all it leaves out."""

import json
from collections.abc import Iterator
from typing import Any

from outbox_kit.schema.model import Outbox

SHORTENED = "{...}"  # a payload's whole JSON Schema


def settings(outbox: Outbox) -> Iterator[tuple[str, str, str]]:
    """Each setting: its path, its value as JSON, and the word that marks a default (else empty)."""
    explicit = outbox.model_dump(mode="json", by_alias=True, exclude_unset=True)
    yield from _settings(outbox.model_dump(mode="json", by_alias=True), explicit, "")


def _settings(document: dict[str, Any], explicit: Any, path: str) -> Iterator[tuple[str, str, str]]:
    for name, value in document.items():
        is_explicit = isinstance(explicit, dict) and name in explicit
        below = explicit[name] if is_explicit else None
        if isinstance(value, dict) and value and name != "payload":
            yield from _settings(value, below, f"{path}{name}.")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for number, item in enumerate(value):
                yield from _settings(item, below[number] if below else None, f"{path}{name}.{number}.")
        else:
            text = SHORTENED if isinstance(value, dict) and value else json.dumps(value, ensure_ascii=False)
            yield f"{path}{name}", text, "" if is_explicit else "  (default)"
