"""The meaning of a schema file, as frozen values. No file is touched here.

One YAML document is one `Outbox`; a file may hold several, separated by `---`.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

from pydantic import model_validator

from outbox_kit.schema import defaults
from outbox_kit.schema.coherence import complaints
from outbox_kit.schema.fields import OutboxFields
from outbox_kit.schema.names import Names, names
from outbox_kit.schema.problem import Mismatch
from outbox_kit.schema.spelling import spelled


class Outbox(OutboxFields):
    """One transactional outbox: its table, its events and its way to Kafka."""

    @model_validator(mode="before")
    @classmethod
    def _of_another(cls, document: Any) -> Any:
        """The defaults that its database, an existing table, or another setting leaves no choice in."""
        document = _with_record(defaults.with_defaults(document))
        table = document.get("table") if isinstance(document, dict) else None
        if not isinstance(table, dict) or table.get("existing") is not True:
            return document
        ordering = document.get("ordering", {})
        return document | {
            "table": {"retention": "external", **table},
            "ordering": {"sequence": None, **ordering} if isinstance(ordering, dict) else ordering,
        }

    @model_validator(mode="after")
    def _as_the_database_has_it(self) -> "Outbox":
        return spelled(self)

    @model_validator(mode="after")
    def _holds_together(self) -> "Outbox":
        if problems := complaints(self):
            raise Mismatch(problems)
        return self

    @cached_property
    def names(self) -> Names:
        """Every name that follows from it."""
        return names(self)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, of which the names are its own."""
        copy = super().model_copy(update=update, deep=deep)
        copy.__dict__.pop("names", None)
        return copy


def _with_record(document: Any) -> Any:
    """A raw schema file, of which `delivery.record` follows from `delivery.mark`."""
    delivery = document.get("delivery") if isinstance(document, dict) else None
    if not isinstance(delivery, dict) or not isinstance(delivery.get("mark"), dict):
        return document
    return document | {"delivery": {"record": "mark", **delivery}}
