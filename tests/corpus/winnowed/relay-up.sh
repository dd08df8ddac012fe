#!/usr/bin/env bash
set -euo pipefail

HERE="$(cd "$(dirname "$0")" && pwd)"
RUN="${HERE}/../run/relay"
CONF="${RUN}/application.properties"
NAME="clicks-relay"
IMAGE="${RELAY_IMAGE:-quay.io/debezium/server:3.4.3.Final}"

mkdir -p "${RUN}/data"

if ! docker ps --format '{{.Names}}' | grep -qx "clicks-mysql"; then
  echo "start the base stack first"
  exit 1
fi

cat >"${CONF}" <<'EOF'
debezium.source.connector.class=io.debezium.connector.mysql.MySqlConnector
debezium.source.database.hostname=host.docker.internal
debezium.source.database.port=3309
debezium.source.database.user=debezium
debezium.source.database.password=debezium
debezium.source.database.server.id=7720
debezium.source.topic.prefix=clicks
debezium.source.database.include.list=clicks
debezium.source.table.include.list=clicks.outbox_events
debezium.source.include.schema.changes=false
debezium.source.snapshot.mode=no_data
debezium.source.snapshot.locking.mode=none
debezium.source.tombstones.on.delete=false
debezium.source.schema.history.internal=io.debezium.storage.file.history.FileSchemaHistory
debezium.source.schema.history.internal.file.filename=/debezium/data/history.dat
debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore
debezium.source.offset.storage.file.filename=/debezium/data/offsets.dat
debezium.source.offset.flush.interval.ms=2000

debezium.format.key=json
debezium.format.key.schemas.enable=false
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
debezium.sink.nats-jetstream.subjects=clicks.ingested
debezium.sink.nats-jetstream.async.enabled=true
EOF

docker rm -f "${NAME}" >/dev/null 2>&1 || true
docker run -d --name "${NAME}" -p 8085:8080 \
  -v "${CONF}:/debezium/config/application.properties:ro" \
  -v "${RUN}/data:/debezium/data" \
  "${IMAGE}" >/dev/null

sleep 3
docker logs --tail 30 "${NAME}"
