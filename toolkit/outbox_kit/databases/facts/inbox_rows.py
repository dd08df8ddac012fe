"""The names in the insert of a row into an inbox, for the library and for generated code. Pure."""

from collections.abc import Sequence

from outbox_kit.databases.facts import Dialect

KEYS = {
    "inbox": ("consumer", "message_id"),
    "inbox_mark": ("consumer", "producer", "message_key"),
    "inbox_position": ("consumer", "topic", "topic_partition"),
}
"""The columns of the primary key of an inbox's table."""


def insert_texts(dialect: Dialect, table: Sequence[str], key: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """What stands in `InboxFacts.add` for its names, but for the values.

    table: its name, qualified or not. key: the columns of its primary key, as `KEYS` has them. columns: of the row.

    `{table}` is the qualified table, `{columns}` the columns of the row, `{given}` the columns of a row `given`, and
    `{same}` the condition that its key is that of a row `known`. `{name}` and `{key_columns}` are the table without its
    schema and the columns of the key without quotes, as a hint has them.
    """

    def quoted(column: str) -> str:
        return dialect.quote_ident(dialect.fold_case(column))

    return {
        "table": dialect.quote_ident(*table),
        "name": table[-1].lower(),
        "columns": ", ".join(map(quoted, columns)),
        "key_columns": ", ".join(key),
        "given": ", ".join(f"given.{quoted(column)}" for column in columns),
        "same": " and ".join(f"known.{quoted(column)} = given.{quoted(column)}" for column in key),
    }
