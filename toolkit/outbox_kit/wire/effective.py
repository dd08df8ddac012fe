"""Which columns an outbox's event router reads by its whole config, raw options and all. Pure."""

from typing import Any

from outbox_kit.router.chain import router_settings
from outbox_kit.router.settings import OLDEST, RouterColumns
from outbox_kit.router.values import Failure, NotModelled
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire.columns import declared_columns
from outbox_kit.wire.shape import in_release, shape


def router_columns(outbox: Outbox) -> RouterColumns:
    """What the outbox's event router reads.

    A column that the table does not have is left out, and the schema file's holds in its place: so does all of it if
    raw options leave no event router, or one that refuses them. `Routes.assumed` says that then.
    """
    declared, raw = declared_columns(outbox), outbox.connect.config
    if not any(option.startswith("transforms") for option in raw):
        return declared
    release = max(Version.of(outbox.connect.debezium), OLDEST)
    try:
        settings = router_settings(in_release(shape(outbox), release) | raw, release)
    except (Failure, NotModelled):
        return declared
    return _in_table(settings, declared, set(outbox.column_names)) if settings else declared


def _in_table(read: RouterColumns, declared: RouterColumns, table: set[str]) -> RouterColumns:
    """The columns that a table has; the declared ones in place of those that it does not have."""

    def default_or(column: str | None, otherwise: str | None) -> Any:
        return column if column in table else otherwise

    return RouterColumns(
        id=default_or(read.id, declared.id),
        key=default_or(read.key, declared.key),
        payload=default_or(read.payload, declared.payload),
        route=default_or(read.route, declared.route),
        timestamp=default_or(read.timestamp, None),
        version=default_or(read.version, None),
        placements=tuple(placement for placement in read.placements if placement.column in table),
    )
