"""Facts from a sample of rows: counts, and the names of events. Never the content of a payload. Pure."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from outbox_kit.databases.catalogue import CUT, RowSample

COMPRESSED = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"\x04\x22\x4d\x18": "LZ4", b"\x78\x9c": "zlib"}
FRAME = 5  # bytes before a body that a Schema Registry's serialiser wrote: a zero, and the schema's id
LONGEST_NAME = 255


class Evidence:
    """The answers of one table's sample."""

    def __init__(self, sample: RowSample) -> None:
        self._rows = sample.rows
        self.unread = sample.unread

    @cached_property
    def count(self) -> int:
        """The number of sampled rows."""
        return len(self._rows)

    def empty(self, column: str) -> int:
        """The number of rows in which a column is null or empty."""
        return sum(row.get(column) in (None, "", b"") for row in self._rows)

    def repeated(self, column: str) -> int:
        """The number of rows whose value another row has as well."""
        counts = Counter(row.get(column) for row in self._rows)
        return sum(number for value, number in counts.items() if number > 1 and value is not None)

    def names(self, *columns: str) -> list[tuple[str, ...]]:
        """The combinations of values of some columns of names, each once, sorted; without rows with an invalid name."""
        return _names(self._rows, columns)

    def element_names(self, column: str, *members: str) -> list[tuple[str, ...]]:
        """The same of the members of an array's elements."""
        return _names(self._elements(column), members)

    def arrays(self, column: str) -> int:
        """The number of rows in which a column contains a JSON array of objects."""
        return sum(_text(row.get(column)).replace(" ", "").startswith("[{") for row in self._rows)

    def documents(self, column: str) -> int:
        """The number of rows in which a column contains JSON: an object or an array, as far as it was read."""
        return sum(1 for _ in self._documents(column))

    def members(self, column: str) -> list[str]:
        """The members that every sampled document has; sorted."""
        return _shared([document for document in self._documents(column) if isinstance(document, dict)])

    def element_members(self, column: str) -> list[str]:
        """The members that every element of every sampled array has; sorted."""
        return _shared(list(self._elements(column)))

    def compressed(self, column: str) -> str:
        """The compression of a binary column in most rows; empty if it is not compressed."""
        heads = Counter(_compression(row.get(column)) for row in self._rows)
        name, number = heads.most_common(1)[0] if heads else ("", 0)
        return name if number > self.count / 2 else ""

    def framed(self, column: str) -> bool:
        """Whether a binary column has the wire format of a Schema Registry in every row."""
        values = [row.get(column) for row in self._rows]
        return bool(values) and all(
            isinstance(value, bytes) and len(value) > FRAME and value.startswith(b"\0") for value in values
        )

    def _elements(self, column: str) -> Iterator[dict[str, Any]]:
        for array in self._documents(column):
            yield from (element for element in array if isinstance(array, list) and isinstance(element, dict))

    def _documents(self, column: str) -> Iterator[Any]:
        for row in self._rows:
            text = _text(row.get(column)).strip()
            if len(text) >= CUT and text[:1] in ("{", "["):  # too long to be read completely
                yield text[0]
                continue
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(value, dict | list):
                yield value


def _text(value: str | bytes | None) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value or ""


def _names(rows: Iterable[Mapping[str, Any]], columns: Sequence[str]) -> list[tuple[str, ...]]:
    values: set[tuple[Any, ...]] = {
        tuple(row.get(column) for column in columns if _is_name(row.get(column))) for row in rows
    }
    return sorted(names for names in values if len(names) == len(columns))


def _shared(documents: list[dict[str, Any]]) -> list[str]:
    shared = set.intersection(*map(set, documents)) if documents else set()
    return sorted(name for name in shared if _is_name(name))


def _is_name(text: Any) -> bool:
    return isinstance(text, str) and 0 < len(text) <= LONGEST_NAME and text.isprintable()


def _compression(value: str | bytes | None) -> str:
    if not isinstance(value, bytes):
        return ""
    return next((name for head, name in COMPRESSED.items() if value.startswith(head)), "")
