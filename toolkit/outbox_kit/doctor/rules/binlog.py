"""Rules about a binary log, which the server deletes by age, whether or not a connector has read it."""

from collections.abc import Iterator

from outbox_kit.databases.interface import LONG_WEEKEND_HOURS
from outbox_kit.delivery.slots import size
from outbox_kit.doctor.needs import BINLOG, CONNECTOR
from outbox_kit.doctor.needs import SystemNeed as Need
from outbox_kit.doctor.observation import SystemObservation
from outbox_kit.doctor.rule import SystemViolation, rule
from outbox_kit.findings.rule import Severity

WHOLE_ROWS = {
    "binlog_format": "ROW",
    "binlog_row_image": "FULL",
    "binlog_row_value_options": "",
    "log_bin_compress": "OFF",
}
"""What the log must be for the connector to read rows from it; not every server has all settings."""
REPUBLISH = (
    "outbox-kit remove --reset-offsets --allow-destructive, then outbox-kit deploy-connector --probe; the initial "
    "snapshot publishes all rows of the table again"
)


def _hint(system: SystemObservation, name: str) -> str:
    return system.database.hints.get(name, "") if system.database else ""


def _value(system: SystemObservation, name: str) -> str | None:
    setting = system.database.settings.get(name) if system.database else None
    return setting.value if setting else None


@rule("DOC-BINLOG-01", Severity.error, fix="switch the binary log on, and give the server an id", needs=BINLOG)
def written(system: SystemObservation) -> Iterator[SystemViolation]:
    """The server writes a binary log, and has an id.

    The connector reads nothing else.
    """
    if system.database and system.database.binary_log and not system.database.binary_log.file:
        yield SystemViolation("log_bin is OFF", "log_bin", _hint(system, "log_bin"))
    if _value(system, "server_id") == "0":
        yield SystemViolation("server_id is 0", "server_id", _hint(system, "server_id"))


@rule("DOC-BINLOG-02", Severity.error, fix="let the log contain whole rows", needs=BINLOG)
def whole_rows(system: SystemObservation) -> Iterator[SystemViolation]:
    """The binary log contains whole rows.

    The validation of the connector accepts other settings; its task fails, or events lack columns.
    """
    for name, expected in WHOLE_ROWS.items():
        value = _value(system, name)
        if value is not None and value.upper() != expected:
            yield SystemViolation(f"{name} is '{value}', expected '{expected}'", name, _hint(system, name))


@rule(
    "DOC-BINLOG-03",
    Severity.warning,
    fix="raise binlog_expire_logs_seconds",
    needs=(*BINLOG, Need.log_written),
)
def retention(system: SystemObservation) -> Iterator[SystemViolation]:
    """The binary log is kept longer than an outage may last.

    The server deletes it by age, read or not: a connector that stops for longer loses events.
    """
    log = system.database.binary_log if system.database else None
    if log and log.keep_seconds is not None and log.keep_seconds < LONG_WEEKEND_HOURS * 3600:
        name = "binlog_expire_logs_seconds"
        text = f"binary logs are deleted after {log.keep_seconds / 3600:.1f} h; {size(log.size)} are kept now"
        yield SystemViolation(text, name, _hint(system, name))


@rule("DOC-BINLOG-04", Severity.error, fix=REPUBLISH, needs=(*BINLOG, Need.log_written, *CONNECTOR, Need.offsets))
def position_kept(system: SystemObservation) -> Iterator[SystemViolation]:
    """The server has the file of the binary log from which the connector continues.

    The connector's task fails. The events since then are in the outbox table only.
    """
    log = system.database.binary_log if system.database else None
    for entry in system.connect.offsets or () if system.connect else ():
        file = (entry["offset"] or {}).get("file")
        if log and file and file not in log.files:
            first = log.files[0] if log.files else "none"
            text = f"the stored offset is in {file}, which the server does not have (the oldest file is {first})"
            yield SystemViolation(text, str(file))
