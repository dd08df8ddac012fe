#!/usr/bin/env bash
# Starts Debezium Server next to the dev stack: MySQL outbox -> NATS JetStream
set -euo pipefail

HERE="$(cd "$(dirname "$0")" && pwd)"
STATE="${HERE}/../.state/relay"
CONF="${STATE}/application.properties"
NAME="clickhub-relay"
IMAGE="${RELAY_IMAGE:-quay.io/debezium/server:3.4.2.Final}"

mkdir -p "${STATE}/data"

if ! docker ps --format '{{.Names}}' | grep -qx "clickhub-ingest-mysql"; then
  echo "clickhub-ingest-mysql is down, run ./dev/up.sh first"
  exit 1
fi

cat >"${CONF}" <<'PROPS'
debezium.source.connector.class=io.debezium.connector.mysql.MySqlConnector
debezium.source.topic.prefix=clickhub_ingest
debezium.source.database.hostname=host.docker.internal
debezium.source.database.port=3316
debezium.source.database.user=debezium
debezium.source.database.password=debezium
debezium.source.database.server.id=6120
debezium.source.database.server.name=clickhub_ingest_mysql
debezium.source.database.include.list=clickhub_ingest
debezium.source.table.include.list=clickhub_ingest.event_outbox
debezium.source.include.schema.changes=false
debezium.source.snapshot.mode=no_data
debezium.source.snapshot.locking.mode=none
debezium.source.tombstones.on.delete=false
debezium.source.schema.history.internal=io.debezium.storage.file.history.FileSchemaHistory
debezium.source.schema.history.internal.file.filename=/debezium/data/history.dat
debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore
debezium.source.offset.storage.file.filename=/debezium/data/offsets.dat
debezium.source.offset.flush.interval.ms=1000

debezium.format.key=json
debezium.format.key.schemas.enable=false
debezium.format.value=json
debezium.format.value.schemas.enable=false

debezium.transforms=outbox
debezium.transforms.outbox.type=io.debezium.transforms.outbox.EventRouter
debezium.transforms.outbox.table.field.event.id=event_id
debezium.transforms.outbox.table.field.event.key=campaign_id
debezium.transforms.outbox.table.field.event.payload=body_json
debezium.transforms.outbox.table.expand.json.payload=true
debezium.transforms.outbox.route.by.field=subject
debezium.transforms.outbox.route.topic.replacement=$${routedByValue}
debezium.transforms.outbox.table.fields.additional.placement=event_type:header:type

debezium.sink.type=nats-jetstream
debezium.sink.nats-jetstream.url=nats://host.docker.internal:4222
debezium.sink.nats-jetstream.create-stream=false
debezium.sink.nats-jetstream.subjects=ingest.clicks.raw
debezium.sink.nats-jetstream.async.enabled=true
PROPS

docker rm -f "${NAME}" >/dev/null 2>&1 || true
docker run -d --name "${NAME}" -p 8093:8080 \
  -v "${CONF}:/debezium/config/application.properties:ro" \
  -v "${STATE}/data:/debezium/data" \
  "${IMAGE}" >/dev/null

sleep 3
docker logs --tail 30 "${NAME}"
