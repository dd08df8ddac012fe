"""Launchers for the systems under test. Each arm gets a database of its own and one process or container per subscriber."""
from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

SERVER_IMAGE = os.environ.get("ARM_DBZ_IMAGE", "quay.io/debezium/server:3.1.3.Final")


@dataclass
class Arm:
    system: str
    db_name: str
    slot_stem: str


@dataclass
class Run:
    db_host: str
    db_port: int
    db_user: str
    db_password: str
    sink_base: str
    tables: list[str]
    subscribers: int
    snapshot: str
    logs: Path
    procs: list = field(default_factory=list)


# Debezium Server has exactly one sink, so fan-out means a server (and a slot) per subscriber.
def server_env(arm: Arm, run: Run, n: int) -> dict[str, str]:
    return {
        "DEBEZIUM_SINK_TYPE": "http",
        "DEBEZIUM_SINK_HTTP_URL": f"{run.sink_base}/in/{n}",
        "DEBEZIUM_SINK_HTTP_TIMEOUT_MS": "20000",
        # never give up: the outage phases are part of the measurement
        "DEBEZIUM_SINK_HTTP_RETRIES": "2147483647",
        "DEBEZIUM_SINK_HTTP_RETRY_INTERVAL_MS": "400",
        "DEBEZIUM_SOURCE_CONNECTOR_CLASS": "io.debezium.connector.postgresql.PostgresConnector",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE": "org.apache.kafka.connect.storage.FileOffsetBackingStore",
        "DEBEZIUM_SOURCE_OFFSET_STORAGE_FILE_FILENAME": "/debezium/data/position.dat",
        "DEBEZIUM_SOURCE_OFFSET_FLUSH_INTERVAL_MS": "1500",
        "DEBEZIUM_SOURCE_DATABASE_HOSTNAME": run.db_host,
        "DEBEZIUM_SOURCE_DATABASE_PORT": str(run.db_port),
        "DEBEZIUM_SOURCE_DATABASE_USER": run.db_user,
        "DEBEZIUM_SOURCE_DATABASE_PASSWORD": run.db_password,
        "DEBEZIUM_SOURCE_DATABASE_DBNAME": arm.db_name,
        "DEBEZIUM_SOURCE_TOPIC_PREFIX": f"arm{n}",
        "DEBEZIUM_SOURCE_PLUGIN_NAME": "pgoutput",
        "DEBEZIUM_SOURCE_SLOT_NAME": f"{arm.slot_stem}{n}",
        "DEBEZIUM_SOURCE_PUBLICATION_NAME": "arm_pub",
        "DEBEZIUM_SOURCE_PUBLICATION_AUTOCREATE_MODE": "disabled",
        "DEBEZIUM_SOURCE_TABLE_INCLUDE_LIST": ",".join(run.tables),
        "DEBEZIUM_SOURCE_SNAPSHOT_MODE": run.snapshot,
        "DEBEZIUM_SOURCE_TOMBSTONES_ON_DELETE": "false",
        "DEBEZIUM_FORMAT_KEY": "json",
        "DEBEZIUM_FORMAT_KEY_SCHEMAS_ENABLE": "false",
        "DEBEZIUM_FORMAT_VALUE": "json",
        "DEBEZIUM_FORMAT_VALUE_SCHEMAS_ENABLE": "false",
        "QUARKUS_LOG_LEVEL": "WARN",
        # host networking: every server wants a health port of its own
        "QUARKUS_HTTP_PORT": str(8190 + n),
        "JAVA_OPTS": "-Xms96m -Xmx384m",
    }


def start_servers(arm: Arm, run: Run) -> None:
    with open(run.logs / "publication.sql", "w") as out:
        out.write(f"CREATE PUBLICATION arm_pub FOR TABLE {', '.join(run.tables)};\n")
    for n in range(run.subscribers):
        name = f"arm-dbz-{n}"
        subprocess.run(["docker", "rm", "-f", name], capture_output=True)
        argv = ["docker", "run", "--rm", "--network", "host", "--name", name]
        for key, value in server_env(arm, run, n).items():
            argv += ["-e", f"{key}={value}"]
        run.procs.append(subprocess.Popen([*argv, SERVER_IMAGE], text=True,
                                          stdout=(run.logs / f"{name}.log").open("w")))


ARMS = {"server": Arm("debezium-server", "arm_dbz", "arm_slot_")}
