"""The steps of the demonstration, each run as the command that a user would type."""

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from outbox_kit.databases.postgres.session import session
from outbox_kit.demo import shop
from outbox_kit.errors import EnvironmentProblem
from outbox_kit.stack import Stack

SERVICE = "shop"


@dataclass(frozen=True)
class DemoContext:
    """Where the demonstration runs."""

    folder: Path
    stack: Stack


def set_up(context: DemoContext) -> None:
    """Schema file, table and connector."""
    events = [word for event, aggregate in shop.EVENTS.items() for word in ("-e", f"{event}:{aggregate}")]
    title("Write a schema file with four events, and a JSON Schema for each")
    kit(
        context,
        "init",
        "--service",
        SERVICE,
        "--host",
        context.stack.postgres_host,
        "--port",
        str(context.stack.postgres_port),
        *events,
    )
    for event in shop.EVENTS:
        _fill_in(context.folder, event)
    say("the demo has replaced the four JSON Schemas by its own: see schemas/")

    title("Create the table, its CHECKs and the connector's role")
    say(f"$ createdb {SERVICE}")
    with session(context.stack.postgres_dsn, autocommit=True) as connection:
        connection.execute(f"create database {SERVICE}".encode())
    kit(context, "gen-ddl", "--apply", "--password-env", "OUTBOX_DB_PASSWORD")

    title("Register the connector, and prove with a canary row that events arrive")
    kit(context, "deploy-connector", "--probe", "--yes")


def sell(context: DemoContext, orders: int) -> shop.ShopResult:
    """Write the shop's events."""
    title(f"Write the events of {orders} orders in four sessions, and roll some transactions back")
    began = time.monotonic()
    sales = shop.trade(context.stack.environment(SERVICE)["OUTBOX_KIT_DSN"], orders=orders)
    say(f"{sales.committed} transactions committed, with {sales.committed_events} events")
    say(f"{sales.rolled_back} rolled back, with {sales.rolled_back_events} events that must not be published")
    say(f"time: {time.monotonic() - began:.1f} s")
    return sales


def prove(context: DemoContext) -> int:
    """Verify, and write the runbook. Returns verify's exit code."""
    title("Verify the topics against the table")
    reports = ["--report", "html=report.html", "--report", "json=report.json", "--report", "junit=report.xml"]
    code = kit(context, "verify", *reports, allowed=(0, 1, 3))
    title("Write the runbook")
    kit(context, "gen-runbook", "--out", "RUNBOOK.md")
    return code


def kit(context: DemoContext, *arguments: str, allowed: Sequence[int] = (0,)) -> int:
    """Run one outbox-kit command in the demonstration's folder, showing it as it is typed.

    Raises EnvironmentProblem where it ends in another exit code than the allowed ones.
    """
    say(f"$ outbox-kit {shlex.join(arguments)}")
    done = subprocess.run(
        [sys.executable, "-m", "outbox_kit", *arguments],
        cwd=context.folder,
        env={**os.environ, **context.stack.environment(SERVICE)},
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode not in allowed:
        raise EnvironmentProblem(
            f"the step 'outbox-kit {arguments[0]}' ended in exit code {done.returncode}",
            fix="see its message above; the stack of the demo is taken down",
        )
    return done.returncode


def title(text: str) -> None:
    """A heading between two steps."""
    print(f"\n── {text}", flush=True)


def say(text: str) -> None:
    """A line of the demonstration's own, in order with what the commands print."""
    print(text, flush=True)


def _fill_in(folder: Path, event: str) -> None:
    """Put the shop's own JSON Schema where `init` has written an open one."""
    schema_file = next(
        path
        for path in sorted((folder / "schemas").glob("*.json"))
        if json.loads(path.read_text(encoding="utf-8")).get("title") == event
    )
    schema_file.write_text(json.dumps(shop.contract(event), indent=2) + "\n", encoding="utf-8")
