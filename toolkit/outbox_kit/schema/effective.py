"""All that holds for an outbox: what its schema file says, and the default of all it leaves out."""

import json
from collections.abc import Iterator
from typing import Any

from outbox_kit.schema.model import Outbox

SHORTENED = "{...}"  # a payload's whole JSON Schema


def settings(outbox: Outbox) -> Iterator[tuple[str, str, str]]:
    """Each setting: its path, its value as JSON, and the word that marks a default (else empty)."""
    said = outbox.model_dump(mode="json", by_alias=True, exclude_unset=True)
    yield from _settings(outbox.model_dump(mode="json", by_alias=True), said, "")


def _settings(whole: dict[str, Any], said: Any, path: str) -> Iterator[tuple[str, str, str]]:
    for name, value in whole.items():
        known = isinstance(said, dict) and name in said
        below = said[name] if known else None
        if isinstance(value, dict) and value and name != "payload":
            yield from _settings(value, below, f"{path}{name}.")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for number, item in enumerate(value):
                yield from _settings(item, below[number] if below else None, f"{path}{name}.{number}.")
        else:
            shown = SHORTENED if isinstance(value, dict) and value else json.dumps(value, ensure_ascii=False)
            yield f"{path}{name}", shown, "" if known else "  (default)"
