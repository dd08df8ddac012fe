"""Registers one SQL Server connector per site database (Apicurio Registry 3, Avro)."""
import os
import sys

import requests

CONNECT = os.environ.get("CONNECT_URL", "http://cdc-connect:8083")
REGISTRY = "http://cdc-apicurio:8080/apis/registry/v3"


def site_config(site: str, database: str, tables: list[str]) -> dict:
    converter = "io.apicurio.registry.utils.converter.AvroConverter"
    return {
        "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        "database.hostname": os.environ["MSSQL_HOST"],
        "database.port": "1433",
        "database.user": os.environ["MSSQL_USER"],
        "database.password": os.environ["MSSQL_PASSWORD"],
        "database.names": database,
        "driver.trustServerCertificate": "true",
        "topic.prefix": f"site-{site}",
        "table.include.list": ",".join(f"dbo.{t}" for t in tables),
        "snapshot.mode": "initial",
        "schema.name.adjustment.mode": "avro",
        "schema.history.internal.kafka.bootstrap.servers": "cdc-broker:9092",
        "schema.history.internal.kafka.topic": f"site-{site}-ddl",
        "key.converter": converter,
        "key.converter.apicurio.registry.url": REGISTRY,
        "key.converter.apicurio.registry.auto-register": "true",
        "key.converter.apicurio.registry.find-latest": "true",
        "value.converter": converter,
        "value.converter.apicurio.registry.url": REGISTRY,
        "value.converter.apicurio.registry.auto-register": "true",
        "value.converter.apicurio.registry.find-latest": "true",
    }


if __name__ == "__main__":
    site, database, *tables = sys.argv[1:]
    answer = requests.put(f"{CONNECT}/connectors/site-{site}/config",
                          json=site_config(site, database, tables), timeout=30)
    print(answer.status_code, answer.text)
    answer.raise_for_status()
