"""The registry of options, read from connectors/*.yaml: does an option exist in a release, and why is it set.

Connect and Debezium ignore unknown options in silence; whoever writes a config looks each one up here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ruamel.yaml import YAML

from outbox_kit.assets import CONNECTORS
from outbox_kit.versions import Version

TRANSFORM = "transforms.outbox."


@dataclass(frozen=True)
class Option:
    """One option: its type, its default, the Debezium releases that read it, and why the kit sets it."""

    name: str
    type: str
    why: str
    default: str | None = None
    since: str | None = None
    until: str | None = None
    values: tuple[str, ...] = ()

    def alive(self, release: Version) -> bool:
        """Whether a release reads it."""
        began = self.since is None or Version.of(self.since) <= release
        return began and (self.until is None or release <= Version.of(self.until))


@cache
def registry(dialect: str) -> Mapping[str, Option]:
    """All options of a dialect's connector, the router (with its prefix) and Connect, by full name."""
    found = {**_options(dialect), **_options("connect")}
    return found | {f"{TRANSFORM}{name}": option for name, option in _options("router").items()}


def find(dialect: str, name: str) -> Option | None:
    """The option of that full name, or None. An entry ending in `.*` stands for all that begin so."""
    known = registry(dialect)
    if name in known:
        return known[name]
    return next((o for key, o in known.items() if key.endswith(".*") and name.startswith(key[:-1])), None)


def _options(source: str) -> dict[str, Option]:
    data = YAML(typ="safe").load((CONNECTORS / f"{source}.yaml").read_text(encoding="utf-8"))
    return {name: _option(name, facts) for name, facts in data["options"].items()}


def _option(name: str, facts: dict[str, Any]) -> Option:
    return Option(name, **(facts | {"values": tuple(facts.get("values", ()))}))
