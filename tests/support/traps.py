"""The traps of outbox relays, and the tests that have a trap's number in their names, as a page."""

import re
from collections import defaultdict
from pathlib import Path

from outbox_kit.explain.options import GENERATED

TESTS = Path(__file__).parents[1]
NUMBERED = re.compile(r"^def test((?:_\d+)+)_", re.MULTILINE)
TRAPS = {
    1: "a transaction with a lower number commits later than one with a higher number",
    2: "the same with many writers, rollbacks, savepoints and restarts of the relay",
    3: "rows of one moment, and a stop between them",
    4: "a database is restored, and its transaction numbers are lower",
    5: "an event of a batch fails: later events of its key wait, earlier ones are final",
    6: "an event is added while those before it are published: it is not deleted or marked with them",
    7: "a cleanup deletes no unpublished or failed row",
    8: "a broker takes a message and dies before it confirms it",
    9: "a crash between the acknowledgement and the position: the same event id again",
    10: "a stop within a batch or a transaction",
    11: "failed events do not expire",
    12: "a relay sleeps past its lease: its late writes change nothing",
    13: "relays come and go: no lane has two owners",
    14: "lanes move while events are in flight: only those are duplicated",
    15: "several relays try a refused event as often as one",
    16: "acknowledgements of several outboxes",
    17: "a relay that starts takes no event that another one has in flight",
    18: "the clock of the host is wrong",
    19: "the order of each key when events are refused at random",
    20: "the order of a key is not the order of transaction numbers",
    21: "rows of one key with equal times",
    22: "the leader of a partition changes within a batch",
    23: "a sequence with a cache",
    24: "a topic that accepts nothing does not delay other topics",
    25: "more failed events than a batch has",
    26: "an event that ends the process",
    27: "the pause before an attempt begins with the last attempt",
    28: "a parked key shows its depth and its age, and is released in order",
    29: "an outage of the broker",
    30: "an outage of the database",
    31: "statements of an idle relay",
    32: "a long backlog",
    33: "a transaction at REPEATABLE READ that stays open",
    34: "a cleanup of many rows beside writers",
    35: "no transaction is open while the relay waits for the broker",
    36: "commits with wake-ups",
    37: "a wake-up that is lost",
    38: "metrics with a large table",
    39: "MySQL: the read is in the order of an index, and relays cause no deadlock",
    40: "SQL Server: batches and isolation",
    41: "MariaDB with `innodb_snapshot_isolation`",
    42: "serialisation failures are tried again and not reported",
    47: "no relay runs",
    48: "one of two relays hangs",
    49: "a relay is killed",
}
REMARKS = {
    29: "seconds with shortened timeouts; by hand three minutes, and the first message 0.2 to 1.6 s after the start",
    30: "seconds with shortened timeouts, not five minutes",
    32: "the plan only; the time by `tests.bench.relay_load`",
    33: "`tests.bench.relay_load` only",
    34: "not tested at that size; the deletion in batches by `tests/live/cleanup.py`",
    36: "the latency by `tests.bench.relay_load`, with `fsync=off`",
    38: "metrics are read from the memory of the process, not from the table",
    40: "no server: the scripts are parsed as T-SQL",
    41: "MariaDB 11.4, not 11.8",
}
"""What is not proven, or is proven elsewhere. A trap without a test needs one."""
INTRODUCTION = """These situations have caused losses, duplicates or disorder in other relays. A test has the number of
its trap in its name, and the column is made from these names. [What is tested](../tested.md#the-relay) has the other
claims."""


def modules_by_trap() -> dict[int, list[str]]:
    """The modules that have tests of each trap."""
    modules: dict[int, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        numbers = {int(number) for name in NUMBERED.findall(path.read_text()) for number in name.split("_") if number}
        for number in numbers:
            modules[number].append(str(path.relative_to(TESTS)))
    return modules


def page() -> str:
    """The traps as a page: the number, the condition, the modules with tests, and what is not proven."""
    lines = ["# Traps of relays", "", GENERATED, "", INTRODUCTION, ""]
    lines += ["| trap | condition | tests | remark |", "| --- | --- | --- | --- |"]
    tests = modules_by_trap()
    for number, condition in TRAPS.items():
        modules = ", ".join(f"`{module}`" for module in tests.get(number, ())) or "none"
        lines.append(f"| {number} | {condition} | {modules} | {REMARKS.get(number, '')} |")
    return "\n".join(lines) + "\n"
