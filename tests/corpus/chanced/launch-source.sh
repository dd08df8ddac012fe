# worker in the background, then its only connector
./launch.sh &

echo "waiting for the worker"
while : ; do
  code=$(curl -s -o /dev/null -w %{http_code} http://worker:8083/connectors)
  [ "$code" -eq 200 ] && break
  sleep 5
done

curl -s -X PUT -H "Content-Type:application/json" http://worker:8083/connectors/catalog-01/config \
    -d '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": 1,
    "database.hostname": "pgdev",
    "database.port": 5432,
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "catalog_db",
    "database.server.name": "catalog_db_server",
    "heartbeat.action.query": "UPDATE ping_table SET seen_at = now();",
    "heartbeat.interval.ms": 3000,
    "table.include.list": "library.item",
    "signal.data.collection": "ops.debezium_signal",
    "plugin.name": "pgoutput",
    "slot.name": "catalog_slot",
    "topic.creation.enable": true,
    "topic.creation.default.replication.factor": -1,
    "topic.creation.default.partitions": 4,
    "topic.creation.default.cleanup.policy": "compact",
    "topic.creation.default.compression.type": "lz4",
    "topic.prefix": "dev",
    "publication.autocreate.mode": "filtered",
    "decimal.handling.mode": "double",
    "key.converter": "io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url": "http://redpanda:8081",
    "value.converter": "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://redpanda:8081",
    "schema.name.adjustment.mode": "avro",
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": true,
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "errors.retry.timeout": -1
}'
sleep infinity
