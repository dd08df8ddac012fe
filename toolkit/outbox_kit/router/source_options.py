"""Options of a connector that change the rows that it sends, and that are not modelled. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from outbox_kit.router.columns import NUMBER_ONE
from outbox_kit.router.expand import AVRO_NAME
from outbox_kit.router.javatext import split, trim
from outbox_kit.router.values import NotModelled

JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter"
CHANGING = ("column.mask.", "column.truncate.")
PARAMETERS = ("column.propagate.source.type", "datatype.propagate.source.type")
"""They add the column's type to its schema."""
Columns = Mapping[str, str]
"""A table's types by the columns' names, as the database writes them."""


def refuse_unmodelled(config: Mapping[str, str], raw_topic: str, columns: Columns) -> None:
    """Raise NotModelled where an option changes a row in a way that is not known here.

    raw_topic: `<topic.prefix>.<schema>.<table>`, after which the schemas are named.
    """
    for check in CHECKS:
        for option in check(config, raw_topic, columns):
            raise NotModelled(f"{option}={config[option]}")


def skipped(config: Mapping[str, str]) -> Sequence[str]:
    """The operations that the connector does not send, by their letters. TRUNCATE is one, unless the config says so."""
    return [trim(letter) for letter in split(config.get("skipped.operations", "t"), ",")]


def _changed_values(config: Mapping[str, str], *_: object) -> Iterator[str]:
    yield from (option for option in config if option.startswith(CHANGING))


def _schema_parameters(config: Mapping[str, str], *_: object) -> Iterator[str]:
    yield from (option for option in PARAMETERS if trim(config.get(option, "")))


def _converters(config: Mapping[str, str], *_: object) -> Iterator[str]:
    for name in filter(None, map(trim, split(config.get("converters", ""), ","))):
        class_name, selector = f"{name}.type", f"{name}.selector"
        if trim(config.get(class_name, "")) != NUMBER_ONE:
            yield class_name if class_name in config else "converters"
        elif selector in config:
            yield selector


def _schema_names(config: Mapping[str, str], raw_topic: str, _: Columns) -> Iterator[str]:
    if _adjusts(config, "schema.name.adjustment.mode") and not all(map(AVRO_NAME.fullmatch, raw_topic.split("."))):
        yield "schema.name.adjustment.mode"


def _column_names(config: Mapping[str, str], _: str, columns: Columns) -> Iterator[str]:
    if _adjusts(config, "field.name.adjustment.mode") and not all(map(AVRO_NAME.fullmatch, columns)):
        yield "field.name.adjustment.mode"


def _adjusts(config: Mapping[str, str], option: str) -> bool:
    return trim(config.get(option, "none")).lower() != "none"


def _unsigned(config: Mapping[str, str], _: str, columns: Columns) -> Iterator[str]:
    mode = "bigint.unsigned.handling.mode"
    is_unsigned = any({"bigint", "unsigned"} <= {*re.findall(r"\w+", kind.lower())} for kind in columns.values())
    if is_unsigned and trim(config.get(mode, "long")).lower() != "long":
        yield mode


def _comments(config: Mapping[str, str], *_: object) -> Iterator[str]:
    """Comments of columns become part of the schemas, which JsonConverter writes into messages."""
    option = "include.schema.comments"
    if trim(config.get(option, "false")).lower() == "true" and JSON_CONVERTER in map(trim, config.values()):
        yield option


CHECKS: Sequence[Callable[[Mapping[str, str], str, Columns], Iterator[str]]] = (
    _changed_values,
    _schema_parameters,
    _converters,
    _schema_names,
    _column_names,
    _unsigned,
    _comments,
)
