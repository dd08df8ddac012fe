#!/bin/sh

echo "waiting for kafka-connect"

while [ $(curl -s -o /dev/null -w %{http_code} http://localhost:8083/connectors) -eq 000 ] ; do
  echo -e $(date) " state: " $(curl -s -o /dev/null -w %{http_code} http://localhost:8083/connectors)
  sleep 5
done

curl -i -X POST \
  -H "Accept:application/json" \
  -H "Content-Type:application/json" \
  http://localhost:8083/connectors/ \
  -d '{
  "name": "transfers-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "tasks.max": "1",
    "database.server.name": "transfer-db-server",
    "database.hostname": "'$TRANSFER_DB_HOST'",
    "database.port": '$TRANSFER_DB_PORT',
    "database.user": "'$TRANSFER_DB_USER'",
    "database.password": "'$TRANSFER_DB_PASSWORD'",
    "database.dbname" : "'$TRANSFER_DB_NAME'",
    "database.whitelist": "transfers",
    "topic.prefix": "transfers",
    "heartbeat.interval.ms": "5000",
    "schema.include.list": "public",
    "table.include.list" : "public.transfer_create_events",
    "slot.name": "transfer_events_replication",
    "publication.name": "transfer_events_publication",
    "publication.autocreate.mode": "filtered",
    "message.key.columns": "public.transfer_create_events:id",
    "transforms": "unwrap,PartitionRouting",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.add.fields": "op,table,lsn,source.ts_ms",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "transforms.unwrap.drop.tombstones": "true",
    "transforms.PartitionRouting.type": "io.debezium.transforms.partitions.PartitionRouting",
    "transforms.PartitionRouting.partition.payload.fields": "change.id",
    "transforms.PartitionRouting.partition.topic.num": 1,
    "transforms.PartitionRouting.predicate": "allTopic",
    "predicates": "allTopic",
    "predicates.allTopic.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.allTopic.pattern": ".*-events",
    "key.converter" : "org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable": false,
    "tombstones.on.delete": false,
    "schema.history.internal.kafka.topic": "transfer_events_history",
    "null.handling.mode": "keep"
  }
}'

curl -i -X POST \
  -H "Accept:application/json" \
  -H "Content-Type:application/json" \
  http://localhost:8083/connectors/ \
  -d '{
  "name": "customers-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "tasks.max": "1",
    "database.server.name": "customer-db-server",
    "database.hostname": "'$CUSTOMER_DB_HOST'",
    "database.port": '$CUSTOMER_DB_PORT',
    "database.user": "'$CUSTOMER_DB_USER'",
    "database.password": "'$CUSTOMER_DB_PASSWORD'",
    "database.dbname" : "'$CUSTOMER_DB_NAME'",
    "database.whitelist": "customers",
    "topic.prefix": "customers",
    "heartbeat.interval.ms": "5000",
    "schema.include.list": "public",
    "table.include.list" : "public.customer_events",
    "slot.name": "customer_events_replication",
    "publication.name": "customer_events_publication",
    "publication.autocreate.mode": "filtered",
    "message.key.columns": "public.customer_events:id",
    "transforms": "unwrap,PartitionRouting",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.add.fields": "op,table,lsn,source.ts_ms",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "transforms.unwrap.drop.tombstones": "true",
    "transforms.PartitionRouting.type": "io.debezium.transforms.partitions.PartitionRouting",
    "transforms.PartitionRouting.partition.payload.fields": "change.id",
    "transforms.PartitionRouting.partition.topic.num": 1,
    "transforms.PartitionRouting.predicate": "allTopic",
    "predicates": "allTopic",
    "predicates.allTopic.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
    "predicates.allTopic.pattern": ".*-events",
    "key.converter" : "org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable": false,
    "tombstones.on.delete": false,
    "schema.history.internal.kafka.topic": "customer_events_history",
    "null.handling.mode": "keep"
  }
}'
