"""The functions that make messages of a table's rows, compiled once for each form of the table."""

from collections.abc import Callable
from typing import Any

from outbox_kit.databases.changes import TableColumns
from outbox_kit.errors import UsageProblem
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

    def of(self, table: TableColumns) -> Route:
        """The function for rows of a table. Raises UsageProblem."""
        route = self._routes.get(table)
        if route is None:
            outbox = self._outbox
            topic, release = connector_topics(outbox).rows, Version.of(outbox.connect.debezium)
            route = self._routes[table] = of_config(
                lambda: compiled(outbox.database.dialect, self._config, release, topic, table.columns)
            )
        return route


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
