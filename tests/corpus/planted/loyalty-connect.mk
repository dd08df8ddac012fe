# Local targets of the loyalty service; include it from the Makefile.
CONNECT_URL ?= http://localhost:8083
LOYALTY_CONNECTOR := loyalty-outbox

define LOYALTY_BODY
{
  "name": "$(LOYALTY_CONNECTOR)",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "mysql",
    "database.port": "3306",
    "database.user": "debezium",
    "database.password": "dbz",
    "database.server.id": "61014",
    "topic.prefix": "loyalty",
    "database.include.list": "loyalty",
    "table.include.list": "loyalty.outbox",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.kafka.topic": "loyalty.schema-history",
    "include.schema.changes": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.fields.additional.placement": "type:header:type",
    "transforms.outbox.route.topic.replacement": "loyalty-${routedByValue}-events"
  }
}
endef
export LOYALTY_BODY

.PHONY: connector-up connector-status connector-down

connector-up:
	@printf '%s' "$$LOYALTY_BODY" | curl -sS -X POST $(CONNECT_URL)/connectors \
	  -H 'Content-Type: application/json' --data-binary @-

connector-status:
	curl -sS $(CONNECT_URL)/connectors/$(LOYALTY_CONNECTOR)/status | jq .

connector-down:
	curl -sS -X DELETE $(CONNECT_URL)/connectors/$(LOYALTY_CONNECTOR)
