#!/bin/sh
# image: debezium/connect:2.1
curl -H 'Content-Type: application/json' debezium:8083/connectors --data '
{
  "name": "items-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "wal2json",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "items",
    "database.password": "pw",
    "database.dbname" : "items",
    "database.server.name": "items",
    "slot.name": "items_cdc",
    "table.include.list": "public.items",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}'
