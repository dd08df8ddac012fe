#!/usr/bin/env bash
# ./members-by-country.sh <stream id>
# YugabyteDB gRPC connector (fork of Debezium 1.9.5), image yb-debezium-connector:1.9.5.y.33
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ -d '{
  "name": "members-yb",
  "config": {
    "tasks.max":"2",
    "connector.class": "io.debezium.connector.yugabytedb.YugabyteDBConnector",
    "database.hostname":"'$NODE'",
    "database.master.addresses":"'$MASTERS'",
    "database.port":"5433",
    "database.user": "yugabyte",
    "database.password":"yugabyte",
    "database.dbname":"yugabyte",
    "database.server.name":"members",
    "snapshot.mode":"initial",
    "database.streamid":"'$1'",
    "table.include.list":"public.members",
    "key.converter":"io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url":"http://registry:8081",
    "value.converter":"io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url":"http://registry:8081",
    "transforms":"nordic,iberia",
    "transforms.nordic.type":"io.debezium.transforms.ContentBasedRouter",
    "transforms.nordic.language":"jsr223.groovy",
    "transforms.nordic.topic.expression":"value.after != null ? (value.after?.land?.value == '\''SE'\'' ? '\''members_nordic'\'' : null) : (value.before?.land?.value == '\''SE'\'' ? '\''members_nordic'\'' : null)",
    "transforms.iberia.type":"io.debezium.transforms.ContentBasedRouter",
    "transforms.iberia.language":"jsr223.groovy",
    "transforms.iberia.topic.expression":"value.after != null ? (value.after?.land?.value == '\''ES'\'' ? '\''members_iberia'\'' : null) : (value.before?.land?.value == '\''ES'\'' ? '\''members_iberia'\'' : null)"
  }
}'
sleep 1
