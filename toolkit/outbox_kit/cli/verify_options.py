"""The options of `verify`, under what they are for."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli.options import without_password
from outbox_kit.cli.reporting import PANEL

INPUT, COMPARED, LIMITS, CONTINUOUS = "Input", "Compare with", "Limits", "Continuous verification"


class EngineChoice(StrEnum):
    """Where a verification remembers events."""

    auto = "auto"
    memory = "memory"
    spool = "spool"
    spark = "spark"


class Fence(StrEnum):
    """How it is known that the connector has passed the last row."""

    slot = "slot"
    canary = "canary"


ConnectToo = Annotated[
    str | None,
    typer.Option(
        "--connect",
        envvar="OUTBOX_KIT_CONNECT",
        help="Kafka Connect, to look at the connector too.",
        callback=without_password,
        rich_help_panel=COMPARED,
    ),
]
Messages = Annotated[
    Path | None,
    typer.Option(
        "--messages",
        help="Check these messages instead of topics, without a broker; - is stdin.",
        rich_help_panel=INPUT,
    ),
]
From = Annotated[
    str,
    typer.Option(
        "--from",
        help="beginning, end-1000, ts:2026-11-20T10:00:00Z or offsets:FILE.",
        rich_help_panel=INPUT,
    ),
]
To = Annotated[
    str, typer.Option("--to", help="now, ts:TIME or offsets:FILE; loss is not checked then.", rich_help_panel=INPUT)
]
OffsetsOut = Annotated[
    Path | None,
    typer.Option(help="Write where the reading ended, for --from offsets:FILE the next time.", rich_help_panel=INPUT),
]
LedgerFile = Annotated[
    Path | None,
    typer.Option(
        help="What the application says it published, as NDJSON or .parquet, in place of the table.",
        rich_help_panel=COMPARED,
    ),
]
NoLedger = Annotated[
    bool,
    typer.Option(
        "--no-ledger", help="Leave the outbox table out: loss is not to be checked.", rich_help_panel=COMPARED
    ),
]
AllowInconclusive = Annotated[
    bool,
    typer.Option(
        "--allow-inconclusive", help="End in 0 where something could not be looked at.", rich_help_panel=PANEL
    ),
]
MaxLatency = Annotated[
    int | None,
    typer.Option(
        "--max-latency", min=1, help="Milliseconds from row to message that 99 % may take.", rich_help_panel=PANEL
    ),
]
Timeout = Annotated[
    float,
    typer.Option(min=1, help="Seconds for everything; of each window, with verify follow.", rich_help_panel=LIMITS),
]
Settle = Annotated[float, typer.Option(min=0, help="Seconds to wait for open transactions.", rich_help_panel=LIMITS)]
CatchUp = Annotated[
    float,
    typer.Option(min=0, help="Seconds to wait for the connector, where rows are absent.", rich_help_panel=COMPARED),
]
FenceBy = Annotated[
    Fence | None,
    typer.Option(
        help="How it is known that the connector passed the last row: slot asks, canary writes a row.",
        show_default="slot; canary where the database has no slots",
        rich_help_panel=COMPARED,
    ),
]
EngineName = Annotated[
    EngineChoice,
    typer.Option(
        help="Where events are remembered: memory, spool (on disk), or spark; auto takes what fits.",
        rich_help_panel=LIMITS,
    ),
]
MemoryLimit = Annotated[str, typer.Option(help="What it may take, as 512MiB or 2GiB.", rich_help_panel=LIMITS)]
Workers = Annotated[
    int, typer.Option(min=1, help="Processes that read, a group of partitions each.", rich_help_panel=LIMITS)
]
SpoolDir = Annotated[
    Path | None,
    typer.Option(
        help="Where the spool is, for as long as it is needed; the system's place otherwise.",
        rich_help_panel=LIMITS,
    ),
]
SparkSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--spark", help="SETTING=VALUE of Spark's session, as spark.master; repeatable.", rich_help_panel=LIMITS
    ),
]
MostFindings = Annotated[
    int, typer.Option("--max-findings", min=1, help="Samples kept of each finding.", rich_help_panel=PANEL)
]
Every = Annotated[float, typer.Option(min=0.1, help="Seconds from window to window.", rich_help_panel=CONTINUOUS)]
Windows = Annotated[
    int | None,
    typer.Option(min=1, help="End after so many, with the worst one's exit code.", rich_help_panel=CONTINUOUS),
]
StateFolder = Annotated[
    Path | None,
    typer.Option(help="A folder to go on from, whenever and however it was ended.", rich_help_panel=CONTINUOUS),
]
Remember = Annotated[
    int, typer.Option(min=1, help="Windows in which a copy is told from disorder.", rich_help_panel=CONTINUOUS)
]
MetricsPlaces = Annotated[
    list[str] | None,
    typer.Option(
        help="[HOST:]PORT for Prometheus to scrape, or FILE.prom to write; repeatable.", rich_help_panel=CONTINUOUS
    ),
]
