"""`schema`: the schema file's own JSON Schema."""

import json

from outbox_kit.cli import app
from outbox_kit.cli.options import Check, Out
from outbox_kit.cli.output import deliver


@app.command("schema")
def schema(out: Out = None, check: Check = False) -> None:
    """Print the JSON Schema of outbox.yaml, for editors."""
    from outbox_kit.schema.jsonschema import jsonschema

    deliver(json.dumps(jsonschema(), indent=2) + "\n", out, check=check)
