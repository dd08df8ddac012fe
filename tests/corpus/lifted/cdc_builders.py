"""Build the config of a source connector from the URI that the tenant typed in.

One builder for each kind of database. Topics are always called
{topic_prefix}.{schema}.{table}; the loader subscribes to ^{topic_prefix}\\..*
"""
import os
from typing import Any, Dict, List

BROKERS = os.getenv("BROKERS_INTERNAL", "broker-1:29092")


def _converters() -> Dict[str, str]:
    return {
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": "false",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter.schemas.enable": "false",
    }


def _history(database: str) -> Dict[str, str]:
    return {
        "schema.history.internal.kafka.bootstrap.servers": BROKERS,
        "schema.history.internal.kafka.topic": f"ddl-log.{database}",
    }


def _mssql(uri: Dict, tables: List[str], topic_prefix: str) -> Dict[str, Any]:
    cfg = {
        "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        "database.hostname": uri["host"],
        "database.port": str(uri["port"]),
        "database.user": uri["user"],
        "database.password": uri["password"],
        "database.names": uri["database"],
        "topic.prefix": topic_prefix,
        "table.include.list": ",".join(f"dbo.{t}" for t in tables),
        "snapshot.mode": "initial",
    }
    return {**cfg, **_converters(), **_history(uri["database"])}


def _db2(uri: Dict, tables: List[str], topic_prefix: str) -> Dict[str, Any]:
    cfg = {
        "connector.class": "io.debezium.connector.db2.Db2Connector",
        "database.hostname": uri["host"],
        "database.port": str(uri["port"]),
        "database.user": uri["user"],
        "database.password": uri["password"],
        "database.dbname": uri["database"],
        "topic.prefix": topic_prefix,
        "snapshot.mode": "initial",
        "table.include.list": ",".join(f"{uri['user'].upper()}.{t}" for t in tables),
    }
    return {**cfg, **_converters(), **_history(uri["database"])}


def _vitess(uri: Dict, tables: List[str], topic_prefix: str) -> Dict[str, Any]:
    """Talks gRPC to VTGate; has no history of schemas."""
    cfg = {
        "connector.class": "io.debezium.connector.vitess.VitessConnector",
        "database.hostname": uri["host"],
        "database.port": str(uri["port"]),
        "vitess.keyspace": uri["database"],
        "vitess.tablet.type": "PRIMARY",
        "topic.prefix": topic_prefix,
        "snapshot.mode": "initial",
        "table.include.list": ",".join(f"{uri['database']}.{t}" for t in tables),
    }
    return {**cfg, **_converters()}


def _spanner(uri: Dict, tables: List[str], topic_prefix: str) -> Dict[str, Any]:
    """No list of tables here: the change stream says which ones it watches."""
    cfg = {
        "connector.class": "io.debezium.connector.spanner.SpannerConnector",
        "gcp.spanner.project.id": uri["project"],
        "gcp.spanner.instance.id": uri["instance"],
        "gcp.spanner.database.id": uri["database"],
        "gcp.spanner.change.stream": "loader_stream",
        "topic.prefix": topic_prefix,
    }
    return {**cfg, **_converters()}


BUILDERS = {"mssql": _mssql, "db2": _db2, "vitess": _vitess, "spanner": _spanner}


def request_body(kind: str, uri: Dict, tables: List[str], name: str, topic_prefix: str) -> Dict[str, Any]:
    return {"name": name, "config": BUILDERS[kind](uri, tables, topic_prefix)}
