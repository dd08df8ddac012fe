#!/usr/bin/env zsh
# every change of every table of the bookings server goes into a single topic

curl -s 'http://127.0.0.1:8083/' | jq .

curl -s -X PUT -H "Content-Type: application/json" \
  127.0.0.1:8083/connectors/bookings_binlog/config -d '
{
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "database.allowPublicKeyRetrieval": "true",
    "database.hostname": "bookings-mysql",
    "database.port": "3307",
    "database.user": "root",
    "database.password": "",
    "database.server.id": "417",
    "database.server.name": "bookings",
    "database.include.list": "",
    "include.query": true,
    "transforms": "merge",
    "transforms.merge.type": "io.debezium.transforms.ByLogicalTableRouter",
    "transforms.merge.topic.regex": ".*",
    "transforms.merge.topic.replacement": "bookings_all_changes",
    "snapshot.mode": "SCHEMA_ONLY",
    "snapshot.locking.mode": "none",
    "database.history.kafka.bootstrap.servers": "broker:9092",
    "database.history.kafka.topic": "bookings_ddl_v3"
}'

# "database.history": "io.debezium.relational.history.FileDatabaseHistory",
# "database.history.file.filename": "/var/lib/ddl/bookings"
curl -s http://127.0.0.1:8083/connectors/bookings_binlog/status | jq . -S
