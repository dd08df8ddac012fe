CONNECT ?= http://localhost:8083

.PHONY: relay relay-status

# registers the outbox relay of the local stack
relay:
	curl -fsS -X PUT -H 'Content-Type: application/json' $(CONNECT)/connectors/kennel-relay/config -d '{ \
	  "connector.class": "io.debezium.connector.postgresql.PostgresConnector", \
	  "database.hostname": "postgres", \
	  "database.port": "5432", \
	  "database.user": "postgres", \
	  "database.password": "postgres", \
	  "database.dbname": "kennel", \
	  "topic.prefix": "kennel", \
	  "plugin.name": "pgoutput", \
	  "slot.name": "kennel_relay", \
	  "publication.name": "kennel_relay", \
	  "publication.autocreate.mode": "filtered", \
	  "table.include.list": "public.outbox", \
	  "transforms": "outbox", \
	  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter", \
	  "transforms.outbox.route.topic.replacement": "kennel.${routedByValue}.events", \
	  "key.converter": "org.apache.kafka.connect.storage.StringConverter", \
	  "value.converter": "org.apache.kafka.connect.storage.StringConverter" }'

relay-status:
	curl -fsS $(CONNECT)/connectors/kennel-relay/status
