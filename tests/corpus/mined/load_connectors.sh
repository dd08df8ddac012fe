#!/bin/bash
# usage: load_connectors.sh json|avro
MODE=${1:-json}
CONNECT=http://localhost:8083/connectors

SOURCE='{
  "name": "stations-source",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "root",
    "database.password": "root",
    "database.dbname": "rail_db",
    "database.server.name": "rail_server",
    "table.include.list": "public.stations",
    "plugin.name": "pgoutput",
    "publication.name": "stations_pub",
    "slot.name": "stations_slot",
    "topic.prefix": "rail",
    "schema.name.adjustment.mode": "avro",
    "field.name.adjustment.mode": "avro"
  }
}'

SINK_JSON='{
  "name": "stations-es",
  "config": {
    "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
    "topics": "rail.public.stations",
    "connection.url": "http://es:9200",
    "type.name": "_doc",
    "key.ignore": "false",
    "schema.ignore": true,
    "behavior.on.null.values": "delete",
    "transforms": "unwrap,idOnly",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": "false",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "transforms.idOnly.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.idOnly.field": "id"
  }
}'

SINK_AVRO='{
  "name": "stations-es",
  "config": {
    "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
    "tasks.max": "1",
    "topics": "rail.public.stations",
    "connection.url": "http://es:9200",
    "type.name": "_doc",
    "key.ignore": "true",
    "drop.invalid.message": false,
    "schema.ignore": false,
    "errors.tolerance": "all",
    "errors.log.enable": true,
    "errors.log.include.messages": true,
    "batch.size": 1000,
    "max.in.flight.requests": 5,
    "flush.timeout.ms": 10000,
    "behavior.on.null.values": "ignore"
  }
}'

send() { curl -s -X POST "$CONNECT" -H "Content-Type: application/json" -d "$1"; echo; }

send "$SOURCE"
if [ "$MODE" = avro ]; then send "$SINK_AVRO"; else send "$SINK_JSON"; fi
