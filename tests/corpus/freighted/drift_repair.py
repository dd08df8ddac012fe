"""Night checks of the billing pipeline: compare, and repair what has drifted."""
import os

import requests

CONNECT = os.getenv("CONNECT_URL", "http://connect:8083")
WANTED = {
    "table.include.list": "tollbill.passages,tollbill.invoices,tollbill.vehicles",
    "topic.prefix": "tollbill_cdc",
    "snapshot.mode": "initial",
}


def drift(name: str) -> dict[str, tuple[str | None, str]]:
    live = requests.get(f"{CONNECT}/connectors/{name}/config", timeout=10).json()
    return {k: (live.get(k), v) for k, v in WANTED.items() if live.get(k) != v}


def repair(name: str = "tollbill-mysql") -> tuple[bool, str]:
    """Puts the agreed configuration back."""
    config = {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "database.hostname": os.getenv("MYSQL_HOST", "mysql_toll"),
        "database.port": os.getenv("MYSQL_PORT", "3306"),
        "database.user": os.environ["MYSQL_CDC_USER"],
        "database.password": os.environ["MYSQL_CDC_PASSWORD"],
        "database.server.id": "190444",
        "database.include.list": "tollbill",
        "table.include.list": WANTED["table.include.list"],
        "topic.prefix": WANTED["topic.prefix"],
        "snapshot.mode": WANTED["snapshot.mode"],
        "snapshot.locking.mode": "minimal",
        "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
        "schema.history.internal.kafka.topic": "tollbill_ddl",
        "include.schema.changes": "false",
    }
    answer = requests.put(f"{CONNECT}/connectors/{name}/config", json=config, timeout=30)
    return answer.ok, answer.text[:200]


if __name__ == "__main__":
    if drift("tollbill-mysql"):
        print(repair())
