"""When each alert fires and when it does not, written by hand: the series, and the times around its threshold and hold.

The series begin at 0 and have a value each 15 seconds. A case is about one outbox of `OUTBOXES`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from outbox_kit.schema.model import Outbox

INTERVAL = 15
CHANGE = 600
"""Seconds until the value of a series changes, in cases of `step`."""
BASE = {"service": "shop", "events": [{"type": "OrderPlaced", "aggregate": "Order"}]}
POSTGRES, RELAY = {"dialect": "postgres"}, {"by": "relay"}
OUTBOXES: Mapping[str, Outbox] = {
    name: Outbox.model_validate(BASE | document)
    for name, document in {
        "connector": {"database": POSTGRES, "monitoring": {"jmx": True}},
        "log": {"database": POSTGRES, "delivery": RELAY},
        "table": {"database": POSTGRES, "delivery": {**RELAY, "source": "table"}},
        "mysql": {"database": {"dialect": "mysql"}},
    }.items()
}


@dataclass(frozen=True)
class AlertCase:
    """One alert on one outbox."""

    alert: str
    outbox: str
    series: Mapping[str, str]
    """Values in promtool's notation by series."""
    silent: Sequence[int]
    """Seconds at which it does not fire."""
    fires: int
    """Seconds at which it fires."""
    labels: Mapping[str, str]
    """With `severity`."""
    summary: str
    more: Mapping[str, str] = field(default_factory=dict)
    """More series."""
    later: Sequence[int] = ()
    """More seconds at which it fires."""


def constant(value: float, count: int = 400) -> str:
    """A value that stays."""
    return f"{value}x{count}"


def stepped(before: float, after: float) -> str:
    """A value that changes once, at `CHANGE`."""
    return f"{before}x{CHANGE // INTERVAL - 1} {after}x400"


def step(
    alert: str,
    outbox: str,
    metric: str,
    before: float,
    after: float,
    hold: int,
    severity: str,
    summary: str,
    **labels: str,
) -> AlertCase:
    """An alert on one value: silent with the one, fires with the other when it has lasted for `hold` seconds.

    Another outbox of the same Prometheus has the second value all the time.
    """
    own = {"service": "shop", **labels}
    name = f"outbox_kit_{metric}"
    silent = [CHANGE - INTERVAL, *([CHANGE + hold - INTERVAL] if hold else [])]
    values = {_series(name, own): stepped(before, after), _series(name, own | {"service": "other"}): constant(after)}
    return AlertCase(alert, outbox, values, silent, CHANGE + hold, {"severity": severity, **own}, summary)


def _series(name: str, labels: Mapping[str, str]) -> str:
    return f"{name}{{{','.join(f'{label}={chr(34)}{text}{chr(34)}' for label, text in labels.items())}}}"


