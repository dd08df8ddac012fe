#!/bin/bash

docker compose exec dbz curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ -d '
 {
  "name": "zoo-mysql",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "zoo-mysql",
    "database.port": "3306",
    "database.user": "debezium",
    "database.password": "dbz",
    "database.server.id": "90210",
    "topic.prefix": "zoo",
    "database.include.list": "zooshop",
    "schema.history.internal.kafka.bootstrap.servers": "panda:9092",
    "schema.history.internal.kafka.topic": "history.zooshop"
  }
}'
