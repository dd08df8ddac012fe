#!/bin/bash
# Announces new listings: an insert into listings becomes listing.created

echo "Waiting for Kafka Connect..."
until curl -s http://localhost:8083/connectors > /dev/null; do sleep 2; done

curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" \
  http://localhost:8083/connectors/ -d '{
  "name": "bazaar-listings-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "bazaar",
    "database.server.name": "bazaar-db",
    "table.include.list": "public.listings",
    "plugin.name": "pgoutput",
    "topic.prefix": "bazaar",
    "slot.name": "listings_slot",
    "publication.name": "listings_publication",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter.schemas.enable": "false",
    "transforms": "unwrap,route",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.route.type": "io.debezium.transforms.EventRouter",
    "transforms.route.route.by.field": "op",
    "transforms.route.routes": "c:listing.created"
  }
}'

echo ""
echo "Done."
