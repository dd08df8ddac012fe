"""Builds a source connector from the URI that a user pasted."""
from typing import Dict, List

BROKERS = "10.5.0.7:9092"
CLASSES = {
    "mariadb": "io.debezium.connector.mariadb.MariaDbConnector",
    "mongodb": "io.debezium.connector.mongodb.MongoDbConnector",
    "oracle": "io.debezium.connector.oracle.OracleConnector",
    "db2": "io.debezium.connector.db2.Db2Connector",
}


def _json() -> Dict[str, str]:
    return {
        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",
        "key.converter.schemas.enable": "false",
        "value.converter.schemas.enable": "false",
        "tombstones.on.delete": "false",
        "decimal.handling.mode": "string",
        "time.precision.mode": "connect",
    }


def _ddl(db: str) -> Dict[str, str]:
    return {
        "schema.history.internal.kafka.bootstrap.servers": BROKERS,
        "schema.history.internal.kafka.topic": f"ddl.{db}",
    }


def mariadb(uri: Dict, tables: List[str], prefix: str) -> Dict:
    return {
        "connector.class": CLASSES["mariadb"],
        "database.hostname": uri["host"],
        "database.port": str(uri["port"]),
        "database.user": uri["user"],
        "database.password": uri["password"],
        "database.server.id": "220055",
        "topic.prefix": prefix,
        "database.include.list": uri["database"],
        "table.include.list": ",".join(f"{uri['database']}.{t}" for t in tables),
        **_json(), **_ddl(uri["database"]),
    }


def mongodb(uri: Dict, tables: List[str], prefix: str) -> Dict:
    return {
        "connector.class": CLASSES["mongodb"],
        "mongodb.connection.string": uri["raw"],
        "topic.prefix": prefix,
        "collection.include.list": ",".join(f"{uri['database']}.{t}" for t in tables),
        "capture.mode": "change_streams_update_full",
        **_json(),
    }


def oracle(uri: Dict, tables: List[str], prefix: str) -> Dict:
    return {
        "connector.class": CLASSES["oracle"],
        "database.hostname": uri["host"],
        "database.port": str(uri["port"]),
        "database.user": uri["user"],
        "database.password": uri["password"],
        "database.dbname": uri["database"],
        "topic.prefix": prefix,
        "table.include.list": ",".join(f"{uri['user'].upper()}.{t}" for t in tables),
        "database.connection.adapter": "logminer",
        "log.mining.strategy": "online_catalog",
        **_json(), **_ddl(uri["database"]),
    }


def db2(uri: Dict, tables: List[str], prefix: str) -> Dict:
    return {
        "connector.class": CLASSES["db2"],
        "database.hostname": uri["host"],
        "database.port": str(uri["port"]),
        "database.user": uri["user"],
        "database.password": uri["password"],
        "database.dbname": uri["database"],
        "topic.prefix": prefix,
        "table.include.list": ",".join(f"{uri['user'].upper()}.{t}" for t in tables),
        "snapshot.mode": "initial",
        **_json(), **_ddl(uri["database"]),
    }
