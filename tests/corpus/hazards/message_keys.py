"""Registers the connector of the order database (all tenants have a schema of their own)."""
import json
import sys
import urllib.request

CONFIG = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "multi-pg",
    "database.port": "5432",
    "database.user": "${env:MULTI_USER}",
    "database.password": "${env:MULTI_PASSWORD}",
    "database.dbname": "multi",
    "topic.prefix": "multi",
    "plugin.name": "pgoutput",
    "slot.name": "multi_orders",
    "publication.name": "multi_orders",
    "publication.autocreate.mode": "disabled",
    "schema.include.list": "tenant_[a-z0-9]+",
    "table.include.list": r"tenant_.*\.(orders|order_line)",
    "message.key.columns": r"(.*)\.orders:order_no;(.*)\.order_line:order_no",
    "snapshot.mode": "when_needed",
    "snapshot.max.threads": 4,
}


def main(url: str) -> None:
    request = urllib.request.Request(
        f"{url}/connectors/multi-orders/config",
        data=json.dumps(CONFIG).encode(),
        headers={"Content-Type": "application/json"},
        method="PUT",
    )
    with urllib.request.urlopen(request) as answer:
        print(answer.status)


if __name__ == "__main__":
    main(sys.argv[1])
