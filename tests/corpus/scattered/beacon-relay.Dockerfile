# syntax=docker/dockerfile:1.7
FROM quay.io/debezium/server:3.3.1.Final

# the quoted word keeps BuildKit from replacing variables in the file
COPY --chown=jboss <<'PROPS' /debezium/config/application.properties
# beacon: outbox -> RabbitMQ.  "unwrap" only sees what "outbox" lets pass
debezium.sink.type=rabbitmq
debezium.sink.rabbitmq.connection.host=mq
debezium.sink.rabbitmq.connection.port=5672
debezium.sink.rabbitmq.connection.username=user
debezium.sink.rabbitmq.connection.password=password
debezium.sink.rabbitmq.exchange=beacon.direct
debezium.sink.rabbitmq.routingKey=beacon.changed
debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
debezium.source.offset.storage=io.debezium.storage.jdbc.offset.JdbcOffsetBackingStore
debezium.source.offset.storage.jdbc.connection.url=jdbc:postgresql://beacon-db:5432/beacon
debezium.source.offset.storage.jdbc.connection.user=beacon
debezium.source.offset.storage.jdbc.connection.password=beacon
debezium.source.offset.flush.interval.ms=0
debezium.source.database.hostname=beacon-db
debezium.source.database.port=5432
debezium.source.database.user=beacon
debezium.source.database.password=beacon
debezium.source.database.dbname=beacon
debezium.source.topic.prefix=beacon
debezium.source.table.include.list=public.outbox
debezium.source.plugin.name=pgoutput
debezium.source.skipped.operations=u,d,t
debezium.transforms=outbox,unwrap
debezium.transforms.outbox.type=io.debezium.transforms.outbox.EventRouter
debezium.transforms.outbox.route.topic.replacement=beacon
debezium.transforms.outbox.table.expand.json.payload=true
debezium.transforms.unwrap.type=io.debezium.transforms.ExtractNewRecordState
debezium.transforms.unwrap.delete.tombstone.handling.mode=rewrite
debezium.format.key=json
debezium.format.value=json
debezium.format.value.schemas.enable=false
PROPS

EXPOSE 8080
