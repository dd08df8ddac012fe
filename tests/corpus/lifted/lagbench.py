#!/usr/bin/env python3
"""How far is LogMiner behind OpenLogReplicator? Registers both against the same pluggable database."""
import json
import os
import urllib.request

PDB = os.environ.get("BENCH_PDB", "FREEPDB1")
ORA, BROKER = "bench-oracle", "bench-broker"


def connector(kind: str, case: dict) -> dict:
    prefix = f"bench_{kind}_{case['id']}"
    if kind == "olr":
        adapter = {
            "database.connection.adapter": "olr",
            "openlogreplicator.source": PDB,
            "openlogreplicator.host": case.get("olr_host", "bench-olr"),
            "openlogreplicator.port": "5000",
        }
    else:
        adapter = {
            "database.connection.adapter": "logminer",
            "log.mining.strategy": "online_catalog",
            "log.mining.batch.size.max": "100000",
        }
    return {
        "connector.class": "io.debezium.connector.oracle.OracleConnector",
        "tasks.max": "1",
        **adapter,
        "snapshot.mode": case.get("snapshot", "no_data"),
        "snapshot.locking.mode": "none",
        "snapshot.max.threads": "2",
        "max.batch.size": "10000",
        "max.queue.size": "40000",
        "poll.interval.ms": "500",
        "heartbeat.interval.ms": str(case.get("beat_ms", 5000)),
        "provide.transaction.metadata": "true",
        "database.url": f"jdbc:oracle:thin:@//{ORA}:1521/FREE",
        "database.user": "c##bench",
        "database.password": "bench",
        "database.dbname": "FREE",
        "database.pdb.name": PDB,
        "table.include.list": ",".join(case["tables"]),
        "topic.prefix": prefix,
        "key.converter": "io.confluent.connect.avro.AvroConverter",
        "key.converter.schema.registry.url": f"http://{BROKER}:8081",
        "value.converter": "io.confluent.connect.avro.AvroConverter",
        "value.converter.schema.registry.url": f"http://{BROKER}:8081",
        "value.converter.enhanced.avro.schema.support": "true",
        "schema.history.internal.kafka.bootstrap.servers": f"{BROKER}:9092",
        "schema.history.internal.kafka.topic": f"bench-ddl.{prefix}",
        "schema.history.internal.store.only.captured.tables.ddl": "true",
        "schema.history.internal.skip.unparseable.ddl": "true",
        "topic.creation.default.replication.factor": "1",
        "topic.creation.default.partitions": "1",
    }


def put(name: str, config: dict) -> None:
    req = urllib.request.Request(
        f"http://localhost:8083/connectors/{name}/config",
        data=json.dumps(config).encode(), method="PUT", headers={"Content-Type": "application/json"})
    urllib.request.urlopen(req, timeout=30).read()


if __name__ == "__main__":
    case = {"id": "narrow", "tables": ["BENCH.NARROW_ROWS", "BENCH.WIDE_ROWS"]}
    for kind in ("olr", "logminer"):
        put(f"bench-{kind}", connector(kind, case))
