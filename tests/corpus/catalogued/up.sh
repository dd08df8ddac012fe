#!/bin/sh
# Starts a worker and the connector of the library; needs LIBRARY_PG_PASSWORD in the environment.
set -eu

docker run -d --name library-connect --network library -p 8083:8083 \
  -e BOOTSTRAP_SERVERS=redpanda:9092 \
  -e GROUP_ID=library \
  -e CONFIG_STORAGE_TOPIC=library-configs \
  -e OFFSET_STORAGE_TOPIC=library-offsets \
  -e STATUS_STORAGE_TOPIC=library-status \
  -e CONNECT_CONFIG_PROVIDERS=env \
  -e CONNECT_CONFIG_PROVIDERS_ENV_CLASS=org.apache.kafka.common.config.provider.EnvVarConfigProvider \
  -e LIBRARY_PG_PASSWORD \
  quay.io/debezium/connect:3.3

until curl -fs localhost:8083/connectors >/dev/null; do sleep 2; done

# quoted: the shell replaces nothing, Connect and the router do
curl -fsS -X PUT localhost:8083/connectors/library-outbox/config \
  -H 'Content-Type: application/json' --data-binary @- <<'EOF'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "library-pg",
  "database.port": "5432",
  "database.user": "library_cdc",
  "database.password": "${env:LIBRARY_PG_PASSWORD}",
  "database.dbname": "library",
  "topic.prefix": "library",
  "plugin.name": "pgoutput",
  "slot.name": "library_outbox",
  "publication.autocreate.mode": "filtered",
  "publication.name": "library_outbox",
  "schema.include.list": "lending",
  "table.include.list": "lending.outbox",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "library.${routedByValue}"
}
EOF
