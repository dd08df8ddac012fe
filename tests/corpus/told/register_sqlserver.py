"""Registers the SQL Server source; schemas go to the Apicurio registry of the stack."""
import os

import requests

CONNECT = os.environ.get("CONNECT_URL", "http://cdc-connect:8083")

connector = {
    "name": "policies-source",
    "config": {
        "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        "database.hostname": os.environ["MSSQL_HOST"],
        "database.port": "1433",
        "database.user": os.environ["MSSQL_USER"],
        "database.password": os.environ["MSSQL_PASSWORD"],
        "database.names": "policies",
        "driver.trustServerCertificate": "true",
        "key.converter": "io.apicurio.registry.utils.converter.AvroConverter",
        "key.converter.apicurio.registry.url": "http://cdc-apicurio:8080/apis/registry/v3",
        "key.converter.apicurio.registry.auto-register": "true",
        "key.converter.apicurio.registry.find-latest": "true",
        "schema.name.adjustment.mode": "avro",
        "schema.history.internal.kafka.bootstrap.servers": "cdc-kafka:9092",
        "schema.history.internal.kafka.topic": "policies-schema-history",
        "snapshot.mode": "initial",
        "topic.prefix": "policies",
        "table.include.list": "dbo.policy,dbo.holder",
        "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
        "value.converter.apicurio.registry.url": "http://cdc-apicurio:8080/apis/registry/v3",
        "value.converter.apicurio.registry.auto-register": "true",
        "value.converter.apicurio.registry.find-latest": "true",
    },
}

requests.post(f"{CONNECT}/connectors", json=connector, timeout=30).raise_for_status()
