"""The order of a connector's options for a reader: by group, from the connector to the heartbeat. Pure."""

from collections.abc import Iterable

GROUPS = {
    "connector": ("connector.class", "tasks.max"),
    "database": (
        "database.hostname",
        "database.port",
        "database.user",
        "database.password",
        "database.dbname",
        "database.names",
        "database.pdb.name",
        "database.",
        "mongodb.",
        "driver.",
    ),
    "capture": (
        "topic.prefix",
        "plugin.name",
        "slot.",
        "publication.",
        "database.include.list",
        "capture.",
        "table.include.list",
        "collection.include.list",
        "message.prefix.include.list",
        "column.",
        "snapshot.",
        "schema.history.",
        "",  # what no other prefix names: the connectors' own options are about capturing
    ),
    "router": ("transforms", "transforms.", "predicates", "predicates."),
    "converters": ("key.converter", "value.converter", "header.converter"),
    "delivery": ("errors.", "exactly.once.", "transaction.boundary", "poll.", "max.", "producer.override."),
    "topics": ("topic.creation.",),
    "heartbeat": ("heartbeat.", "topic.heartbeat.prefix"),
}
PLACES = {
    prefix: (rank, place, group)
    for rank, (group, prefixes) in enumerate(GROUPS.items())
    for place, prefix in enumerate(prefixes)
}


def in_order(names: Iterable[str]) -> list[str]:
    """Options by group. Within a group, options of the same kind keep their order."""
    return sorted(names, key=lambda name: _place(name)[:2])


def group(name: str) -> str:
    """The group of an option, such as `router`."""
    return _place(name)[2]


def _place(name: str) -> tuple[int, int, str]:
    """The place that the longest known beginning of an option's name has."""
    prefixes = [prefix for prefix in PLACES if name == prefix or (name.startswith(prefix) and _is_open(prefix, name))]
    return PLACES[max(prefixes, key=len)]


def _is_open(prefix: str, name: str) -> bool:
    """Whether a name continues at a dot: `key.converter.schemas.enable` does, `tasks.maximum` does not."""
    return prefix.endswith(".") or not prefix or name[len(prefix)] == "."
