#!/usr/bin/env bash
# raw ads events: MySQL outbox -> NATS JetStream
set -euo pipefail
IMAGE="quay.io/debezium/server:2.7.3.Final"
NAME=ads-debezium
CONF="$(pwd)/.run/application.properties"
mkdir -p .run/data

cat > "$CONF" <<'EOF'
debezium.source.connector.class=io.debezium.connector.mysql.MySqlConnector
debezium.source.database.hostname=host.docker.internal
debezium.source.database.port=3306
debezium.source.database.user=debezium
debezium.source.database.password=debezium
debezium.source.database.server.id=5411
debezium.source.database.server.name=ads_raw_mysql
debezium.source.topic.prefix=ads_raw
debezium.source.database.include.list=ads_raw
debezium.source.table.include.list=ads_raw.outbox_events
debezium.source.include.schema.changes=false
debezium.source.snapshot.mode=initial
debezium.source.tombstones.on.delete=false
debezium.source.heartbeat.interval.ms=15000
debezium.source.schema.history.internal=io.debezium.storage.file.history.FileSchemaHistory
debezium.source.schema.history.internal.file.filename=/debezium/data/schemahistory.dat
debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore
debezium.source.offset.storage.file.filename=/debezium/data/offsets.dat
debezium.source.offset.flush.interval.ms=1000

debezium.format.key=simplestring
debezium.format.value=json
debezium.format.value.schemas.enable=false

debezium.transforms=outbox
debezium.transforms.outbox.type=io.debezium.transforms.outbox.EventRouter
debezium.transforms.outbox.table.field.event.id=event_id
debezium.transforms.outbox.table.field.event.key=aggregate_id
debezium.transforms.outbox.table.field.event.payload=payload_json
debezium.transforms.outbox.table.expand.json.payload=true
debezium.transforms.outbox.route.by.field=topic
debezium.transforms.outbox.route.topic.replacement=$${routedByValue}
debezium.transforms.outbox.table.fields.additional.placement=event_type:header:type

debezium.sink.type=nats-jetstream
debezium.sink.nats-jetstream.url=nats://host.docker.internal:4222
debezium.sink.nats-jetstream.create-stream=false
debezium.sink.nats-jetstream.subjects=ads.raw.ingested
EOF

docker rm -f "$NAME" >/dev/null 2>&1 || true
docker run -d --name "$NAME" -p 8083:8080 \
  -v "$CONF:/debezium/config/application.properties:ro" \
  -v "$(pwd)/.run/data:/debezium/data" "$IMAGE"
