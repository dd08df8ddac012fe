"""Whether a connector of the outbox's name is the outbox's: by what it reads, since its config has no mark. Pure.

See toolkit/decisions/0008-a-connector-is-known-by-its-source.md.
"""

from collections.abc import Mapping, Sequence

from outbox_kit import secret
from outbox_kit.connect.plan import MASKED
from outbox_kit.connect.redact import is_secret
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.errors import UsageProblem
from outbox_kit.router import options
from outbox_kit.schema.model import Outbox
from outbox_kit.versions import Version
from outbox_kit.wire.connector import source_options

OTHER_CONNECTOR = "correct connect.name, connect.slot or --connect; see outbox-kit plan"
"""The fix where a connector is another outbox's."""
CLASS = "connector.class"
SLOT = "slot.name"
SOURCE = (CLASS, "topic.prefix", "database.dbname", "database.names", "database.include.list")
"""Options that an operation expects as they are generated."""
UNCHANGED = "; nothing was changed"
MARKS = ("topic.prefix", SLOT, "table.include.list", "collection.include.list", "message.prefix.include.list")
"""Options of which a connector of this outbox has at least one as it is generated: a change of all of them is another
outbox's connector."""


def differences(outbox: Outbox, live: Mapping[str, str] | None, config: Mapping[str, str]) -> Sequence[str]:
    """Why a connector is not this outbox's, a phrase each; empty if it is, or if there is none.

    live: the config of the connector of that name; None if there is none. config: the outbox's own.
    """
    if live is None:
        return ()
    differing = [name for name in (CLASS, *source_options(outbox)) if not _same(outbox, live, config, name)]
    if differing:
        return [_difference(live, config, name) for name in differing]
    marks = [name for name in MARKS if config.get(name)]
    if marks and not any(_same(outbox, live, config, name) for name in marks):
        return [_difference(live, config, name) for name in marks]
    return ()


def expect_own(
    delivery: Debezium, live: Mapping[str, str], *, fix: str = OTHER_CONNECTOR, slot: bool = True, then: str = UNCHANGED
) -> None:
    """Raise UsageProblem if an operation on the outbox's connector would be one on another outbox's.

    Stricter than `differences`: an operation uses the connector's stored offset and its slot, which its name leads to.
    live: its config. slot: whether its replication slot must be the outbox's. then: what the message adds.
    """
    config, names = delivery.config or {}, (*SOURCE, *((SLOT,) if slot else ()))
    differing = [_difference(live, config, name) for name in names if not _same(delivery.outbox, live, config, name)]
    if differing:
        raise UsageProblem(
            f"connector '{delivery.name}' is not the connector of this outbox{then}",
            where=delivery.workers.url,
            why="; ".join(differing),
            fix=fix,
        )


def _same(outbox: Outbox, live: Mapping[str, str], config: Mapping[str, str], name: str) -> bool:
    """Whether both have the same value; one that cannot be compared, a reference or a mask, is taken as the same."""
    before, after = live.get(name), config.get(name)
    if before is not None and after is not None and before != after:
        unknown = "${" in before or "${" in after or MASKED.fullmatch(before) is not None
        return unknown or before.replace("\\", "") == after.replace("\\", "")
    return options.resolve(config, name).same(before, after, Version.of(outbox.connect.debezium))


def _difference(live: Mapping[str, str], config: Mapping[str, str], name: str) -> str:
    before, after = (_option_text(side, name) for side in (live, config))
    return f"{name} is {before}, expected {after}"


def _option_text(config: Mapping[str, str], name: str) -> str:
    if name not in config:
        return "not set"
    return f"'{secret.shown(config[name], secret=is_secret(name, config))}'"
