"""`verify shard`: one machine's part of a reading that is too large for one."""

import re
from pathlib import Path
from typing import Annotated

import typer

from outbox_kit.cli.destination import folder_option
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
    size,
)
from outbox_kit.cli.output import say, show, show_json
from outbox_kit.cli.verify import verify_app
from outbox_kit.cli.verify_options import MemoryLimit, Workers
from outbox_kit.cli.verify_request import LimitOptions
from outbox_kit.errors import UsageProblem


@verify_app.command("shard")
def shard(
    ctx: typer.Context,
    of: Annotated[str, typer.Option("--of", metavar="PART/PARTS", help="The part to read, such as 2/5.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="FOLDER", help="A new or empty folder for the result.", callback=folder_option
        ),
    ],
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    bootstrap: Bootstrap = DEFAULT_BOOTSTRAP,
    kafka_config: KafkaConfig = None,
    registry: Registry = None,
    memory: MemoryLimit = LimitOptions.memory,
    workers: Workers = LimitOptions.workers,
    timeout: Timeout = 3600.0,
    output: OutputFormat = Format.text,
) -> None:
    """Read one part of the partitions, for `verify merge`.

    Run it on each machine with the same schema file and another part. What is not read in time, merge reads.
    """
    from outbox_kit.verify.reading import read_pass
    from outbox_kit.verify.request import Request, Resources, Waits

    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", of)
    if not match or int(match[1]) > int(match[2]):
        raise UsageProblem(f"invalid --of '{of}': expected PART/PARTS", fix="for the second of five parts: --of 2/5")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageProblem("the folder is not empty", where=str(out), fix="name another one, or remove it")
    limited(ctx, timeout)
    outbox = outbox_from(file, service, env)
    request = Request(
        outbox,
        cluster(bootstrap, kafka_config),
        registry=registry,
        waits=Waits(timeout),
        resources=Resources("disk", size(memory, least=256), workers),
    )
    read = read_pass.shard(request, int(match[1]), int(match[2]), out, say)
    records = sum(r.end - r.start for r in read.ranges)
    if output is Format.json:
        document = {
            "schema": "outbox-kit/shard/v1",
            "folder": str(out),
            "offsets": records,
            "partitions": len(read.ranges),
        }
        show_json(document)
    else:
        show(f"'{out}' contains {records:,} offsets of {len(read.ranges)} partitions")
