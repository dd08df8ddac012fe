#!/bin/bash

curl -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ -d '
        {
          "name": "demo-outbox",
          "config": {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "tasks.max": "1",
            "database.hostname": "db",
            "database.port": "3306",
            "database.user": "debezium",
            "database.password": "dbz",
            "database.server.id": "184060",
            "database.server.name": "demoserver",
            "database.allowPublicKeyRetrieval": "true",
            "database.history.kafka.topic": "schema-changes.demo",
            "database.history.kafka.bootstrap.servers": "kafka:29092",
            "database.include.list": "demo",
            "table.include.list": "demo.outbox",
            "tombstones.on.delete" : "false",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter"
          }
        }'
