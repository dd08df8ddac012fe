import json
import os
import urllib.request

from dotenv import load_dotenv

load_dotenv()

root = os.getenv("CONNECT_API", "http://connect:8083/connectors")
name = "twobook-cdc"
url = f"{root.rstrip('/')}/{name}/config"

config = {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": os.getenv("PG_USER"),
    "database.password": os.getenv("PG_PASSWORD"),
    "database.dbname": os.getenv("PG_DB"),
    "topic.prefix": "twobook",
    "table.include.list": "books.entries,books.postings",
    "decimal.handling.mode": "string",
    "plugin.name": "pgoutput",
    "slot.name": "twobook_slot",
    # made by migration 0007
    "publication.name": "twobook_pub",
    "publication.autocreate.mode": "disabled",
    "snapshot.mode": "initial",
}

request = urllib.request.Request(
    url,
    data=json.dumps(config).encode("utf-8"),
    headers={"Content-Type": "application/json"},
    method="PUT",
)

try:
    with urllib.request.urlopen(request) as response:
        print(response.read().decode("utf-8"))
except Exception as e:
    print(f"could not configure {name}: {e}")
