"""MongoDB's outboxes, and its validator as a checker of JSON Schema with its types."""

from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema

from outbox_kit.render import documents
from outbox_kit.schema.model import Outbox
from tests.support import example_files

EXAMPLES = Path(__file__).parents[1] / "examples"
OUTBOXES = {outbox.service: outbox for outbox in example_files.of("mongodb")}
KINDS = {
    "object": dict,
    "string": str,
    "bool": bool,
    "binData": bytes,
    "date": datetime,
    "null": type(None),
    "int": int,
    "long": int,
}
CHECKER = jsonschema.Draft4Validator.TYPE_CHECKER.redefine_many(
    {
        kind: lambda _, value, own=own: isinstance(value, own) and (own is not int or not isinstance(value, bool))
        for kind, own in KINDS.items()
    }
)
Validator = jsonschema.validators.extend(
    jsonschema.Draft4Validator,
    {"bsonType": jsonschema.Draft4Validator.VALIDATORS["type"]},  # the same word for types of MongoDB's own
    type_checker=CHECKER,
)


def accepts(outbox: Outbox, document: dict[str, Any]) -> bool:
    return bool(Validator(documents.validator(outbox)["$jsonSchema"]).is_valid(document))
