"""An address that leads to another database than the schema file names."""

import importlib
from contextlib import contextmanager
from typing import Any

import pytest

from outbox_kit.databases import whereabouts
from outbox_kit.errors import DatabaseRefused, UsageProblem, WrongDatabase
from tests.unit.databases.outboxes import outbox


@pytest.mark.parametrize(
    ("dialect", "other", "good"),
    [
        ("mysql", "mysql://me@h/billing", ["mysql://me@h/shop", "mysql://me@h/", "mysql://me@h", "mysql://me@h/mysql"]),
        ("mariadb", "mariadb://me@h/billing", ["mariadb://me@h/SHOP", "mariadb://me@h/information_schema"]),
        (
            "sqlserver",
            "sqlserver://me@h/billing",
            ["sqlserver://me@h/shop", "sqlserver://me@h", "sqlserver://h/master"],
        ),
        ("mongodb", "mongodb://me@h/billing?w=1", ["mongodb://me@h/shop", "mongodb://me@h", "mongodb://me@h/admin"]),
    ],
)
def test_an_address_that_names_another_database_is_refused(dialect: str, other: str, good: list[str]) -> None:
    own = outbox(dialect)
    for dsn in good:
        whereabouts.expect(dsn, own)
    with pytest.raises(WrongDatabase, match=r"about database 'shop', .* connected to 'billing'") as error:
        whereabouts.expect(other, own)
    assert isinstance(error.value, UsageProblem) and "the service's" in error.value.why
    whereabouts.expect(other, outbox(dialect, name="billing"))


@pytest.mark.parametrize(
    ("container", "answer", "well"),
    [
        (None, ("SHOP", "SHOP", "SHOP"), True),
        (None, ("FREEPDB1", "shop.example.com", "FREE"), True),
        (None, ("BILLING", "billing", "BILLING"), False),
        ("ORCLCDB", ("CDB$ROOT", "ORCLCDB", "ORCLCDB"), True),  # each session goes on into the outbox's own
        ("ORCLCDB", ("BILLING", "billing", "ORCLCDB"), False),
    ],
)
def test_oracle_says_itself_where_a_session_is(
    monkeypatch: pytest.MonkeyPatch, container: str | None, answer: tuple[str, ...], well: bool
) -> None:
    sessions = importlib.import_module("outbox_kit.databases.oracle.session")

    class Cursor:
        def execute(self, statement: str) -> None:
            self.found = answer if "db_name" in statement else answer[:1]

        def fetchone(self) -> tuple[str, ...]:
            return self.found

    @contextmanager
    def session(_: str, outbox: Any = None) -> Any:
        yield Cursor()

    monkeypatch.setattr(sessions, "session", session)
    own = outbox("oracle", **({"container": container} if container else {}))
    if well:
        whereabouts.expect("oracle://me@h/any", own)
    else:
        with pytest.raises(WrongDatabase, match="connected to 'BILLING'"):
            whereabouts.expect("oracle://me@h/any", own)


class Unanswered:
    """A server that gives no row for an answer: a real one does so only by its version or its settings."""

    def __init__(self, *rows: Any) -> None:
        self.rows = rows

    def execute(self, *_: Any) -> "Unanswered":
        return self

    def fetchone(self) -> Any:
        return self.rows[0] if self.rows else None


def serving(monkeypatch: pytest.MonkeyPatch, package: str, *rows: Any) -> Any:
    probe = importlib.import_module(f"outbox_kit.databases.{package}.probe")

    @contextmanager
    def session(*_: Any, **__: Any) -> Any:
        yield Unanswered(*rows)

    monkeypatch.setattr(probe, "session", session)
    return probe


def test_a_server_without_a_binary_log_is_none_that_a_connector_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    probe = serving(monkeypatch, "mysql")
    with pytest.raises(DatabaseRefused, match="writes no binary log"):
        probe.log_position("mysql://me@h/shop", outbox("mysql"))
    assert "retention of the binary log is unknown" in probe.risks("mysql://me@h/shop")[0].text


@pytest.mark.parametrize("row", [(), ((None,),)])
def test_nothing_captured_yet_is_no_position(monkeypatch: pytest.MonkeyPatch, row: tuple[Any, ...]) -> None:
    probe = serving(monkeypatch, "sqlserver", *row)
    assert probe.log_position("sqlserver://me@h/shop", outbox("sqlserver")) is None


def test_a_setting_that_an_old_server_lacks_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    probe = serving(monkeypatch, "postgres", ("replica", None))
    assert [risk.text for risk in probe.risks("dbname=shop")] == ["wal_level is 'replica'"]
