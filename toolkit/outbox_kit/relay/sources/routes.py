"""The functions that make messages of a table's rows, compiled once for each form of the table."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from outbox_kit.databases.changes import TableColumns
from outbox_kit.errors import UsageProblem
from outbox_kit.router.chain import Outcome
from outbox_kit.router.column_types import NoSuchType
from outbox_kit.router.compiled import Route, compiled
from outbox_kit.router.values import Failure, NotModelled
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire.connector_topics import connector_topics
from outbox_kit.wire.shape import Config


class RowRoutes:
    """The routes of one outbox."""

    def __init__(self, outbox: Outbox, config: Config) -> None:
        """config: the connector's that the schema file generates."""
        self._outbox, self._config = outbox, config
        self._routes: dict[TableColumns, Route] = {}
        self._newest: TableColumns | None = None

    def forget(self) -> None:
        """Forget which form the table had last."""
        self._newest = None

    def of(self, table: TableColumns) -> Route:
        """The function for rows of a table, which is the newest form of it. Raises UsageProblem."""
        self._newest = table
        route = self._routes.get(table)
        if route is None:
            outbox = self._outbox
            topic, release = connector_topics(outbox).rows, Version.of(outbox.connect.debezium)
            route = self._routes[table] = of_config(
                lambda: compiled(outbox.database.dialect, self._config, release, topic, table.columns)
            )
        return route

    def outcome(self, row: Mapping[str, str | None], columns: Callable[[], TableColumns]) -> Outcome:
        """What becomes of the texts of a row, by column. columns: those of the table now. Raises UsageProblem."""
        table = self._newest or columns()
        texts = [None if (text := row.get(name)) is None else text.encode() for name in table.names]
        return self.of(table)(texts, time.time_ns() // 1_000_000)


def of_config(make: Callable[[], Any]) -> Any:
    """What a config is compiled to. Raises UsageProblem."""
    try:
        return make()
    except Failure as failure:
        raise UsageProblem(
            "the event router would not start with this configuration",
            why=f"{failure.kind}: {failure.message}",
            fix="see outbox-kit check, and connect.config in the schema file",
        ) from None
    except (NotModelled, NoSuchType) as reason:
        raise UsageProblem(
            "the relay cannot publish with this configuration",
            why=f"outbox-kit does not model {reason}",
            fix="remove the option from connect.config, or use delivery.by: connector",
        ) from None