SLOT, STATE = {"slot": "shop_outbox"}, {"connector": "shop-outbox", "task": "0"}
IN_SLOT = "the replication slot shop_outbox"
JMX_TASK = 'connector="shop-outbox",task="0"'
GIB = 1024**3
CASES: Sequence[AlertCase] = (
    step(
        "OutboxLate",
        "connector",
        "oldest_seconds",
        30,
        31,
        120,
        "warning",
        "shop: the oldest unpublished event is 31s old",
    ),
    step(
        "OutboxLate", "table", "oldest_seconds", 30, 31, 120, "warning", "shop: the oldest unpublished event is 31s old"
    ),
    step(
        "OutboxPending", "mysql", "pending_events", 1000, 1001, 120, "warning", "shop: 1.001k events are not published"
    ),
    step(
        "OutboxSlotLost", "connector", "slot_status", 0, 1, 0, "critical", f"{IN_SLOT} is lost", **SLOT, status="lost"
    ),
    step(
        *(
            "OutboxSlotUnreserved",
            "log",
            "slot_status",
            0,
            1,
            0,
            "critical",
            f"{IN_SLOT} is lost at the next checkpoint",
        ),
        **SLOT,
        status="unreserved",
    ),
    step(
        *("OutboxSlotAbsent", "connector", "slot_status", 0, 1, 120, "critical", f"{IN_SLOT} does not exist"),
        **SLOT,
        status="absent",
    ),
    step(
        *("OutboxTableNotPublished", "connector", "table_published", 1, 0, 0, "critical"),
        "the publication shop_outbox does not pass the rows of the outbox table on",
        publication="shop_outbox",
    ),
    step(
        "OutboxSlotInactive", "connector", "slot_active", 1, 0, 120, "critical", f"no process reads {IN_SLOT}", **SLOT
    ),
    step("OutboxSlotInactive", "log", "slot_active", 1, 0, 60, "critical", f"no process reads {IN_SLOT}", **SLOT),
    step(
        *(
            "OutboxSlotShare",
            "connector",
            "slot_used_share",
            0.5,
            0.51,
            300,
            "warning",
            f"{IN_SLOT} uses 51% of its limit",
        ),
        **SLOT,
    ),
    step(
        *("OutboxSlotBytes", "log", "slot_retained_bytes", 10 * GIB, 10.5 * GIB, 300, "warning"),
        f"{IN_SLOT} retains 10.5GiB of WAL",
        **SLOT,
    ),
    step(
        "OutboxOffsetNotInLog",
        "mysql",
        "offset_in_log",
        1,
        0,
        0,
        "critical",
        "shop: the binary log at the stored offset was deleted",
    ),
    step(
        *("OutboxTaskNotRunning", "mysql", "task_state", 1, 0, 120, "critical"),
        "task 0 of connector shop-outbox is not RUNNING",
        **STATE,
        state="RUNNING",
    ),
    step(
        *("OutboxConnectorNotRunning", "connector", "connector_state", 1, 0, 300, "warning"),
        "connector shop-outbox is not RUNNING",
        connector="shop-outbox",
        state="RUNNING",
    ),
    step(
        "OutboxHeartbeatOld",
        "connector",
        "heartbeat_seconds",
        60,
        61,
        60,
        "warning",
        "shop: the last heartbeat is 1m 1s old",
    ),
    step(
        "OutboxHeartbeatOld",
        "mysql",
        "heartbeat_seconds",
        90,
        91,
        60,
        "warning",
        "shop: the last heartbeat is 1m 31s old",
    ),
    step("OutboxRelayAbsent", "table", "relays", 1, 0, 60, "critical", "shop: no relay is running"),
    step("OutboxRelayHangs", "table", "relay_hangs", 0, 1, 0, "warning", "relay host 4711 hangs", process="host 4711"),
    step("OutboxDeadLetters", "log", "dead_letters", 0, 1, 0, "warning", "shop: 1 dead letters"),
    step(
        *("OutboxParkedKeys", "table", "parked_keys", 0, 1, 300, "warning"),
        "shop: the events of 1 keys wait behind a failed one",
    ),
    step("OutboxFailedAttempts", "log", "failed_attempts", 4.99, 5, 0, "warning", "shop: an event was refused 5 times"),
    step(
        "OutboxRelayStalled",
        "log",
        "relay_last_round_seconds",
        60,
        61,
        60,
        "critical",
        "shop: the relay at r:1 hangs since 1m 1s",
        instance="r:1",
    ),
    step(
        "OutboxHorizonHeld",
        "mysql",
        "horizon_seconds",
        3600,
        3601,
        300,
        "warning",
        "session: a transaction is open since 1h 0m 1s",
        kind="session",
    ),
    step(
        "OutboxInboxGrowth",
        "connector",
        "table_rows",
        10_000_000,
        10_000_001,
        600,
        "warning",
        "the inbox in the database of shop has 10M rows",
        table="inbox",
    ),
    step(
        "OutboxVerdictFailed",
        "connector",
        "verdict",
        0,
        1,
        0,
        "critical",
        "shop: the last window of verify follow has failed",
        verdict="fail",
    ),
    step(
        "OutboxSystemUnanswered",
        "connector",
        "up",
        1,
        0,
        120,
        "critical",
        "shop: the connect does not answer the exporter",
        system="connect",
    ),
    step(
        "OutboxPartUnanswered",
        "table",
        "part_up",
        1,
        0,
        300,
        "warning",
        "shop: the figures of slot are missing",
        part="slot",
    ),
)
NO_PROGRESS = "shop: rows or log are written, and no event is confirmed"
INSERTED, END = (
    'outbox_kit_inserted_rows_total{service="shop",table="outbox"}',
    'outbox_kit_log_end_position{service="shop"}',
)
CONFIRMED = 'outbox_kit_confirmed_position{service="shop"}'
INBOX = 'outbox_kit_inserted_rows_total{service="shop",table="inbox"}'
RISING = "0+10x400"


