#!/bin/bash

curl -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ -d '
        {
          "name": "routing-connector",
          "config": {
            "connector.class": "io.debezium.connector.mysql.MySqlConnector",
            "tasks.max": "1",
            "database.hostname": "mariner",
            "database.port": "3306",
            "database.user": "capture",
            "database.password": "cpt",
            "database.server.id": "184377",
            "database.server.name": "fleetserver1",
            "database.include.list": "fleet",
            "table.include.list": "fleet.outbox",
            "database.history.kafka.bootstrap.servers": "kafka:29092",
            "database.history.kafka.topic": "schema-changes.fleet",
            "database.allowPublicKeyRetrieval": "true",
            "tombstones.on.delete" : "false",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter"
          }
        }'
