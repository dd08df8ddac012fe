"""Two pipelines on one stack: the generated config, and the one that the usual tutorial shows."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import psycopg
import requests
from confluent_kafka import Consumer

from outbox_kit.databases.postgres.apply import apply
from outbox_kit.render import ddl
from outbox_kit.schema.model import Outbox
from outbox_kit.wire import connector
from outbox_kit.wire.routes import Routes
from tests.support.waiting import until

PASSWORD_VARIABLE = "OUTBOX_DB_PASSWORD"  # noqa: S105 - the variable's name


@dataclass(frozen=True)
class Endpoints:
    """Where the stack is: a superuser's connection string without a database, the brokers, Connect, the password."""

    server: str
    bootstrap: str
    connect_url: str
    connector_password: str

    def dsn(self, database: str) -> str:
        return f"{self.server} dbname={database}"


@dataclass(frozen=True)
class Pipeline:
    """One running outbox: its model, its database, its topic and its connector."""

    outbox: Outbox
    dsn: str
    topic: str
    connector: str
    endpoints: Endpoints


def outbox_of(service: str, endpoints: Endpoints) -> Outbox:
    address = psycopg.conninfo.conninfo_to_dict(endpoints.server)
    return Outbox.model_validate(
        {
            "service": service,
            "database": {"dialect": "postgres", "host": address["host"], "port": int(address["port"])},
            "events": [{"type": "OrderPlaced", "aggregate": "Order"}],
            "routing": {"topic": "{service}.{aggregate}"},
        }
    )


def tutorial(outbox: Outbox) -> dict[str, str]:
    """What most tutorials register: Debezium's defaults, the router, and converters that keep the text."""
    derived = outbox.names
    text = "org.apache.kafka.connect.storage.StringConverter"
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": outbox.database.host,
        "database.port": str(outbox.database.port),
        "database.user": derived.role,
        "database.password": outbox.database.password,
        "database.dbname": derived.database,
        "topic.prefix": derived.topic_prefix,
        "plugin.name": "pgoutput",
        "slot.name": derived.slot,
        "publication.name": derived.publication,
        "publication.autocreate.mode": "disabled",
        "table.include.list": f"public.{outbox.table.name}",
        "key.converter": text,
        "value.converter": text,
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.fields.additional.placement": "type:header:eventType",
        "transforms.outbox.route.topic.replacement": f"{outbox.service}.${{routedByValue}}",
        "topic.creation.default.partitions": "6",
        "topic.creation.default.replication.factor": "1",
    }


CONFIGS = {"generated": connector.config, "tutorial": tutorial}


@contextmanager
def running(endpoints: Endpoints, kind: str, changes: dict[str, str] | None = None) -> Iterator[Pipeline]:
    """A pipeline of its own, with its own database, from its first event to its removal."""
    service = f"bench-{kind}-{uuid.uuid4().hex[:6]}"
    outbox = outbox_of(service, endpoints)
    name = outbox.names.connector
    with psycopg.connect(endpoints.dsn("postgres"), autocommit=True) as admin:
        admin.execute(f'create database "{service}"')
    dsn = endpoints.dsn(service)
    apply(dsn, outbox, ddl.body(outbox), password=endpoints.connector_password)
    pipeline = Pipeline(outbox, dsn, Routes(outbox).topics[0], name, endpoints)
    try:
        connect(endpoints, "PUT", f"{name}/config", CONFIGS[kind](outbox) | (changes or {}))
        until(lambda: states(endpoints, name) == {"RUNNING"}, f"{name} runs", 60)
        write(dsn, 1)
        with consumer(pipeline) as reader:
            until(lambda: reader.poll(0.1) is not None, "the first event", 60)
        yield pipeline
    finally:
        connect(endpoints, "DELETE", name)
        with psycopg.connect(endpoints.dsn("postgres"), autocommit=True) as admin:
            until(lambda: _dropped(admin, outbox.names.slot), "the slot is free", 60)
            admin.execute(f'drop database "{service}" with (force)')
            admin.execute(f'drop role "{outbox.names.role}"')


def write(dsn: str, rows: int) -> None:
    """Insert rows of 1,000 aggregates, 500 rows a transaction."""
    statement = """
        insert into outbox (id, aggregatetype, aggregateid, type, payload)
        select gen_random_uuid(), 'Order', (n %% 1000)::text, 'OrderPlaced',
               json_build_object('orderId', n, 'total', '12.50', 'note', repeat('x', 120))
        from generate_series(%s::bigint, %s::bigint) n"""
    with psycopg.connect(dsn, autocommit=True) as connection:
        for first in range(1, rows + 1, 500):
            connection.execute(statement, (first, min(first + 499, rows)))


@contextmanager
def consumer(pipeline: Pipeline, start: str = "earliest") -> Iterator[Consumer]:
    """A consumer of the pipeline's topic that sees a new topic at once."""
    reader = Consumer(
        {
            "bootstrap.servers": pipeline.endpoints.bootstrap,
            "group.id": f"bench-{uuid.uuid4()}",
            "auto.offset.reset": start,
            "enable.auto.commit": False,
            "fetch.queue.backoff.ms": 5,
            "fetch.wait.max.ms": 10,
            "topic.metadata.refresh.interval.ms": 200,
        }
    )
    try:
        until(lambda: not reader.list_topics(pipeline.topic, timeout=5).topics[pipeline.topic].error, "the topic", 60)
        reader.subscribe([pipeline.topic])
        yield reader
    finally:
        reader.close()


def connect(endpoints: Endpoints, method: str, path: str, body: dict[str, str] | None = None) -> Any:
    answer = requests.request(method, f"{endpoints.connect_url}/connectors/{path}", json=body, timeout=95)
    answer.raise_for_status()
    return answer.json() if answer.content else None


def states(endpoints: Endpoints, name: str) -> set[str]:
    try:
        status = connect(endpoints, "GET", f"{name}/status")
    except requests.HTTPError:
        return {"unknown"}
    return {status["connector"]["state"], *(task["state"] for task in status["tasks"] or [{"state": "no task"}])}


def _dropped(admin: psycopg.Connection[Any], slot: str) -> bool:
    admin.execute(
        "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = %s and not active",
        (slot,),
    )
    row = admin.execute("select count(*) from pg_replication_slots where slot_name = %s", (slot,)).fetchone()
    return row == (0,)


@contextmanager
def stack() -> Iterator[Endpoints]:
    """The stack named by OUTBOX_KIT_STACK, or one for this run alone."""
    from outbox_kit.stack import Stack

    if name := os.environ.get("OUTBOX_KIT_STACK"):
        yield _endpoints(Stack.attach(name))
        return
    with Stack.running() as own:
        yield _endpoints(own)


def _endpoints(stack: Any) -> Endpoints:
    parts = psycopg.conninfo.conninfo_to_dict(stack.postgres_dsn)
    server = psycopg.conninfo.make_conninfo(**{key: value for key, value in parts.items() if key != "dbname"})
    return Endpoints(server, stack.bootstrap, stack.connect_url, stack.connector_password)