def halted(rows: str, log: str) -> Mapping[str, str]:
    """The position changes for ten minutes and then not; others write all the time. rows, log: what is written."""
    return {
        INSERTED: rows,
        END: log,
        CONFIRMED: f"0+10x{CHANGE // INTERVAL - 1} {390}x400",
        INBOX: RISING,
        'outbox_kit_confirmed_position{service="other"}': constant(1),
        'outbox_kit_log_end_position{service="other"}': constant(1),
        'outbox_kit_inserted_rows_total{service="other",table="outbox"}': RISING,
    }


ENDS = "0+10x119 1190x400"
"""Written until 1785 seconds."""
STAYS = 'outbox_kit_oldest_seconds{service="shop"}'
SAFE = 'outbox_kit_slot_safe_bytes{service="shop",slot="shop_outbox"}'
ACTIVE = f"kafka_connect_source_record_active_count{{{JMX_TASK}}}"
WRITTEN = f"kafka_connect_source_record_write_total{{{JMX_TASK}}}"
TOTAL, RUNNING = (
    f'kafka_connect_connector_tasks{{connector="shop-outbox",state="{state}"}}' for state in ("total", "running")
)
WINDOW = 'outbox_kit_last_window_timestamp_seconds{service="shop"}'
UP = 'outbox_kit_up{service="shop",system="database"}'
CONNECTED = 'debezium_streaming_connected{server="shop"}'
CRITICAL = {"severity": "critical", "service": "shop"}
WARNING = CRITICAL | {"severity": "warning"}
OF_TASK = CRITICAL | {"connector": "shop-outbox", "task": "0"}
STUCK = "connector shop-outbox has records that Kafka does not accept"
FULL = f"{IN_SLOT} is lost within 4 h"
STAYING = "shop: the oldest unpublished row stays unpublished"
SILENT = "shop: verify follow has judged no window for"
WAITS = "shop: every relay waits for the database or for another relay"
EXPIRES = "shop: half of the retention of the binary log has passed since the oldest unpublished event"
KEPT = {'outbox_kit_log_keep_seconds{service="shop"}': constant(2592000)}


def never(alert: str, outbox: str, series: Mapping[str, str], *silent: int) -> AlertCase:
    """A case in which the alert does not fire at some times, in seconds."""
    return AlertCase(alert, outbox, series, silent, 0, {}, "")


def of_relay(number: int, service: str = "shop") -> str:
    return f'outbox_kit_relay_connected{{service="{service}",instance="{number}"}}'


def other(series: str) -> str:
    """The same series of another outbox."""
    return series.replace('"shop"', '"other"')


