#!/usr/bin/env bash
# Lighthouses: worker with Avro and the schema registry, then the source. cp-kafka-connect 7.8, two workers.
set -euo pipefail

cat > beacon-worker.properties <<'PROPS'
bootstrap.servers=broker-a:9092,broker-b:9092,broker-c:9092
group.id=beacon
config.storage.topic=beacon-configs
offset.storage.topic=beacon-offsets
status.storage.topic=beacon-status
config.storage.replication.factor=3
offset.storage.replication.factor=3
status.storage.replication.factor=3
key.converter=org.apache.kafka.connect.storage.StringConverter
value.converter=io.confluent.connect.avro.AvroConverter
value.converter.schema.registry.url=http://registry:8081
plugin.path=/usr/share/java,/opt/plugins
config.providers=env
config.providers.env.class=org.apache.kafka.common.config.provider.EnvVarConfigProvider
PROPS

scp beacon-worker.properties worker-1:/etc/kafka/
scp beacon-worker.properties worker-2:/etc/kafka/
ssh worker-1 sudo systemctl restart confluent-kafka-connect
ssh worker-2 sudo systemctl restart confluent-kafka-connect

# key: plain text, value: Avro as everywhere
curl -fsS --retry 20 --retry-connrefused -X PUT -H 'Content-Type: application/json' \
  http://worker-1:8083/connectors/beacon-lamps/config -d @- <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "plugin.name": "pgoutput",
  "database.hostname": "beacon-db",
  "database.port": "5432",
  "database.user": "${env:BEACON_DB_USER}",
  "database.password": "${env:BEACON_DB_PASSWORD}",
  "database.dbname": "beacon",
  "topic.prefix": "beacon",
  "table.include.list": "public.lamps,public.inspections",
  "publication.autocreate.mode": "filtered",
  "slot.name": "beacon_lamps",
  "value.converter": "io.confluent.connect.avro.AvroConverter",
  "value.converter.auto.register.schemas": "true",
  "transforms": "unwrap,key",
  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.key.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
  "transforms.key.field": "id"
}
JSON
