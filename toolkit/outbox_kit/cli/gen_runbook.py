"""`gen-runbook`: print, write or check the runbook."""

from typing import Annotated

import typer

from outbox_kit.cli import app
from outbox_kit.cli.options import DEFAULT_PATH, Check, Env, Format, Out, OutputFormat, SchemaPath, Service, outbox_from
from outbox_kit.cli.output import deliver, say

PAGES = (".html", ".htm")


@app.command("gen-runbook")
def gen_runbook(
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    out: Out = None,
    html: Annotated[
        bool,
        typer.Option("--html", help="One HTML page in place of Markdown; the default if --out ends in .html."),
    ] = False,
    check: Check = False,
    output: OutputFormat = Format.text,
) -> None:
    """Write the runbook of this outbox: what to do when it fails, and how to change it.

    A chapter for each fault, with a decision table, commands to copy, and what they must show.
    """
    from outbox_kit.render import runbook
    from outbox_kit.wire.routes import Routes

    outbox = outbox_from(file, service, env)
    arguments = [] if file == DEFAULT_PATH else ["-f", str(file)]
    arguments += ["--service", service] if service else []
    routes = Routes(outbox)
    if routes.caveat:
        say(f"warning: the topics are {routes.caveat}")
    written = runbook.html if html or (out is not None and out.suffix in PAGES) else runbook.runbook
    deliver({out: written(routes, arguments=tuple(arguments))}, check=check, as_json=output is Format.json)
