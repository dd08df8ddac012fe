# Letters of the post office: outbox -> Kafka -> Aiven's HTTP sink, with a dead letter queue. One broker (see kafka/single.env).
CONNECT ?= http://localhost:8083
PUT     := curl -fsS -X PUT -H 'Content-Type: application/json'

define SOURCE
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "plugin.name": "pgoutput",
  "database.hostname": "letters-db",
  "database.port": "5432",
  "database.user": "postgres",
  "database.password": "postgres",
  "database.dbname": "letters",
  "topic.prefix": "letters",
  "table.include.list": "public.outbox",
  "tombstones.on.delete": "false",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter"
}
endef

# What the converter refuses goes to letters.dead and from there, by "make replay", back again. The queue is watched.
define SINK
{
  "connector.class": "io.aiven.kafka.connect.http.HttpSinkConnector",
  "tasks.max": "1",
  "topics": "outbox.event.letter",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",
  "http.url": "http://sorting:8080/letters",
  "http.authorization.type": "none",
  "errors.tolerance": "all",
  "errors.deadletterqueue.topic.name": "letters.dead",
  "errors.deadletterqueue.topic.replication.factor": "1",
  "errors.deadletterqueue.context.headers.enable": "true",
  "errors.log.enable": "true"
}
endef
export SOURCE SINK

.PHONY: connectors replay
connectors:
	@printf '%s' "$$SOURCE" | $(PUT) $(CONNECT)/connectors/letters-outbox/config -d @-
	@printf '%s' "$$SINK"   | $(PUT) $(CONNECT)/connectors/letters-sorting/config -d @-

replay:
	kcat -b localhost:9092 -C -t letters.dead -e -q | kcat -b localhost:9092 -P -t outbox.event.letter
