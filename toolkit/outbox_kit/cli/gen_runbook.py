"""`gen-runbook`: print, write or check the runbook."""

from outbox_kit.cli import app
from outbox_kit.cli.options import DEFAULT_PATH, Check, Env, Format, Out, OutputFormat, SchemaPath, Service, outbox_from
from outbox_kit.cli.output import deliver, say


@app.command("gen-runbook")
def gen_runbook(
    file: SchemaPath = DEFAULT_PATH,
    service: Service = None,
    env: Env = None,
    out: Out = None,
    check: Check = False,
    output: OutputFormat = Format.text,
) -> None:
    """Write the runbook of this outbox in Markdown: what to do when it fails, and how to change it."""
    from outbox_kit.render.runbook import runbook
    from outbox_kit.wire.routes import Routes

    outbox = outbox_from(file, service, env)
    arguments = [] if file == DEFAULT_PATH else ["-f", str(file)]
    arguments += ["--service", service] if service else []
    routes = Routes(outbox)
    if routes.caveat:
        say(f"warning: the topics are {routes.caveat}")
    deliver({out: runbook(routes, arguments=tuple(arguments))}, check=check, as_json=output is Format.json)
