"""Deploys a CDC connector per test table. Image: artifacts.example.org/yugabyte/debezium-connector:dz.1.9.5.yb.grpc.2024.2"""
import os
import uuid

import requests

NODES = ["10.20.0.11", "10.20.0.12", "10.20.0.13"]
CONNECT = os.environ.get("CONNECT_URL", "http://127.0.0.1:8083")


def connector(table: str, stream_id: str, database: str) -> dict:
    return {
        "name": f"yb_{table}_{uuid.uuid4().hex[:6]}",
        "config": {
            "connector.class": "io.debezium.connector.yugabytedb.YugabyteDBConnector",
            "tasks.max": "5",
            "database.master.addresses": ",".join(f"{n}:7100" for n in NODES),
            "database.hostname": ",".join(f"{n}:5433" for n in NODES),
            "database.port": 5433,
            "database.user": "yugabyte",
            "database.password": "yugabyte",
            "database.dbname": database,
            "database.server.name": "yb_cdc",
            "database.streamid": stream_id,
            "snapshot.mode": "never",
            "table.include.list": f"public.{table}",
            "admin.operation.timeout.ms": 600000,
            "socket.read.timeout.ms": 600000,
            "operation.timeout.ms": 600000,
            "max.connector.retries": "10",
            "topic.creation.default.partitions": 2,
            "topic.creation.default.replication.factor": "1",
            "topic.creation.default.compression.type": "lz4",
            "topic.creation.default.cleanup.policy": "delete",
        },
    }


def deploy(table: str, stream_id: str, database: str) -> None:
    answer = requests.post(f"{CONNECT}/connectors", json=connector(table, stream_id, database), timeout=30)
    answer.raise_for_status()
