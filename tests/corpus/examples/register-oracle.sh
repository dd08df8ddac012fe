#!/bin/bash

curl -i -X POST -H "Accept:application/json" -H  "Content-Type:application/json" http://localhost:8083/connectors/ -d '{
  "name": "shipping-outbox",
  "config": {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "tasks.max": "1",
    "topic.prefix": "shipping",
    "database.connection.adapter": "logminer",
    "database.hostname": "oracle-free",
    "database.port": "1521",
    "database.dbname": "FREEPDB1",
    "database.pdb.name": "FREEPDB1",
    "database.user": "system",
    "database.password": "oracle_pass",
    "table.include.list": "SYSTEM.OUTBOX",
    "schema.history.internal.kafka.topic": "schema-changes.shipping",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.fields.additional.placement": "TYPE:header:eventType",
    "transforms.outbox.route.topic.replacement": "outbox.event.${routedByValue}"
  }
}'
