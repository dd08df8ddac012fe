#!/usr/bin/env bash
# Worker on a broker with SASL_SSL. The admin clients take over what stands without a prefix, so there is no "admin." block.
set -euo pipefail
JAAS="org.apache.kafka.common.security.scram.ScramLoginModule required username=\"connect\" password=\"${SASL_PASSWORD:?}\";"

{
  cat <<'PROPS'
bootstrap.servers=kafka.observatory.internal:9094
group.id=observatory
config.storage.topic=observatory-configs
offset.storage.topic=observatory-offsets
status.storage.topic=observatory-status
key.converter=org.apache.kafka.connect.json.JsonConverter
value.converter=org.apache.kafka.connect.json.JsonConverter
plugin.path=/opt/plugins
config.providers=file
config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider
config.providers.file.param.allowed.paths=/etc/observatory
PROPS
  for prefix in "" producer. consumer.; do
    printf '%ssecurity.protocol=SASL_SSL\n%ssasl.mechanism=SCRAM-SHA-256\n%ssasl.jaas.config=%s\n' "$prefix" "$prefix" "$prefix" "$JAAS"
  done
} > /etc/observatory/worker.properties

printf 'jaas=%s\ncdc=%s\n' "$JAAS" "${CDC_PASSWORD:?}" > /etc/observatory/secrets.properties
chmod 600 /etc/observatory/*.properties
systemctl restart kafka-connect && sleep 20

curl -fsS -X PUT -H 'Content-Type: application/json' localhost:8083/connectors/exposures/config -d @- <<'JSON'
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "mysql.observatory.internal",
  "database.port": "3306",
  "database.user": "cdc",
  "database.password": "${file:/etc/observatory/secrets.properties:cdc}",
  "database.server.id": "990417",
  "topic.prefix": "observatory",
  "table.include.list": "sky.exposures",
  "schema.history.internal.kafka.bootstrap.servers": "kafka.observatory.internal:9094",
  "schema.history.internal.kafka.topic": "observatory.schema-history",
  "schema.history.internal.producer.security.protocol": "SASL_SSL",
  "schema.history.internal.producer.sasl.mechanism": "SCRAM-SHA-256",
  "schema.history.internal.producer.sasl.jaas.config": "${file:/etc/observatory/secrets.properties:jaas}",
  "schema.history.internal.consumer.security.protocol": "SASL_SSL",
  "schema.history.internal.consumer.sasl.mechanism": "SCRAM-SHA-256",
  "schema.history.internal.consumer.sasl.jaas.config": "${file:/etc/observatory/secrets.properties:jaas}"
}
JSON
