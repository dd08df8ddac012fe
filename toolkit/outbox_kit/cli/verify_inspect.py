"""`verify inspect`: one record, and what is wrong with it."""

import re
import time
from typing import Annotated

import typer

from outbox_kit.cli.options import (
    DEFAULT_BOOTSTRAP,
    DEFAULT_PATH,
    Bootstrap,
    KafkaConfig,
    Registry,
    SchemaPath,
    Service,
    Timeout,
    cluster,
    limited,
    outbox_from,
)
from outbox_kit.cli.output import show
from outbox_kit.cli.verify import verify_app
from outbox_kit.errors import UnknownName, UsageProblem

# topic-3@17, as reports write it, or topic:3:17
PLACE = re.compile(r"(?P<topic>.+?)(?:-(?P<p>\d+)@(?P<o>\d+)|:(?P<p2>\d+):(?P<o2>\d+))")


@verify_app.command("inspect")
def inspect(
    ctx: typer.Context,
    where: Annotated[str, typer.Argument(metavar="TOPIC-PARTITION@OFFSET", help="The record, as a report names it.")],
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    kafka_config: KafkaConfig = None,
    registry: Registry = None,
    values: Annotated[bool, typer.Option("--show-value", help="Show the payload too, whole.")] = False,
    timeout: Timeout = 30.0,
) -> None:
    """Show one record as it is on the topic, and every finding about it.

    Exit code 1: something is wrong with it.
    """
    from outbox_kit.verify.contract import contract
    from outbox_kit.verify.reading import inspect as verify

    match = PLACE.fullmatch(where)
    if not match:
        raise UsageProblem(f"'{where}' is no record", fix="write it as a report does: topic-partition@offset")
    topic, partition = match["topic"], int(match["p"] or match["p2"])
    offset = int(match["o"] or match["o2"])
    limited(ctx, timeout)
    log = cluster(bootstrap, kafka_config)
    partitions = log.topics()
    if partition >= partitions.get(topic, 0):
        raise UnknownName(f"no partition {partition} of a topic '{topic}'", where=bootstrap)
    record = verify.record(log, topic, partition, offset, time.monotonic() + timeout)
    expected = contract(outbox_from(file, service), registry)
    findings = verify.findings(expected, topic, partition, record, partitions[topic])
    show(verify.text(record, findings, in_full=values), nl=False)
    if findings:
        raise typer.Exit(1)
