"""`verify shard`: one machine's part of a reading that is too large for one."""

import re
from pathlib import Path
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
    cluster,
    limited,
    outbox_from,
    size,
)
from outbox_kit.cli.output import say, show
from outbox_kit.cli.verify import verify_app
from outbox_kit.cli.verify_options import MemoryLimit, Workers
from outbox_kit.cli.verify_request import LimitOptions
from outbox_kit.errors import UsageProblem


@verify_app.command("shard")
def shard(
    ctx: typer.Context,
    of: Annotated[str, typer.Option("--of", help="Which part, as 2/5: the second of five.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="A folder that is not there yet, or is empty.")],
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    kafka_config: KafkaConfig = None,
    registry: Registry = None,
    memory: MemoryLimit = LimitOptions.memory,
    workers: Workers = LimitOptions.workers,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds for everything.")] = 3600.0,
) -> None:
    """Read and examine a part of the partitions, to be judged with the other parts by `verify merge`.

    Each machine is given the same schema file and another number. What is not read in time, merge reads.
    """
    from outbox_kit.verify.reading import read_pass
    from outbox_kit.verify.request import Request, Resources, Waits

    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", of)
    if not match or int(match[1]) > int(match[2]):
        raise UsageProblem(f"'{of}' is no part", fix="write --of 2/5 for the second of five")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageProblem("the folder is not empty", where=str(out), fix="name another one, or remove it")
    limited(ctx, timeout)
    outbox = outbox_from(file, service)
    request = Request(
        outbox,
        cluster(bootstrap, kafka_config),
        registry=registry,
        waits=Waits(timeout),
        resources=Resources("spool", size(memory, least=256), workers),
    )
    read = read_pass.shard(request, int(match[1]), int(match[2]), out, say)
    records = sum(r.end - r.start for r in read.ranges)
    show(f"{records:,} offsets of {len(read.ranges)} partitions are in '{out}'")
