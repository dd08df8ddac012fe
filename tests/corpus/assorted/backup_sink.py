"""Settings page of the box: builds the sink that copies raw readings into a backup database."""
import os
import stat

CONNECTOR_NAME = "copy-to-backup"
MIRROR_CONF = "/etc/box/mirror.properties"


def write_mirror_conf(source: str, target: str) -> None:
    lines = [
        "clusters = box, hq",
        f"box.bootstrap.servers = {source}",
        f"hq.bootstrap.servers = {target}",
        "box->hq.enabled = true",
        "box->hq.topics = raw\\..*",
        "replication.factor = 1",
        "sync.topic.acls.enabled = false",
    ]
    with open(MIRROR_CONF, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    os.chmod(MIRROR_CONF, stat.S_IRUSR | stat.S_IWUSR)


def backup_sink(settings: dict, secrets: dict) -> dict:
    password = secrets.get("copy_db_password", "")
    if not password:
        raise ValueError("no password for the backup database")
    url = "jdbc:postgresql://{copy_host}:{copy_port}/{copy_db}".format(**settings)
    return {
        "name": CONNECTOR_NAME,
        "config": {
            "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
            "tasks.max": "1",
            "topics.regex": r"raw\.readings\..+",
            "connection.url": url,
            "connection.user": settings["copy_user"],
            "connection.password": password,
            "dialect.name": "PostgreSqlDatabaseDialect",
            "table.name.format": "readings_copy",
            "auto.create": "false",
            "auto.evolve": "false",
            "insert.mode": "insert",
            "pk.mode": "none",
            "delete.enabled": "false",
            "max.retries": "8",
            "behavior.on.null.values": "ignore",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": "false",
            "transforms": "Wrap,Topic",
            "transforms.Wrap.type": "org.apache.kafka.connect.transforms.HoistField$Value",
            "transforms.Wrap.field": "body",
            "transforms.Topic.type": "org.apache.kafka.connect.transforms.InsertField$Value",
            "transforms.Topic.topic.field": "origin",
        },
    }
