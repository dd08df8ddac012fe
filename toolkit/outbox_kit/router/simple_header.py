"""`SimpleHeaderConverter`: what a header's value becomes as text. Pure."""

import base64
from typing import Any

from outbox_kit.router.javatext import DAY_MS, moment, text_of, utf8
from outbox_kit.router.values import Date, NotModelled, Schema, Struct


def simple_header(topic: str, schema: Schema | None, value: Any) -> bytes | None:
    """`SimpleHeaderConverter`, the default for headers: text as it is, bytes as base64, dates in ISO 8601."""
    if value.__class__ is str:
        return utf8(value)
    return None if value is None else utf8(_header_text(value, schema, embedded=False))


def _header_text(value: Any, schema: Schema | None, *, embedded: bool) -> str:
    match value:
        case None:
            return "null"
        case str() if embedded:
            escaped = value.replace("\\", "\\\\").replace('"', '\\"')
            return f'"{escaped}"'
        case bytes():
            text = base64.b64encode(value).decode()
            return f'"{text}"' if embedded else text
        case list():
            return f"[{','.join(_header_text(x, schema and schema.element, embedded=True) for x in value)}]"
        case Struct():
            members = (
                f"{_header_text(name, None, embedded=True)}:{_header_text(value.get(name), member, embedded=True)}"
                for name, member in value.schema.fields
            )
            return f"{{{','.join(members)}}}"
        case Date():
            return _iso(value)
        case dict():
            raise NotModelled("a map in a header")
        case _:
            return text_of(value, schema)


def _iso(value: Date) -> str:
    """`Values.dateFormatFor`, in UTC: the first day of 1970 and all before it are taken for times of day."""
    at = moment(value)
    if value < DAY_MS:
        return f"{at:%H:%M:%S}.{at.microsecond // 1000:03}Z"
    if value % DAY_MS == 0:
        return f"{at:%Y-%m-%d}"
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z"
