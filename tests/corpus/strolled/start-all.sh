#!/bin/bash

echo --- mysql ---
docker-compose up db-mysql -d

echo --- zookeeper ---
docker-compose up zk -d

echo --- kafka ---
docker-compose up broker -d

echo --- connect ---
docker-compose up connect -d

echo --- build ---
mvn clean
mvn install

echo --- sales service ---
docker-compose up sales-service -d

echo --- connector ---
curl --location --request POST 'http://localhost:8083/connectors' \
--header 'Content-Type: application/json' \
--data-raw '{
    "name": "outbox-connector",
    "config": {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "tasks.max": "1",
        "database.hostname": "db-mysql",
        "database.port": "3306",
        "database.user": "root",
        "database.password": "root",
        "database.name": "sales_db",
        "database.server.name": "sales_server",
        "table.include.list":"sales_db.outbox",
        "database.history.kafka.bootstrap.servers": "broker:9092",
        "database.history.kafka.topic": "schema-changes.sales-outbox",
        "transforms": "unwrap",
        "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState"
    }
}'
