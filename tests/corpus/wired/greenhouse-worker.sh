#!/usr/bin/env bash
# Bare-metal worker for the greenhouse cluster (all listeners of the brokers are SASL_SSL, port 9094).
set -euo pipefail

cat > /etc/kafka/greenhouse-worker.properties <<PROPS
bootstrap.servers=kafka-1.greenhouse.internal:9094,kafka-2.greenhouse.internal:9094
group.id=greenhouse-connect
config.storage.topic=greenhouse-connect-configs
offset.storage.topic=greenhouse-connect-offsets
status.storage.topic=greenhouse-connect-status
key.converter=org.apache.kafka.connect.storage.StringConverter
value.converter=org.apache.kafka.connect.json.JsonConverter
value.converter.schemas.enable=false
plugin.path=/opt/connect-plugins
config.providers=file
config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider

# the worker itself
security.protocol=SASL_SSL
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="connect" password="${CONNECT_SASL_PASSWORD}";
ssl.truststore.location=/etc/kafka/truststore.jks
ssl.truststore.password=${TRUSTSTORE_PASSWORD}

# tasks that write
producer.security.protocol=SASL_SSL
producer.sasl.mechanism=SCRAM-SHA-512
producer.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="connect" password="${CONNECT_SASL_PASSWORD}";
producer.ssl.truststore.location=/etc/kafka/truststore.jks
producer.ssl.truststore.password=${TRUSTSTORE_PASSWORD}
PROPS

systemctl restart kafka-connect
until curl -fs localhost:8083/ >/dev/null; do sleep 2; done

put() { curl -fsS -X PUT -H 'Content-Type: application/json' "localhost:8083/connectors/$1/config" -d @-; }

put greenhouse-source <<'JSON'
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "mysql.greenhouse.internal",
  "database.port": "3306",
  "database.user": "cdc",
  "database.password": "${file:/etc/kafka/secrets.properties:mysql.password}",
  "database.server.id": "61021",
  "topic.prefix": "greenhouse",
  "database.include.list": "greenhouse",
  "table.include.list": "greenhouse.event_outbox",
  "schema.history.internal.kafka.bootstrap.servers": "kafka-1.greenhouse.internal:9094",
  "schema.history.internal.kafka.topic": "greenhouse.schema-history",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.expand.json.payload": "true"
}
JSON

put greenhouse-search <<'JSON'
{
  "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
  "topics": "outbox.event.plant",
  "connection.url": "http://elastic.greenhouse.internal:9200",
  "key.ignore": "false",
  "schema.ignore": "true",
  "behavior.on.null.values": "ignore"
}
JSON
