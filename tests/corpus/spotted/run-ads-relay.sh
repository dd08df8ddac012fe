#!/usr/bin/env bash
set -euo pipefail

HERE="$(cd "$(dirname "$0")" && pwd)"
WORK="${HERE}/../../run/relay"
CONF="${WORK}/application.properties"
NAME="ads-relay"
IMAGE="${RELAY_IMAGE:-quay.io/debezium/server:3.4.3.Final}"

mkdir -p "${WORK}/state"

if ! docker ps --format '{{.Names}}' | grep -qx "ads-mysql"; then
  echo "ads-mysql does not run, start the base stack first"
  exit 1
fi

cat >"${CONF}" <<'EOF'
debezium.source.connector.class=io.debezium.connector.mysql.MySqlConnector
debezium.source.database.hostname=host.docker.internal
debezium.source.database.port=3317
debezium.source.database.user=debezium
debezium.source.database.password=debezium
debezium.source.database.server.id=6120
debezium.source.database.server.name=ads_mysql
debezium.source.topic.prefix=ads
debezium.source.database.include.list=ads
debezium.source.table.include.list=ads.raw_messages
debezium.source.include.schema.changes=false
debezium.source.snapshot.mode=no_data
debezium.source.snapshot.locking.mode=none
debezium.source.tombstones.on.delete=false
debezium.source.schema.history.internal=io.debezium.storage.file.history.FileSchemaHistory
debezium.source.schema.history.internal.file.filename=/debezium/state/ddl.dat
debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore
debezium.source.offset.storage.file.filename=/debezium/state/position.dat
debezium.source.offset.flush.interval.ms=800

debezium.format.key=json
debezium.format.key.schemas.enable=false
debezium.format.value=json
debezium.format.value.schemas.enable=false

debezium.transforms=raw
debezium.transforms.raw.type=io.debezium.transforms.outbox.EventRouter
debezium.transforms.raw.table.field.event.id=message_id
debezium.transforms.raw.table.field.event.key=campaign_id
debezium.transforms.raw.table.field.event.payload=content_json
debezium.transforms.raw.table.expand.json.payload=true
debezium.transforms.raw.route.by.field=subject
debezium.transforms.raw.route.topic.replacement=$${routedByValue}
debezium.transforms.raw.table.fields.additional.placement=message_kind:header:kind

debezium.sink.type=nats-jetstream
debezium.sink.nats-jetstream.url=nats://host.docker.internal:4222
debezium.sink.nats-jetstream.create-stream=false
debezium.sink.nats-jetstream.subjects=ads.raw.received
debezium.sink.nats-jetstream.async.enabled=true
EOF

docker rm -f "${NAME}" >/dev/null 2>&1 || true
docker run -d --name "${NAME}" -p 18083:8080 \
  -v "${CONF}:/debezium/config/application.properties:ro" \
  -v "${WORK}/state:/debezium/state" \
  "${IMAGE}" >/dev/null
docker logs --tail 30 "${NAME}"
