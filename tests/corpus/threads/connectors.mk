define CONNECTOR_OWN
curl -X POST \
  http://localhost:8083/connectors/ \
  -H 'content-type: application/json' \
  -d '{
	"name": "notes-own-connector",
	"config": {
		"connector.class": "io.debezium.connector.postgresql.PostgresConnector",
		"tasks.max": "1",
		"database.hostname": "postgres",
		"database.port": "5432",
		"database.user": "notes",
		"database.password": "password",
		"database.dbname": "notes",
		"database.server.name": "pg-notes-own",
		"tombstones.on.delete": "false",
		"table.whitelist": "public.outbox_own",
		"transforms": "outbox",
		"transforms.outbox.type": "org.example.notes.NoteTransformer"
	}
}'
endef
export CONNECTOR_OWN

define CONNECTOR_QUARKUS
curl -X POST \
  http://localhost:8083/connectors/ \
  -H 'content-type: application/json' \
  -d '{
	"name": "notes-quarkus-connector",
	"config": {
		"connector.class": "io.debezium.connector.postgresql.PostgresConnector",
		"tasks.max": "1",
		"database.hostname": "postgres",
		"database.port": "5432",
		"database.user": "notes",
		"database.password": "password",
		"database.dbname": "notes",
		"database.server.name": "pg-notes-quarkus",
		"tombstones.on.delete": "false",
		"table.whitelist": "public.outbox_quarkus",
		"transforms": "outbox",
		"transforms.outbox.type" : "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.route.by.field": "type",
		"transforms.outbox.route.topic.replacement": "note_added",
		"transforms.outbox.table.field.event.timestamp": "timestamp",
		"transforms.outbox.table.fields.additional.placement": "type:header:eventType"
	}
}'
endef
export CONNECTOR_QUARKUS

# transformer
transformer:
	cd note-transformer && mvn clean install
	docker build -t notes-connect .

# connectors
own-create:
	@echo $$CONNECTOR_OWN | bash

quarkus-create:
	@echo $$CONNECTOR_QUARKUS | bash

create: own-create quarkus-create

own-status:
	curl http://localhost:8083/connectors/notes-own-connector/status | jq .

quarkus-status:
	curl http://localhost:8083/connectors/notes-quarkus-connector/status | jq .

listen:
	kcat -b localhost:9092 -t note_added -C
