"""What a cleanup may remove, without a server."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from outbox_kit import databases
from outbox_kit.connect.client import Connect
from outbox_kit.databases.cleanup import TableCondition, TablePartition
from outbox_kit.delivery.debezium.connector import Debezium
from outbox_kit.delivery.interface import RowEvidence
from outbox_kit.errors import ConnectUnreachable, NotProven, PositionLost, TableDiffers, UsageProblem
from outbox_kit.operate.cleanup import decisions, scheduled
from outbox_kit.operate.cleanup.kind import KeepTimes, Way, all_kinds
from outbox_kit.render import cleanup
from outbox_kit.render.cleanup import OldRows, RowProof
from outbox_kit.schema.model import Outbox
from tests.support import example_files
from tests.support.cli import invoke
from tests.unit.render.tsql import complaints, put_together

EXAMPLES = Path(__file__).parents[2] / "examples"
OUTBOXES = example_files.all_outboxes()
COLUMNS = {"id": "uuid", "created_at": "timestamp with time zone"}
TABLE = TableCondition(COLUMNS, {"created_at": False})
ROWS = OldRows(("public", "outbox"), "created_at", 24)


def outbox_of(dialect: str = "postgres", **more: Any) -> Outbox:
    return Outbox.model_validate(
        {"service": "shop", "database": {"dialect": dialect}, "events": [{"type": "A", "aggregate": "B"}], **more}
    )


@pytest.mark.parametrize(
    ("table", "way", "problem"),
    [
        (TableCondition({}), Way.delete, "does not exist"),
        (TableCondition({"created_at": "date"}), Way.delete, "no column 'id'"),
        (TableCondition(COLUMNS), Way.delete, "expected a time"),
        (replace(TABLE, partitioned=True), Way.delete, "is partitioned"),
        (TABLE, Way.drop, "is not partitioned"),
    ],
)
def test_another_table_is_refused(table: TableCondition, way: Way, problem: str) -> None:
    with pytest.raises(TableDiffers, match=problem):
        decisions.expect_table(ROWS, ["id"], way, table)


def test_a_table_that_does_not_exist_is_created_by_the_script_of_its_kind() -> None:
    scripts = {"outbox": "", "dead-letters": "", "inbox": " --inbox", "barrier": " --barrier"}
    for name, kind in all_kinds().items():
        with pytest.raises(TableDiffers) as refused:
            decisions.expect_table(ROWS, ["id"], Way.delete, TableCondition({}), script=kind.script)
        assert refused.value.fix.endswith(f"gen-ddl{scripts.get(name, ' --coordinator')} --apply")


def test_a_table_without_a_key_is_refused_if_rows_are_found_by_it() -> None:
    decisions.expect_table(ROWS, ["id"], Way.delete, TABLE)
    with pytest.raises(TableDiffers, match="no unique column"):
        decisions.expect_table(replace(ROWS, proof=RowProof.point), ["id"], Way.delete, TABLE)


def test_partitions_are_removed_if_they_are_old_and_a_pending_detach_is_first() -> None:
    partitions = [
        TablePartition("new"),
        TablePartition("other", default=True, old=True),
        TablePartition("b", old=True),
        TablePartition("a", old=True),
        TablePartition("left", detached=True),
        TablePartition("pending", old=True, pending=True),
        TablePartition("pending and new", pending=True),
    ]
    assert [each.name for each in decisions.removable(partitions)] == ["pending", "left", "a", "b"]
    assert [each.name for each in decisions.strays(partitions)] == ["other"]


@pytest.mark.parametrize(("limit", "removed", "rows"), [(None, 900, 50), (100, 80, 20), (100, 100, 0), (100, 120, 0)])
def test_a_batch_is_within_the_limit_of_the_run(limit: int | None, removed: int, rows: int) -> None:
    assert decisions.next_batch(50, limit, removed) == rows


def test_rows_are_kept_for_the_longest_of_all_times() -> None:
    rows = all_kinds()["outbox"].rows
    evidence = RowEvidence(RowProof.slot)
    outbox = outbox_of(table={"keep_hours": 2})
    hours = [rows(outbox, evidence, KeepTimes(*times)).keep_hours for times in ((None, 1), (1, 1), (30, 1), (30, 48))]
    assert hours == [2, 2, 30, 48]


@pytest.mark.parametrize("outbox", OUTBOXES, ids=lambda outbox: outbox.service)
def test_each_outbox_has_an_answer_or_statements_that_hold_every_condition(outbox: Outbox) -> None:
    kind = all_kinds()["outbox"]
    if kind.obstacle(outbox):
        return
    if kind.way(outbox) is Way.drop:
        with pytest.raises(UsageProblem, match="no job"):
            scheduled.script(outbox, kind, KeepTimes(), by_age=True)
        return
    script = scheduled.script(outbox, kind, KeepTimes(), by_age=True)
    name = outbox.dialect.quote_ident(outbox.table.columns.created_at or "")
    assert str(outbox.dialect.limits.delete_batch) in script and name.replace("'", "''") in script
    if outbox.delivery.by == "relay":
        assert outbox.names.failure_table in script
    if outbox.database.dialect == "sqlserver":
        assert complaints(script) == []
        assert [found for text in put_together(script) for found in complaints(text)] == []


def test_a_job_without_proof_needs_consent() -> None:
    kind = all_kinds()["outbox"]
    with pytest.raises(UsageProblem, match="cannot prove"):
        scheduled.script(outbox_of("mysql"), kind, KeepTimes(), by_age=False)
    assert "by their age alone" in scheduled.script(outbox_of("mysql"), kind, KeepTimes(), by_age=True)
    assert "pg_replication_slots" in scheduled.script(outbox_of(), kind, KeepTimes(), by_age=False)


def test_a_job_of_the_inbox_needs_consent_because_a_message_could_be_delivered_again() -> None:
    inbox = all_kinds()["inbox"]
    with pytest.raises(UsageProblem, match="which message ids are not needed any more") as refused:
        scheduled.script(outbox_of(), inbox, KeepTimes(), by_age=False)
    assert "--by-age" in refused.value.fix
    script = scheduled.script(outbox_of(), inbox, KeepTimes(), by_age=True)
    assert "336 hours" in script and "It deletes ids by their age" in script and "connector" not in script
    assert "TTL index" in inbox.obstacle(outbox_of("mongodb"))


@pytest.mark.parametrize(("name", "remark"), [("barrier", "No check-back"), ("two-phase", "outcome is open stays")])
def test_a_job_says_why_the_age_of_a_row_is_enough(name: str, remark: str) -> None:
    script = scheduled.script(outbox_of(), all_kinds()[name], KeepTimes(), by_age=False)
    assert remark in script and "connector" not in script


def test_hostile_names_stay_within_their_quotes() -> None:
    name = "o\"'`$job$; drop table x; --%s"
    rows = OldRows(("public", name), name, 24, RowProof.slot, slot="s'", event_id=name, failures=("public", name))
    for dialect in (databases.get("postgres"), databases.get("mysql")):
        quoted = dialect.quote_ident(name)
        for statement in (
            cleanup.delete(dialect, rows, 5),
            cleanup.counts(dialect, rows),
            cleanup.keys(dialect, rows, name, 5),
        ):
            assert name not in statement.replace(quoted, "")


@pytest.mark.parametrize("retention", ["forever", "delete_on_insert"])
def test_a_retention_without_cleanup_says_why(retention: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("outbox.yaml").write_text(
        "service: shop\ndatabase: {dialect: postgres}\nevents: [{type: A, aggregate: B}]\n"
        f"table: {{retention: {retention}}}\n"
    )
    assert f"table.retention: {retention}" in invoke("cleanup").stdout
    assert json.loads(invoke("cleanup", "--format", "json").stdout)["schema"] == "outbox-kit/cleanup-none/v1"
    assert (
        "expected barrier, dead-letters, inbox, outbox or two-phase"
        in invoke("cleanup", "--table", "orders", code=2).stderr
    )
    assert "such as 90d" in invoke("cleanup", "--older-than", "0d", code=2).stderr
    assert "nothing is run" in invoke("cleanup", "--job", "--watch", code=2).stderr
    for more in ((), ("--table", "inbox", "--job", "--by-age"), ("--table", "dead-letters")):
        assert "--by-position with" in invoke("cleanup", "--by-position", *more, code=2).stderr


def test_a_database_without_cleanup_is_named_before_any_system_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("outbox.yaml").write_text(
        "service: shop\ndatabase: {dialect: sqlserver, name: shop}\nevents: [{type: A, aggregate: B}]\n"
        "inbox: {consumers: [{name: a}]}\n"
    )
    for table in ("outbox", "inbox"):
        refused = invoke("cleanup", "--table", table, "--dsn", "sqlserver://sa@127.0.0.1:1/shop", code=2).stderr
        assert "not available for SQL Server" in refused and "cleanup --job" in refused


class Lost:
    """The stored offsets of a server that has deleted the log behind each of them."""

    def missing(self, *_: Any) -> str:
        return "binary log 'b.1' does not exist"


class Workers:
    """A Kafka Connect with one connector, or none that responds."""

    url = "http://connect"

    def __init__(self, offset: dict[str, Any] | None, *, responds: bool = True) -> None:
        self.offset, self.responds = offset, responds

    def status(self, _: str) -> dict[str, Any]:
        if not self.responds:
            raise ConnectUnreachable("Kafka Connect does not respond")
        state = {"state": "RUNNING", "worker_id": "w"}
        return {"connector": state, "tasks": [state]}

    def offsets(self, _: str) -> list[dict[str, Any]]:
        return [{"offset": self.offset}]


def evidence(workers: Workers, monkeypatch: pytest.MonkeyPatch, *, by_age: bool, lost: bool = False) -> RowProof:
    outbox = outbox_of("mysql")
    delivery = Debezium(outbox, workers, "mysql://x@localhost/shop")  # type: ignore[arg-type]
    server = replace(delivery.server, stored_offsets=Lost() if lost else None)  # type: ignore[arg-type]
    monkeypatch.setattr(Debezium, "server", server)
    assert isinstance(delivery.connect, Connect | Workers)
    return delivery.evidence(by_age=by_age).proof


def test_consent_covers_a_position_that_is_not_known_and_no_lost_one(monkeypatch: pytest.MonkeyPatch) -> None:
    streamed, snapshot = {"file": "b.1", "pos": 4}, {"file": "b.1", "pos": 4, "snapshot": True}
    assert evidence(Workers(streamed), monkeypatch, by_age=False) is RowProof.point
    for workers in (Workers(snapshot), Workers(None)):
        with pytest.raises(NotProven, match="no position"):
            evidence(workers, monkeypatch, by_age=False)
        assert evidence(workers, monkeypatch, by_age=True) is RowProof.age
    with pytest.raises(ConnectUnreachable):
        evidence(Workers(streamed, responds=False), monkeypatch, by_age=False)
    assert evidence(Workers(streamed, responds=False), monkeypatch, by_age=True) is RowProof.age
    for by_age in (False, True):
        with pytest.raises(PositionLost, match="does not have the stored offset"):
            evidence(Workers(streamed), monkeypatch, by_age=by_age, lost=True)


def test_a_row_of_the_barrier_stays_as_long_as_a_check_back_can_come() -> None:
    barrier, evidence = all_kinds()["barrier"], RowEvidence(RowProof.age)
    assert barrier.rows(outbox_of(), evidence, KeepTimes()).keep_hours == 14 * 24
    assert barrier.rows(outbox_of(), evidence, KeepTimes(400)).keep_hours == 400
    with pytest.raises(UsageProblem, match="at least 336 hours"):
        barrier.rows(outbox_of(), evidence, KeepTimes(335))
    assert barrier.obstacle(outbox_of("mongodb")) == "there is no barrier for MongoDB"


def test_a_message_whose_outcome_is_open_is_never_removed() -> None:
    kind, evidence = all_kinds()["two-phase"], RowEvidence(RowProof.age)
    rows = kind.rows(outbox_of(), evidence, KeepTimes())
    assert (rows.keep_hours, rows.condition) == (7 * 24, "state <> 'prepared'")
    assert kind.rows(outbox_of(), evidence, KeepTimes(2)).keep_hours == 2
    assert "Oracle" in kind.obstacle(outbox_of("oracle"))
