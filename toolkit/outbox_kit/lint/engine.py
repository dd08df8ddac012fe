"""Debezium's engine in an application: its own settings stand beside the connector's options. Pure."""

from collections.abc import Iterable
from dataclasses import replace

from outbox_kit.lint import document as documents
from outbox_kit.lint import server
from outbox_kit.lint.document import Document, Entry
from outbox_kit.lint.excerpt import Excerpt

STORAGE = "offset.storage"
"""The setting that only the engine needs: a worker has it for all connectors."""


def document(kind: str, options: Iterable[Entry], excerpt: Excerpt, *, runs: bool = False) -> Document:
    """The config of a connector, without the settings of the engine if it runs in one.

    excerpt: in which they stand. runs: whether the engine runs it, whatever the options say.
    """
    entries = list(options)
    name = next((entry.value for entry in entries if entry.key == "name"), None)
    if not (runs or any(entry.key == STORAGE for entry in entries)):
        return documents.document(kind, name, entries, excerpt)
    settings = [entry for entry in entries if entry.key.startswith(server.OWN)]
    rest = [entry for entry in entries if entry not in settings]
    values = {STORAGE: ""} | {entry.key: entry.value for entry in settings}
    return replace(documents.document(kind, name, rest, excerpt), settings=values)
