#!/bin/sh
# Hooks the bakery database up to Connect. Runs as a one-shot container next to the broker.
curl -s -X PUT -H  "Content-Type:application/json" http://connect:8083/connectors/bakery/config \
    -d '{
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "bakerydb",
    "database.port": 3306,
    "database.user": "debezium",
    "database.password": "dbz",
    "database.server.name": "bakerydb",
    "database.server.id": "550021",
    "database.allowPublicKeyRetrieval": true,
    "database.history.kafka.bootstrap.servers": "broker:9092",
    "database.history.kafka.topic": "bakery-ddl",
    "database.include.list": "bakery",
    "time.precision.mode": "connect",
    "include.schema.changes": false,
    "transforms":"flat",
    "transforms.flat.type":"io.debezium.transforms.ExtractNewRecordState",
    "transforms.flat.drop.tombstones":false,
    "transforms.flat.delete.handling.mode":"rewrite"
 }'
