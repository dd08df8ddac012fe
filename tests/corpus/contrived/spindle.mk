# make -f spindle.mk topics connector
KAFKA      ?= kafka.spindle.svc:9092
CONNECT    ?= http://connect.spindle.svc:8083
TOPICS_BIN := kafka-topics.sh --bootstrap-server $(KAFKA)

.PHONY: topics connector status

# auto.create.topics.enable=false on the brokers
topics:
	$(TOPICS_BIN) --create --if-not-exists --topic spindle.schema-history \
	  --partitions 1 --replication-factor 3 \
	  --config cleanup.policy=compact --config retention.ms=-1
	$(TOPICS_BIN) --create --if-not-exists --topic spindle --partitions 1 --replication-factor 3
	$(TOPICS_BIN) --create --if-not-exists --topic spindle.events.loom \
	  --partitions 6 --replication-factor 3 --config retention.ms=1209600000
	$(TOPICS_BIN) --create --if-not-exists --topic spindle.events.yarn \
	  --partitions 6 --replication-factor 3 --config retention.ms=1209600000

define CONFIG
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "spindle-mysql",
  "database.port": "3306",
  "database.user": "spindle_cdc",
  "database.password": "$${file:/opt/secrets/spindle.properties:password}",
  "database.server.id": "39018",
  "topic.prefix": "spindle",
  "table.include.list": "spindle.outbox",
  "schema.history.internal.kafka.bootstrap.servers": "$(KAFKA)",
  "schema.history.internal.kafka.topic": "spindle.schema-history",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "spindle.events.$${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
endef
export CONFIG

connector:
	printenv CONFIG | curl -fsS -X PUT -H 'Content-Type: application/json' \
	  --data-binary @- $(CONNECT)/connectors/spindle-outbox/config

status:
	curl -fsS $(CONNECT)/connectors/spindle-outbox/status
