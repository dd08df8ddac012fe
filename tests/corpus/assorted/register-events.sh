#!/bin/sh

while [ "$(curl -s -o /dev/null -w '%{http_code}' http://localhost:8083/connectors)" -eq 000 ]; do
  echo "$(date) connect is not listening yet"
  sleep 4
done

curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" \
  http://localhost:8083/connectors/ -d '{
  "name": "trips-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "tasks.max": "1",
    "database.server.name": "trips-server",
    "database.hostname": "'$TRIPS_DB_HOST'",
    "database.port": '$TRIPS_DB_PORT',
    "database.user": "'$TRIPS_DB_USER'",
    "database.password": "'$TRIPS_DB_PASSWORD'",
    "database.dbname" : "'$TRIPS_DB_NAME'",
    "topic.prefix": "trips",
    "heartbeat.interval.ms": "6000",
    "schema.include.list": "public",
    "table.include.list" : "public.trip_created_events",
    "slot.name": "trips_replication",
    "publication.name": "trips_publication",
    "publication.autocreate.mode": "filtered",
    "transforms": "unwrap,ToPartition",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.add.fields": "op,table,lsn,source.ts_ms",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "transforms.unwrap.drop.tombstones": "true",
    "transforms.ToPartition.type": "io.debezium.transforms.partitions.PartitionRouting",
    "transforms.ToPartition.partition.payload.fields": "change.id",
    "transforms.ToPartition.partition.topic.num": 1,
    "transforms.ToPartition.predicate": "events",
    "message.key.columns": "public.trip_created_events:id",
    "predicates": "events",
    "predicates.events.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.events.pattern": ".*-events",
    "key.converter" : "org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable": false,
    "tombstones.on.delete": false,
    "schema.history.internal.kafka.topic": "trips_history",
    "null.handling.mode": "keep"
  }
}'
