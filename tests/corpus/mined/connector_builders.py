"""Ready-made Debezium configurations, sent with PUT /connectors/<name>/config."""
from typing import Dict, Optional

JSON = "org.apache.kafka.connect.json.JsonConverter"


class ConnectorBuilder:
    @staticmethod
    def postgres(label: str, host: str, port: int, db: str, user: str, password: str,
                 tables: Optional[str] = None, slot: Optional[str] = None) -> Dict:
        config = {
            "name": f"cdc-postgres-{label}",
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": host,
            "database.port": str(port),
            "database.dbname": db,
            "database.user": user,
            "database.password": password,
            "database.server.name": label,
            "plugin.name": "pgoutput",
            "slot.name": slot or f"cdc_{label}",
            "publication.name": f"cdc_pub_{label}",
            "publication.autocreate.mode": "filtered",
            "tombstones.on.delete": "false",
            "key.converter": JSON,
            "value.converter": JSON,
            "key.converter.schemas.enable": "false",
            "value.converter.schemas.enable": "false",
            "transforms": "unwrap",
            "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
            # the consumers cannot cope with null values
            "transforms.unwrap.drop.tombstones": "true",
        }
        if tables:
            config["table.include.list"] = tables
        return config

    @staticmethod
    def mysql(label: str, host: str, port: int, db: str, user: str, password: str,
              tables: Optional[str] = None) -> Dict:
        config = {
            "name": f"cdc-mysql-{label}",
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "database.hostname": host,
            "database.port": str(port),
            "database.dbname": db,
            "database.user": user,
            "database.password": password,
            "database.server.name": label,
            "database.history.kafka.bootstrap.servers": "kafka:9092",
            "database.history.kafka.topic": f"ddl.{label}",
            "tombstones.on.delete": "false",
            "key.converter": JSON,
            "value.converter": JSON,
            "key.converter.schemas.enable": "false",
            "value.converter.schemas.enable": "false",
            "transforms": "unwrap",
            "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
            "transforms.unwrap.drop.tombstones": "true",
        }
        if tables:
            config["table.include.list"] = tables
        return config

    @staticmethod
    def sqlserver(label: str, host: str, port: int, db: str, user: str, password: str) -> Dict:
        return {
            "name": f"cdc-sqlserver-{label}",
            "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
            "database.hostname": host,
            "database.port": str(port),
            "database.dbname": db,
            "database.user": user,
            "database.password": password,
            "database.server.name": label,
            "table.include.list": "dbo.threads,dbo.people",
            "key.converter": JSON,
            "value.converter": JSON,
            "key.converter.schemas.enable": "false",
            "value.converter.schemas.enable": "false",
            "transforms": "unwrap",
            "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
        }
