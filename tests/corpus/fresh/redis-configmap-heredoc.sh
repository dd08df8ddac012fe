#!/bin/bash
# writes the ConfigMap of the relay
cat << EOF > /tmp/relay-configmap.yml
apiVersion: v1
kind: ConfigMap
metadata:
  name: relay-config
data:
  application.properties: |
    debezium.sink.type=redis
    debezium.sink.redis.address=<REDIS_HOST>:<REDIS_PORT>
    debezium.sink.redis.password=<REDIS_PASSWORD>

    debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
    debezium.source.database.hostname=museum-postgres
    debezium.source.database.port=5432
    debezium.source.database.user=postgres
    debezium.source.database.password=postgres
    debezium.source.database.dbname=postgres
    debezium.source.database.server.name=museum
    debezium.source.include.schema.changes=false
    debezium.source.tombstones.on.delete=false
    debezium.source.offset.flush.interval.ms=1000
    debezium.source.include.schema.changes=false
    debezium.source.tombstones.on.delete=false
    debezium.source.database.history=io.debezium.server.redis.RedisDatabaseHistory
    debezium.source.offset.storage=io.debezium.server.redis.RedisOffsetBackingStore

    debezium.transforms=AddPrefix
    debezium.transforms.AddPrefix.type=org.apache.kafka.connect.transforms.RegexRouter
    debezium.transforms.AddPrefix.regex=.*
    debezium.transforms.AddPrefix.replacement=data:$0

    quarkus.log.level=INFO
    quarkus.log.console.json=false
EOF
oc apply -f /tmp/relay-configmap.yml
