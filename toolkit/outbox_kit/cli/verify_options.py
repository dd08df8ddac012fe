"""The options of `verify`, under what they are for."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli.destination import file_option, folder_option
from outbox_kit.cli.options import FILE as FILE_NAME
from outbox_kit.cli.options import FOLDER, NAME, SECONDS, URL, without_password
from outbox_kit.cli.parsing import ADVANCED
from outbox_kit.cli.reporting import PANEL

COMPARED, INPUT, CONTINUOUS = "Compare with", "Messages", "Continuous verification"


class EngineChoice(StrEnum):
    """Where a verification stores the events it has read."""

    auto = "auto"
    memory = "memory"
    disk = "disk"
    spark = "spark"


class CatchUpMethod(StrEnum):
    """How to detect that the connector has caught up."""

    slot = "slot"
    canary = "canary"


ConnectToo = Annotated[
    str | None,
    typer.Option(
        "--connect",
        envvar="OUTBOX_KIT_CONNECT",
        help="Kafka Connect's REST API; also checks the connector.",
        metavar=URL,
        callback=without_password,
        rich_help_panel=COMPARED,
    ),
]
Messages = Annotated[
    Path | None,
    typer.Option(
        "--messages",
        help="Check captured messages in JSON, without a broker; - for stdin.",
        metavar=FILE_NAME,
        rich_help_panel=INPUT,
    ),
]
Queue = Annotated[
    str | None,
    typer.Option(
        "--queue",
        help="Read this queue of RabbitMQ at OUTBOX_KIT_SINK_URL in place of topics; it must have no consumers.",
        metavar=NAME,
        rich_help_panel=INPUT,
    ),
]
From = Annotated[
    str,
    typer.Option(
        "--from",
        help="First message: beginning, end-1000, ts:2026-11-20T10:00:00Z or offsets:FILE.",
        metavar="POSITION",
        rich_help_panel=INPUT,
    ),
]
To = Annotated[
    str,
    typer.Option(
        "--to",
        help="Last message: now, ts:TIME or offsets:FILE. Except with now, loss is not checked.",
        metavar="POSITION",
        rich_help_panel=ADVANCED,
    ),
]
OffsetsOut = Annotated[
    Path | None,
    typer.Option(
        help="Write the offsets that were read up to, for the next run's --from offsets:FILE.",
        metavar=FILE_NAME,
        callback=file_option,
        rich_help_panel=ADVANCED,
    ),
]
PublishedLogFile = Annotated[
    Path | None,
    typer.Option(
        "--published-log",
        help="Compare with the application's own record of events, NDJSON or Parquet.",
        metavar=FILE_NAME,
        rich_help_panel=COMPARED,
    ),
]
NoTable = Annotated[
    bool,
    typer.Option("--no-table", help="Leave out the outbox table; loss is not checked.", rich_help_panel=COMPARED),
]
AllowInconclusive = Annotated[
    bool,
    typer.Option("--allow-inconclusive", help="Exit 0 even if some checks could not be made.", rich_help_panel=PANEL),
]
MaxLatency = Annotated[
    int | None,
    typer.Option(
        "--max-latency",
        min=1,
        help="Fail if the 99th percentile of the latency from row to message exceeds this.",
        metavar="MILLISECONDS",
        rich_help_panel=ADVANCED,
    ),
]
Timeout = Annotated[
    float,
    typer.Option(min=1, help="Limit for the run; with follow, for each window.", metavar=SECONDS),
]
OpenTransactionTimeout = Annotated[
    float,
    typer.Option(
        "--open-tx-timeout",
        min=0,
        help="How long to wait for open transactions, such as that of a producer that was killed; with follow, at most "
        "10 s in each window.",
        metavar=SECONDS,
        rich_help_panel=ADVANCED,
    ),
]
CatchUpTimeout = Annotated[
    float,
    typer.Option(
        "--catch-up-timeout",
        min=0,
        help="How long to wait for the connector to catch up.",
        metavar=SECONDS,
        rich_help_panel=ADVANCED,
    ),
]
CatchUpBy = Annotated[
    CatchUpMethod | None,
    typer.Option(
        "--catch-up-method",
        help="How to detect that the connector has caught up: by the replication slot, or by a canary row.",
        show_default="slot; canary if the database has no replication slots",
        rich_help_panel=ADVANCED,
    ),
]
EngineName = Annotated[
    EngineChoice,
    typer.Option(
        help="Where to store the events read: in memory, on disk, or in Spark. auto: memory while it is enough.",
        rich_help_panel=ADVANCED,
    ),
]
MemoryLimit = Annotated[
    str,
    typer.Option(help="Memory limit, such as 512MiB or 2GiB.", metavar="SIZE", rich_help_panel=ADVANCED),
]
Workers = Annotated[
    int,
    typer.Option(
        min=1, help="Processes that read, each a group of partitions.", metavar="NUMBER", rich_help_panel=ADVANCED
    ),
]
TempDir = Annotated[
    Path | None,
    typer.Option(
        "--temp-dir",
        help="Where to store events on disk during the run; the system's temporary folder if left out.",
        metavar=FOLDER,
        rich_help_panel=ADVANCED,
    ),
]
SparkSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--spark",
        help="A setting of the Spark session, such as spark.master=local[2]; repeatable.",
        metavar="SETTING=VALUE",
        rich_help_panel=ADVANCED,
    ),
]
MostFindings = Annotated[
    int,
    typer.Option(
        "--max-findings", min=1, help="Samples to keep of each finding.", metavar="NUMBER", rich_help_panel=ADVANCED
    ),
]
Interval = Annotated[
    float,
    typer.Option(
        "--interval", min=0.1, help="Time from window to window.", metavar=SECONDS, rich_help_panel=CONTINUOUS
    ),
]
Windows = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="End after this many windows, with the exit code of the worst.",
        metavar="NUMBER",
        rich_help_panel=CONTINUOUS,
    ),
]
StateFolder = Annotated[
    Path | None,
    typer.Option(
        help="Store the state here, and resume from it after any end.",
        metavar=FOLDER,
        callback=folder_option,
        rich_help_panel=CONTINUOUS,
    ),
]
DedupWindows = Annotated[
    int,
    typer.Option(
        "--dedup-windows",
        min=1,
        help="Past windows in which duplicates are recognised.",
        metavar="NUMBER",
        rich_help_panel=CONTINUOUS,
    ),
]
MetricsPlaces = Annotated[
    list[str] | None,
    typer.Option(
        help="Serve Prometheus metrics at [HOST:]PORT, or write them to FILE.prom; repeatable.",
        metavar="PLACE",
        rich_help_panel=CONTINUOUS,
    ),
]
