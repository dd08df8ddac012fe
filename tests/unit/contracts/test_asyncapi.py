"""AsyncAPI out of a schema file and back again; and of documents that others wrote."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from ruamel.yaml import YAML
from typer.testing import CliRunner

from outbox_kit.cli import app
from outbox_kit.compat.diff import changes
from outbox_kit.compat.schemas import Assumption
from outbox_kit.contracts.asyncapi import document
from outbox_kit.contracts.imported import imported
from outbox_kit.contracts.yaml import written
from outbox_kit.errors import BadConfigFile, BadSchemaFile
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import complaints, read
from outbox_kit.wire.routes import Routes
from tests.unit.lint.outboxes import OUTBOXES

EXAMPLES = Path(__file__).parents[2] / "examples"


def loaded(text: str) -> Any:
    return YAML(typ="safe").load(text)


@given(OUTBOXES)
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_out_and_back_is_the_same_outbox(tmp_path_factory: pytest.TempPathFactory, outbox: dict[str, Any]) -> None:
    path, out = tmp_path_factory.getbasetemp() / "contract.yaml", StringIO()
    YAML(typ="safe", pure=True).dump(outbox, out)
    path.write_text(out.getvalue())
    try:
        (before,) = read(path).outboxes
    except BadSchemaFile:
        assume(False)
    back = imported(loaded(written(document(before, "1.0.0"))), "contract.yaml")
    assert back.skipped == []
    assert Outbox.model_validate(back.outbox) == before


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.yaml")), ids=lambda path: path.stem)
def test_an_example_keeps_its_own_contract(path: Path) -> None:
    for outbox in read(path).outboxes:
        found = document(outbox, "1.0.0")
        for name, message in found["components"]["messages"].items():
            payload = {**found, "$ref": f"#/components/messages/{name}/payload"}  # its references begin at the document
            for example in message.get("examples", ()):
                jsonschema_rs.validate(message["headers"], example["headers"])
                jsonschema_rs.validate(payload, example["payload"])


@pytest.mark.parametrize(
    ("kind", "content"), [("avro", "avro/binary"), ("protobuf", "application/protobuf"), ("json", "application/json")]
)
def test_a_reader_is_told_where_a_payload_s_schema_is(kind: str, content: str) -> None:
    (outbox,) = read(EXAMPLES / "minimal.yaml").outboxes
    table = outbox.table.model_copy(update={"payload": "bytes", "registry": kind})
    found = document(outbox.model_copy(update={"table": table}), "1.0.0")
    for message in found["components"]["messages"].values():
        assert message["contentType"] == found["defaultContentType"] == content
        binding = message["bindings"]["kafka"]
        assert (binding["schemaIdLocation"], binding["schemaIdPayloadEncoding"]) == ("payload", "confluent")


AVRO = "application/vnd.apache.avro;version=1.9.0"


def foreign(**changed: Any) -> dict[str, Any]:
    """A document as others write them: messages in components, headers by reference."""
    return {
        "asyncapi": "3.1.0",
        "info": {"title": "Shop Orders!", "version": "2.0.0"},
        "channels": {
            "orders": {
                "address": "shop.orders",
                "messages": {"placed": {"$ref": "#/components/messages/OrderPlaced"}},
                "bindings": {"kafka": {"partitions": 12, "replicas": 3}},
            },
            "carts": {"address": "shop.carts", "messages": {"opened": {"$ref": "#/components/messages/CartOpened"}}},
            "inbox": {"address": "billing.paid", "messages": {"paid": {"payload": {"type": "object"}}}},
        },
        "operations": {
            "a": {"action": "send", "channel": {"$ref": "#/channels/orders"}},
            "b": {"action": "send", "channel": {"$ref": "#/channels/carts"}},
            "c": {"action": "receive", "channel": {"$ref": "#/channels/inbox"}},
        },
        "components": {
            "schemas": {
                "Money": {"type": "string", "pattern": "^[0-9.]+$"},
                "Node": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}},
            },
            "messages": {
                "OrderPlaced": {
                    "name": "OrderPlaced",
                    "summary": "somebody bought",
                    "headers": {
                        "type": "object",
                        "required": ["X-Tenant"],
                        "properties": {
                            "X-Tenant": {"type": "string", "enum": ["eu", "us"]},
                            "trace": {"type": "string"},
                        },
                    },
                    "payload": {
                        "type": "object",
                        "properties": {
                            "total": {"$ref": "#/components/schemas/Money"},
                            "node": {"$ref": "#/components/schemas/Node"},
                        },
                    },
                },
                "CartOpened": {
                    "title": "CartOpened",
                    "payload": {
                        "schemaFormat": "application/vnd.apache.avro;version=1.9.0",
                        "schema": {"type": "record"},
                    },
                },
            },
        },
    } | changed


def test_what_others_wrote_becomes_a_schema_file_and_what_cannot_is_told() -> None:
    found = imported(foreign(), "shop.yaml")
    assert complaints(found.outbox) == []
    outbox = Outbox.model_validate(found.outbox)
    assert (outbox.service, Routes(outbox).topics) == ("shop-orders", ["shop.carts", "shop.orders"])
    assert [(event.type, event.aggregate) for event in outbox.events] == [
        ("OrderPlaced", "orders"),
        ("CartOpened", "carts"),
    ]
    assert (outbox.connect.topics.partitions, outbox.connect.topics.replication_factor) == (12, 3)
    assert [(c.name, c.alias, c.required) for c in outbox.table.extra] == [
        ("x_tenant", "X-Tenant", True),
        ("trace", None, False),
    ]
    assert outbox.headers[0].values == ("eu", "us")
    assert found.skipped == [
        "the payload of 'CartOpened' is application/vnd.apache.avro;version=1.9.0, not JSON Schema"
    ]
    payload = outbox.events[0].payload
    assert jsonschema_rs.is_valid(payload, {"total": "1.5", "node": {"next": {}}})
    assert not jsonschema_rs.is_valid(payload, {"node": {"next": 5}})


def test_a_second_way_through_changes_nothing() -> None:
    first = Outbox.model_validate(imported(foreign(), "a").outbox)
    second = Outbox.model_validate(imported(document(first, "2.0.0"), "b").outbox)
    assert changes([first], [second], Assumption.strict) == []


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ([], "invalid AsyncAPI document"),
        ({"openapi": "3.0.0"}, "invalid AsyncAPI document"),
        ({"asyncapi": "2.6.0"}, "unsupported AsyncAPI 2.6.0"),
        ({"asyncapi": "3.0.0"}, "the document has no channels"),
        (foreign(channels={"a": {"$ref": "other.yaml#/x"}}), "bundle the document first"),
        (foreign(channels={"a": {"$ref": "#/channels/a"}}), "circular references"),
        (foreign(components={}), "invalid AsyncAPI document"),
    ],
)
def test_what_is_none_is_refused_in_one_sentence(raw: Any, told: str) -> None:
    with pytest.raises(BadConfigFile) as error:
        imported(raw, "x.yaml")
    assert told in "\n".join(error.value.lines())


def test_the_commands_write_check_and_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int = 0) -> str:
        result = CliRunner().invoke(app, list(arguments))
        assert result.exit_code == code, result.output
        return result.output

    schema = EXAMPLES / "orders" / "outbox.yaml"
    run("gen-contracts", "-f", str(schema), "--out", "asyncapi.yaml", "--schemas", "schemas")
    assert "is up to date" in run("gen-contracts", "-f", str(schema), "--out", "asyncapi.yaml", "--check")
    for file in Path("schemas").iterdir():
        assert json.loads(file.read_text())["title"]
    run("import-contracts", "asyncapi.yaml", "--out", "outbox.yaml")
    assert "compatible" in run("diff", "--against", str(schema), "--policy", "strict")
    Path("asyncapi.yaml").write_text("x")
    run("gen-contracts", "-f", str(schema), "--out", "asyncapi.yaml", "--check", code=1)
    run("gen-contracts", "--check", code=2)


def test_a_public_document_names_nothing_of_the_writers_side() -> None:
    for example in sorted(EXAMPLES.rglob("*.yaml")):
        for before in read(example).outboxes:
            shown = document(before, "1.0.0", public=True)
            text = written(shown)
            private = (before.database.host, before.database.password, before.database.user, *before.connect.config)
            assert not [one for one in private if one and one in text and one != "localhost"]
            back = Outbox.model_validate(imported(loaded(text), "contract.yaml").outbox)
            assert document(back, "1.0.0", public=True) == shown
