"""The settings of a database's server that a file shows: flags of a command, or lines of a configuration file. Pure."""

import re
from collections.abc import Mapping
from functools import lru_cache

from outbox_kit.lazy_pattern import lazy_pattern

FLAG = lazy_pattern(
    r"(?<![\w-])--(?P<flag>[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*)(?:=[\"']?(?P<given>[^\s\"'`,\]]*))?"
    r"|^[ \t]*(?P<line>[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+)[ \t]*=[ \t]*(?P<set>[^\s#;\"']+)[ \t]*$"
    r"|\b(?:key|option|name)[\"']?[ \t]*[:=][ \t]*[\"']?(?P<key>(?:binlog|wal|log|gtid|max)_[a-z_]+)[\"']?[\s,]*"
    r"\bvalue[\"']?[ \t]*[:=][ \t]*[\"']?(?P<paired>[\w.-]+)"
    r"|(?<![\w-])-c[\s\"',]+(?P<name>[a-z][a-z0-9_]*)=(?P<value>[^\s\"'`,\]]+)",
    re.MULTILINE,
)
IMAGE = lazy_pattern(
    r"^[ \t-]*image:[ \t]*[\"']?(?:\S*/)?(?P<name>mysql|mariadb|postgres)(?::(?P<tag>[\w.-]+))?", re.MULTILINE
)
IS_PUBLISHED = lazy_pattern(
    r"^[ \t-]*image:[ \t]*[\"']?(?:docker\.io/)?(?:(?:library/)?postgres|postgis/postgis)(?:[:@\"'\s]|$)", re.MULTILINE
)
"""The image of PostgreSQL as its project publishes it; others set what logical decoding needs."""
CONFIGURED = lazy_pattern(
    r"\.cnf\b|conf\.d\b|postgresql\.conf|(?<!target: )/docker-entrypoint-initdb|^[ \t]+file:[ \t]*\S+\.(?:sql|sh)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""What a file has that may set more than it shows."""


@lru_cache(maxsize=4)
def settings(text: str) -> Mapping[str, tuple[str, ...]]:
    """The values of each setting, with underscores in its name; an empty value of a flag without one."""
    values: dict[str, tuple[str, ...]] = {}
    for match in FLAG.finditer(text):
        name = (match["flag"] or match["line"] or match["key"] or match["name"]).replace("-", "_")
        value = match["given"] or match["set"] or match["paired"] or match["value"] or ""
        values[name] = (*values.get(name, ()), value)
    return values


def only(text: str, name: str) -> str | None:
    """The value of a setting that the text has once; None if it has none or several."""
    values = set(settings(text).get(name, ()))
    return values.pop() if len(values) == 1 else None


def image(text: str) -> tuple[str, str] | None:
    """Name and tag of the only image of a database; None if there is none or several."""
    images = {(match["name"], match["tag"] or "") for match in IMAGE.finditer(text)}
    return images.pop() if len(images) == 1 else None
