#!/usr/bin/env python3
# registry 3.0.8 and the converter 3.0.8 of the distro; the first schema gives a 404 on /apis/registry/v3
import os
import sys

import requests

connector_name, database_name, table_list = sys.argv[1:4]

payload = {
    "name": connector_name,
    "config": {
        "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        "tasks.max": "1",
        "database.hostname": os.environ["MSSQL_HOST"],
        "database.port": "1433",
        "database.user": os.environ["MSSQL_USER"],
        "database.password": os.environ["MSSQL_PASSWORD"],
        "database.names": database_name,
        "driver.trustServerCertificate": "true",
        "topic.prefix": "cdc",
        "table.include.list": table_list,
        "snapshot.mode": "initial",
        "schema.name.adjustment.mode": "avro",
        "schema.history.internal.kafka.bootstrap.servers": "cdc-kafka:9092",
        "schema.history.internal.kafka.topic": f"{connector_name}-schema-history",
        "key.converter": "io.apicurio.registry.utils.converter.AvroConverter",
        "key.converter.apicurio.registry.url": "http://cdc-registry:8080/apis/registry/v3",
        "key.converter.apicurio.registry.auto-register": "true",
        "key.converter.apicurio.registry.find-latest": "true",
        "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
        "value.converter.apicurio.registry.url": "http://cdc-registry:8080/apis/registry/v3",
        "value.converter.apicurio.registry.auto-register": "true",
        "value.converter.apicurio.registry.find-latest": "true",
    },
}

r = requests.post("http://cdc-connect:8083/connectors", json=payload, timeout=30)
print(r.status_code, r.text)
