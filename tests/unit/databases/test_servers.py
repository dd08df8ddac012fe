"""Each database's folder has a typed `SERVER`, and its facts say the same of the server."""

import tomllib
import typing
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from outbox_kit import databases
from outbox_kit.databases import interface, servers
from outbox_kit.databases.catalogue import CatalogueReader
from outbox_kit.databases.ledger import Ledger, MarkedLedger
from outbox_kit.errors import UsageProblem
from outbox_kit.verify.follow import Follower
from tests.unit.databases.outboxes import outbox

ROOT = Path(__file__).parents[3]
FOLDERS = {path.parent.name for path in Path(databases.__file__).parent.glob("*/facts.py")}
LEFT_OUT = {name for name in databases.ALL if servers.get(name).marked_ledger is None}


def test_the_list_of_databases_is_the_list_of_folders() -> None:
    assert set(databases.ALL) == FOLDERS


@pytest.mark.parametrize("dialect", databases.ALL)
def test_a_server_offers_what_its_facts_say(dialect: str) -> None:
    server, facts = servers.get(dialect), databases.get(dialect)
    assert isinstance(server, interface.Server)
    assert (server.slots is not None) == facts.capture.uses_slot
    assert isinstance(server.ledger("", outbox(dialect)), Ledger)
    for part, protocol in ((server.probe, interface.Probe), (server.catalogue, CatalogueReader)):
        assert [name for name in promised(protocol) if not callable(getattr(part, name, None))] == []


def test_a_driver_that_is_an_extra_is_one_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {name: one.access.extra for name, one in databases.ALL.items() if one.access.extra}
    assert set(wanted.values()) <= set(project["optional-dependencies"])


@pytest.mark.parametrize(
    "protocol", [interface.Server, interface.Probe, interface.Slots, interface.Apply, Ledger, MarkedLedger]
)
def test_the_interface_is_typed(protocol: type) -> None:
    """mypy compares nothing with `Any` or a bare module; an offset is Kafka Connect's JSON."""
    hints = dict(typing.get_type_hints(protocol))
    for name in promised(protocol):
        method = getattr(protocol, name)
        typed = (
            typing.get_type_hints(getattr(method, "fget", method)) if callable(getattr(method, "fget", method)) else {}
        )
        hints |= {f"{name} {key}": kind for key, kind in typed.items()}
    for name, kind in hints.items():
        parts = [kind, *typing.get_args(kind)]
        assert ModuleType not in parts, name
        assert typing.Any not in parts or name == "position offset", name


@pytest.mark.parametrize("dialect", sorted(LEFT_OUT))
def test_rows_that_do_not_say_when_they_were_committed_cannot_be_followed(dialect: str) -> None:
    request = SimpleNamespace(dsn="x", outbox=outbox(dialect))
    with pytest.raises(
        UsageProblem, match=f"verify follow cannot compare with a table in {databases.get(dialect).title}"
    ):
        Follower._table(SimpleNamespace(request=request))  # type: ignore[arg-type]


def promised(protocol: type) -> list[str]:
    """The names of a protocol's methods and properties, those of its bases too."""
    kinds = [kind for kind in protocol.__mro__ if kind not in (object, typing.Protocol, typing.Generic)]
    return sorted({name for kind in kinds for name in vars(kind) if not name.startswith("_") or name == "__call__"})
