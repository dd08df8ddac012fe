#!/bin/sh
apk add --no-cache curl

sleep 45

echo "1) esperando o Connect"
until curl -s http://connect:8083/connectors | grep -q '\['; do
  sleep 3
done

echo "2) origem: Postgres"
curl -s -X POST http://connect:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "pg-gig-lineup",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "database.hostname": "gigs-postgres-1",
      "database.port": "5432",
      "database.user": "postgres",
      "database.password": "kW8*tqLm2x_Rr-90Bz",
      "database.dbname": "gigs_db",
      "topic.prefix": "gigs",
      "table.include.list": "public.gig_lineup",
      "plugin.name": "pgoutput",
      "slot.name": "debezium_gig_lineup_slot",
      "publication.name": "debezium_gig_lineup_pub",
      "tombstones.on.delete": "false",
      "decimal.handling.mode": "double"
    }
  }'

echo "3) destino: Elasticsearch"
curl -s -X POST http://connect:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "es-gig-lineup",
    "config": {
      "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
      "tasks.max": "1",
      "topics": "gigs.public.gig_lineup",
      "connection.url": "http://elasticsearch:9200",
      "connection.username": "elastic",
      "connection.password": "kW8*tqLm2x_Rr-90Bz",
      "key.ignore": "false",
      "schema.ignore": "true",
      "transforms": "unwrap",
      "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState"
    }
  }'
