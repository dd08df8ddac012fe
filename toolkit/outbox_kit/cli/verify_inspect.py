"""`verify inspect`: one record, and what is wrong with it."""

import time
from collections.abc import Mapping
from typing import Annotated

import typer

from outbox_kit.cli.options import (
    DEFAULT_BOOTSTRAP,
    DEFAULT_PATH,
    Bootstrap,
    Env,
    Format,
    KafkaConfig,
    OutputFormat,
    Registry,
    SchemaPath,
    Service,
    Timeout,
    cluster,
    limited,
    outbox_from,
)
from outbox_kit.cli.output import show, show_json
from outbox_kit.cli.verify import verify_app
from outbox_kit.errors import UnknownName, UsageProblem
from outbox_kit.lazy_pattern import lazy_pattern

# topic-3@17, as reports write it, or topic:3:17
PLACE = lazy_pattern(r"(?P<topic>.+?)(?:-(?P<p>\d+)@(?P<o>\d+)|:(?P<p2>\d+):(?P<o2>\d+))")


def _next(partitions: Mapping[str, int], topic: str) -> str:
    """What to do about a message that does not exist. partitions: by topic."""
    from outbox_kit.schema.nearest import similar

    if topic in partitions:
        return f"name a partition from 0 to {partitions[topic] - 1}"
    near = similar(topic, list(partitions))
    return f"did you mean {near}?" if near else "name a topic of the report"


@verify_app.command("inspect")
def inspect(
    ctx: typer.Context,
    where: Annotated[str, typer.Argument(metavar="TOPIC-PARTITION@OFFSET", help="The message, as in reports.")],
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    kafka_config: KafkaConfig = None,
    registry: Registry = None,
    values: Annotated[bool, typer.Option("--show-value", help="Also show the complete payload.")] = False,
    timeout: Timeout = 30.0,
    output: OutputFormat = Format.text,
) -> None:
    """Show one message and its findings.

    Exit code 1: it has findings.
    """
    from outbox_kit.verify.contract import contract
    from outbox_kit.verify.reading import inspect as verify

    match = PLACE.fullmatch(where)
    if not match:
        raise UsageProblem(
            f"invalid message '{where}': expected TOPIC-PARTITION@OFFSET",
            fix="outbox-kit verify inspect outbox.event.Order-0@17",
        )
    topic, partition = match["topic"], int(match["p"] or match["p2"])
    offset = int(match["o"] or match["o2"])
    limited(ctx, timeout)
    log = cluster(bootstrap, kafka_config)
    partitions = log.topics()
    if partition >= partitions.get(topic, 0):
        raise UnknownName(
            f"topic '{topic}' not found"
            if topic not in partitions
            else f"topic '{topic}' has no partition {partition}",
            where=bootstrap,
            fix=_next(partitions, topic),
        )
    record = verify.record(log, topic, partition, offset, time.monotonic() + timeout)
    expected = contract(outbox_from(file, service, env), registry)
    findings = verify.findings(expected, topic, partition, record, partitions[topic])
    if output is Format.json:
        show_json(verify.document(record, findings, in_full=values))
    else:
        show(verify.text(record, findings, in_full=values), nl=False)
    if findings:
        raise typer.Exit(1)
