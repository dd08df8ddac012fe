"""A table whose rows cannot be messages as they are: the one of this kit's that a trigger fills from it. Pure."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from outbox_kit import dialects
from outbox_kit.adopt.candidate import Candidate
from outbox_kit.adopt.roles import chosen, family
from outbox_kit.dialects.base import Dialect

EXAMPLE = "Example"
ROLES = ("type", "aggregate_type", "aggregate_id", "payload")


@dataclass(frozen=True)
class Language:
    """How a database's trigger says it. member: of the array's element, as text. row: the whole row, as JSON.

    digits: bytes as text. ids: a column of such a type as the text of a UUID. new: the row.
    payload: a member that may be a document itself, where `member` cannot tell it.
    """

    member: Callable[[Dialect, str], str]
    row: Callable[[Dialect, Sequence[str]], str]
    digits: str
    ids: Mapping[str, str] = field(default_factory=dict)
    new: str = "new"
    payload: Callable[[Dialect, str], str] | None = None


def _extracted(dialect: Dialect, name: str) -> str:
    return f"json_unquote(json_extract(item, {dialect.literal(f'$.{json.dumps(name)}')}))"


def _object(dialect: Dialect, names: Sequence[str]) -> str:
    return f"json_object({', '.join(f'{dialect.literal(name)}, new.{dialect.ident(name)}' for name in names)})"


def _opened(dialect: Dialect, name: str) -> str:
    return f"(select value from openjson(item) where [key] = {dialect.literal(name)})"  # noqa: S608 - quoted


def _path_object(dialect: Dialect, names: Sequence[str]) -> str:
    listed = ", ".join(f"new.{dialect.ident(name)}" for name in names)
    return f"(select {listed} for json path, include_null_values, without_array_wrapper)"


def _value(dialect: Dialect, name: str, returning: str = "") -> str:
    return f"json_value(item, {dialect.literal(f'$.{json.dumps(name)}')}{returning})"


def _value_or_document(dialect: Dialect, name: str) -> str:
    value = _value(dialect, name, " returning clob")
    return f"coalesce({value}, {value.replace('json_value', 'json_query', 1)})"


def _key_values(dialect: Dialect, names: Sequence[str]) -> str:
    listed = ", ".join(f"key {dialect.literal(name)} value :new.{dialect.ident(name)}" for name in names)
    return f"json_object({listed} returning clob)"


MYSQL = Language(_extracted, _object, "lower(hex({}))")
LANGUAGES: Mapping[str, Language] = {
    "postgres": Language(
        lambda dialect, name: f"item ->> {dialect.literal(name)}",
        lambda *_: "row_to_json(new)",
        "encode({}, 'hex')",
        {"uuid": "{}"},
    ),
    "mysql": MYSQL,
    "mariadb": MYSQL,
    "sqlserver": Language(_opened, _path_object, "lower(convert(nvarchar(max), {}, 2))", {"uniqueidentifier": "{}"}),
    "oracle": Language(
        _value,
        _key_values,
        "lower(rawtohex({}))",
        {"raw(16)": "regexp_replace(rawtohex({}), '(.{{8}})(.{{4}})(.{{4}})(.{{4}})', '\\1-\\2-\\3-\\4-')"},
        new=":new",
        payload=_value_or_document,
    ),
}


def table_of(one: Candidate) -> str:
    """What the table of this kit's is called, within what the database allows."""
    dialect = dialects.named(one.dialect)
    name = one.table.name
    while dialect.limits.length(dialect.made(name, "events")) > dialect.limits.table:
        name = name[:-1]
    return dialect.made(name, "events")


def feed(one: Candidate) -> dict[str, Any] | None:
    """The table as the schema file has it; None where no trigger is written for the database."""
    dialect, language = dialects.named(one.dialect), LANGUAGES.get(one.dialect)
    if language is None:
        return None
    members = chosen(one.evidence.element_members(one.many)) if one.many else {}
    plain = [x.name for x in one.table.columns if family(one.dialect, x.type) not in ("binary", "other")]
    example, key = dialect.literal(EXAMPLE), one.column("id")
    otherwise = {
        "type": example,
        "aggregate_type": example,
        "aggregate_id": f"{language.new}.{dialect.ident(key.name)}" if key else example,
        "payload": "item" if one.many else language.row(dialect, plain),
    }
    if one.family("id") == "binary":
        otherwise["aggregate_id"] = language.digits.format(otherwise["aggregate_id"])
    own = {role: f"{language.new}.{dialect.ident(one.roles[role])}" for role in ROLES if role in one.roles}
    of_element = {role: language.member(dialect, members[role]) for role in ROLES if role in members}
    if language.payload and "payload" in members:
        of_element["payload"] = language.payload(dialect, members["payload"])
    if one.many:
        own.pop("payload", None)  # it is the array
    elif key and key.type in language.ids:
        own["id"] = language.ids[key.type].format(f"{language.new}.{dialect.ident(key.name)}")
    each = {"each": one.many} if one.many else {}
    columns = otherwise | own | of_element
    return {"name": table_of(one), "fed_by": {"table": one.table.name, **each, "columns": columns}}
