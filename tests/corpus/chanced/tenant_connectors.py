"""Connector configurations of the replication console, one per tenant database."""
import random
from typing import Any


def mysql_source(tenant, db, brokers: str, tables: list[str] | None = None, snapshot_mode: str = "when_needed") -> dict[str, Any]:
    prefix = f"tenant_{tenant.id}_db_{db.id}"
    config = {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "database.hostname": db.host,
        "database.port": str(db.port),
        "database.user": db.username,
        "database.password": db.decrypted(),
        "database.include.list": db.name,
        "database.server.id": str(random.randint(10000, 999999)),
        "database.server.name": prefix,
        "topic.prefix": prefix,
        "schema.history.internal.kafka.bootstrap.servers": brokers,
        "schema.history.internal.kafka.topic": f"ddl-history.{prefix}",
        "snapshot.mode": snapshot_mode,
        "snapshot.locking.mode": "none",
        "include.schema.changes": "true",
        "database.allowPublicKeyRetrieval": "true",
        # our user may not write: signals come over Kafka (needs gtid_mode=ON)
        "read.only": "true",
        "incremental.snapshot.allow.schema.changes": "true",
        "incremental.snapshot.chunk.size": "1024",
        "signal.enabled.channels": "kafka",
        "signal.kafka.topic": f"{prefix}.signals",
        "signal.kafka.bootstrap.servers": brokers,
        "binary.handling.mode": "bytes",
        "connect.timeout.ms": "30000",
    }
    if tables:
        config["table.include.list"] = ",".join(f"{db.name}.{t}" for t in tables)
    return config


def postgres_source(tenant, db, brokers: str, schema: str = "public") -> dict[str, Any]:
    prefix = f"tenant_{tenant.id}_db_{db.id}"
    slot = "".join(c if c.isalnum() or c == "_" else "_" for c in f"cdc_{tenant.id}_{db.id}".lower())[:63]
    return {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": db.host,
        "database.port": str(db.port),
        "database.user": db.username,
        "database.password": db.decrypted(),
        "database.dbname": db.name,
        "topic.prefix": prefix,
        "plugin.name": "pgoutput",
        "slot.name": slot,
        "slot.drop.on.stop": "false",
        "publication.name": f"pub_{slot}"[:63],
        "publication.autocreate.mode": "filtered",
        "snapshot.mode": "when_needed",
        "snapshot.locking.mode": "none",
        "signal.enabled.channels": "source,kafka",
        "signal.kafka.topic": f"{prefix}.signals",
        "signal.kafka.bootstrap.servers": brokers,
        "signal.data.collection": f"{schema}.debezium_signal",
        "hstore.handling.mode": "json",
        "interval.handling.mode": "string",
        "schema.include.list": schema,
        "heartbeat.interval.ms": "10000",
    }


def sqlserver_source(tenant, db, brokers: str, tables: list[str]) -> dict[str, Any]:
    prefix = f"tenant_{tenant.id}_db_{db.id}"
    return {
        "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        "database.hostname": db.host,
        "database.port": str(db.port),
        "database.user": db.username,
        "database.password": db.decrypted(),
        "database.names": db.name,  # case-sensitive
        "topic.prefix": prefix,
        "schema.history.internal.kafka.bootstrap.servers": brokers,
        "schema.history.internal.kafka.topic": f"ddl-history.{prefix}",
        "snapshot.isolation.mode": "read_committed",
        "incremental.snapshot.watermarking.strategy": "insert_insert",
        "signal.enabled.channels": "source,kafka",
        "signal.kafka.topic": f"{prefix}.signals",
        "signal.kafka.bootstrap.servers": brokers,
        "signal.data.collection": f"{db.name}.dbo.debezium_signal",
        "database.encrypt": "false",
        # schema.table, never database.schema.table
        "table.include.list": ",".join(t if "." in t else f"dbo.{t}" for t in tables),
    }
