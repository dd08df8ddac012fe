#!/bin/bash

echo "Kafka Connect should be up by now"
#sleep 25

curl -X POST http://localhost:8083/connectors -H "Content-Type: application/json" -d '{
  "name": "clinic-source",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "lab_postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "clinic",
    "database.server.name": "clinic-source",
    "slot.name": "debezium_slot",
    "plugin.name": "pgoutput",
    "table.include.list": "public.*",
    "topic.prefix": "clinic-source",
    "database.history.kafka.bootstrap.servers": "lab_redpanda:29092",
    "database.history.kafka.topic": "schema-changes",
    "time.precision.mode": "connect",
    "temporal.processing.mode": "string",
    "transforms": "unwrap,castDay,castSum",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.castDay.type": "org.apache.kafka.connect.transforms.Cast$Value",
    "transforms.castDay.spec": "admission_date:string,invoice_date:string",
    "transforms.castSum.type": "org.apache.kafka.connect.transforms.Cast$Value",
    "transforms.castSum.spec": "total:float64"
  }
}'
