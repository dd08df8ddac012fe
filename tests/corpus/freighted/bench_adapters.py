"""How each system under test of the CDC benchmark is started."""
from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

# 3.1: one POST for each event; newer ones have a batch mode, do not raise without a new baseline
IMAGE = os.environ.get("BENCH_DEBEZIUM", "quay.io/debezium/server:3.1.3.Final")


@dataclass
class Launch:
    host: str
    port: int
    login: str
    secret: str
    db: str
    receiver: str
    consumers: int
    logs: Path


def _environment(launch: Launch, n: int) -> dict[str, str]:
    # the database is emptied before each run, and slots are made before the first insert
    return {
        "DEBEZIUM_SINK_TYPE": "http",
        "DEBEZIUM_SINK_HTTP_URL": f"{launch.receiver}/in/{n}",
        "DEBEZIUM_SINK_HTTP_TIMEOUT_MS": "25000",
        "DEBEZIUM_SINK_HTTP_RETRIES": "2147483647",
        "DEBEZIUM_SINK_HTTP_RETRY_INTERVAL_MS": "400",
        "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE": "org.apache.kafka.connect.storage.FileOffsetBackingStore",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME": "/debezium/data/bench.dat",
        "DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS": "1500",
        "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": launch.host,
        "DEBEZIUM_SOURCE_DATABASE_PORT": str(launch.port),
        "DEBEZIUM_SOURCE_DATABASE_USER": launch.login,
        "DEBEZIUM_SOURCE_DATABASE_PASSWORD": launch.secret,
        "DEBEZIUM_SOURCE_DATABASE_DBNAME": launch.db,
        "DEBEZIUM_SOURCE_TOPIC_PREFIX": f"bench{n}",
        "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
        "DEBEZIUM_SOURCE_SLOT_NAME": f"bench_{n}",
        "DEBEZIUM_SOURCE_PUBLICATION_NAME": "bench_pub",
        "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "disabled",
        "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": "bench.ticks",
        "DEBEZIUM_SOURCE_SNAPSHOT_MODE": "never",
        "DEBEZIUM_SOURCE_TOMBSTONES_ON_DELETE": "false",
        "DEBEZIUM_FORMAT_VALUE": "json",
        "DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE": "false",
        "DEBEZIUM_FORMAT_KEY": "json",
        "DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE": "false",
        "QUARKUS_HTTP_PORT": str(8100 + n),  # host network: one port for each instance
        "JAVA_OPTS": "-Xms128m -Xmx640m",
    }


def start(launch: Launch) -> list[subprocess.Popen]:
    running = []
    for n in range(launch.consumers):
        argv = ["docker", "run", "--rm", "--network", "host", "--name", f"bench-{n}"]
        for key, value in _environment(launch, n).items():
            argv += ["-e", f"{key}={value}"]
        running.append(subprocess.Popen([*argv, IMAGE], stdout=(launch.logs / f"{n}.log").open("w")))
    return running
