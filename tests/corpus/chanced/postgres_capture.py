from dataclasses import dataclass

_SECRETS = "/opt/connect/secrets/warehouse.properties"


@dataclass(frozen=True)
class CaptureSpec:
    name: str
    host: str
    port: int
    user: str
    password_ref: str
    dbname: str
    tables: str
    prefix: str
    slot: str
    publication: str
    signals: str
    tasks: int = 1

    def connect_config(self) -> dict:
        return {
            "name": self.name,
            "config": {
                "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                "tasks.max": str(self.tasks),
                "database.hostname": self.host,
                "database.port": str(self.port),
                "database.user": self.user,
                "database.password": self.password_ref,
                "database.dbname": self.dbname,
                "table.include.list": self.tables,
                "topic.prefix": self.prefix,
                "slot.name": self.slot,
                "plugin.name": "pgoutput",
                "publication.name": self.publication,
                "publication.autocreate.mode": "filtered",
                "provide.transaction.metadata": "true",
                "signal.data.collection": self.signals,
                "key.converter": "org.apache.kafka.connect.json.JsonConverter",
                "value.converter": "org.apache.kafka.connect.json.JsonConverter",
                "key.converter.schemas.enable": "false",
                "value.converter.schemas.enable": "false",
                "snapshot.mode": "initial",
                "heartbeat.interval.ms": "30000",
                "custom.metric.tags": "team=flow,origin=postgres",
            },
        }


WAREHOUSE = CaptureSpec(
    name="warehouse-capture",
    host="${file:" + _SECRETS + ":hostname}",
    port=5432,
    user="${file:" + _SECRETS + ":user}",
    password_ref="${file:" + _SECRETS + ":password}",
    dbname="warehouse_demo",
    tables="public.pallets_v2,public.workers",
    prefix="wh.postgres",
    slot="warehouse_capture_slot",
    publication="warehouse_capture_pub",
    signals="public.debezium_signal",
)