WITH_HISTORY: Sequence[AlertCase] = (
    AlertCase(
        *("OutboxNoProgress", "connector", halted(ENDS, constant(7))),
        *([600, 930, 2160], 945, CRITICAL, NO_PROGRESS),
        later=[2070],
    ),
    AlertCase(
        *("OutboxNoProgress", "connector", halted(constant(7), ENDS)),
        *([600, 930, 2160], 945, CRITICAL, NO_PROGRESS),
        later=[2070],
    ),
    never("OutboxNoProgress", "connector", halted(constant(7), constant(7)), 900, 1500, 3000),
    AlertCase("OutboxNoProgress", "mysql", halted(constant(7), RISING), [600, 930], 945, CRITICAL, NO_PROGRESS),
    AlertCase(
        *("OutboxOldestStays", "table", {STAYS: "_x40 0+15x400", other(STAYS): "0+15x400"}),
        *([600, 690], 705, CRITICAL, STAYING),
        later=[3000],
    ),
    AlertCase("OutboxOldestStays", "table", {STAYS: "0+15x79 1200x400"}, [1500], 1200, CRITICAL, STAYING),
    AlertCase("OutboxOldestStays", "table", {STAYS: "0x199 0+15x200"}, [3000], 3600, CRITICAL, STAYING),
    never("OutboxOldestStays", "table", {STAYS: "0+14.2x400"}, 1500, 3000),
    never("OutboxOldestStays", "table", {STAYS: " ".join(["0+15x12"] * 9)}, 945, 1140, 1335),
    AlertCase(
        *(
            "OutboxSlotFullSoon",
            "connector",
            {SAFE: "10000000000-10000000x400", SAFE.replace("shop_", "idle_"): "9x400"},
        ),
        *([900], 915, CRITICAL | SLOT, FULL),
    ),
    AlertCase(
        *("OutboxSlotFullSoon", "connector", {SAFE: "20000000000-400000000x39 4000000000x400"}),
        *([2460], 1200, CRITICAL | SLOT, FULL),
    ),
    AlertCase(
        *("OutboxLogExpires", "mysql", {STAYS: stepped(1296000, 1296001)}, [CHANGE - INTERVAL, CHANGE + 285]),
        *(CHANGE + 300, CRITICAL, EXPIRES, KEPT),
    ),
    AlertCase(
        *("OutboxRelayWaits", "table"),
        {of_relay(1): constant(0), of_relay(2): stepped(1, 0), of_relay(3, "other"): constant(0)},
        *([CHANGE - INTERVAL, CHANGE + 105], CHANGE + 120, CRITICAL, WAITS),
    ),
    AlertCase(
        *("OutboxVerifierSilent", "connector", {WINDOW: "0+15x40 stale", other(WINDOW): "0 stale"}),
        *([600, 1200], 1215, WARNING, f"{SILENT} 10m 15s"),
    ),
    AlertCase(
        *("OutboxVerifierSilent", "connector", {WINDOW: "0+15x40 stale"}, [600], 4200, WARNING, f"{SILENT} 1h 0m 0s"),
    ),
    AlertCase(
        *("OutboxExporterAbsent", "log", {UP: "1x39 stale", other(UP): constant(1)}),
        *([CHANGE - INTERVAL, CHANGE + 105], CHANGE + 120, CRITICAL, "shop: no exporter is scraped"),
    ),
    AlertCase(
        *("OutboxStreamingAbsent", "connector", {CONNECTED: "1x39 stale", other(CONNECTED): constant(1)}),
        *([585, 750], 780, CRITICAL | {"server": "shop"}, "no worker reports that shop streams changes"),
    ),
    AlertCase(
        *("OutboxWriteStuck", "connector", {ACTIVE: "0x39 1x400", WRITTEN: "0+5x39 195x400"}),
        *([600, 765], 780, OF_TASK, STUCK),
    ),
    AlertCase(
        *("OutboxWriteStuck", "connector", {ACTIVE: constant(1), WRITTEN: "0+5x39 195x400"}),
        *([600, 750], 765, OF_TASK, STUCK),
    ),
    never("OutboxWriteStuck", "connector", {ACTIVE: "0x20 1x400", WRITTEN: RISING}, 1500),
    never("OutboxWriteStuck", "connector", {ACTIVE: constant(0), WRITTEN: constant(7)}, 1500),
    AlertCase(
        *("OutboxTaskNotStarted", "connector", {TOTAL: constant(1), RUNNING: "1x39 stale"}, [600, CHANGE + 105]),
        *(CHANGE + 120, CRITICAL | {"connector": "shop-outbox", "state": "total"}),
        "the task of connector shop-outbox does not finish its start",
    ),
    never("OutboxTaskNotStarted", "connector", {TOTAL: constant(0)}, 1500),
)
ALL = (*CASES, *WITH_HISTORY)
