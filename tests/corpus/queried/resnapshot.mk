# make connector            registers the connector
# make resnapshot T=public.invoice
#                           takes a snapshot of one table again, by a message in the signal topic
CONNECT ?= http://localhost:8083
BROKER  ?= localhost:9092

define CONFIG
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "invoices-db",
  "database.port": "5432",
  "database.user": "debezium",
  "database.password": "debezium",
  "database.dbname": "invoices",
  "topic.prefix": "invoices",
  "plugin.name": "pgoutput",
  "slot.name": "invoices_cdc",
  "schema.include.list": "public",
  "snapshot.mode": "no_data",
  "signal.enabled.channels": "kafka",
  "signal.kafka.topic": "invoices-signals",
  "signal.kafka.bootstrap.servers": "kafka:9092",
  "notification.enabled.channels": "log"
}
endef
export CONFIG

.PHONY: connector resnapshot
connector:
	printenv CONFIG | curl -fsS -X PUT -H 'Content-Type: application/json' \
	  --data-binary @- $(CONNECT)/connectors/invoices/config

resnapshot:
	printf '%s\n' 'invoices|{"type":"execute-snapshot","data":{"data-collections":["$(T)"],"type":"INCREMENTAL"}}' \
	  | kafka-console-producer.sh --bootstrap-server $(BROKER) --topic invoices-signals \
	      --property parse.key=true --property 'key.separator=|'
