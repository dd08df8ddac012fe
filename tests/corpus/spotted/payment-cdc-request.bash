curl --location 'http://localhost:8083/connectors' \
--header 'Accept: application/json' \
--header 'Content-Type: application/json' \
--data '{
    "name": "billing-step-source",
    "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "tasks.max": "1",
        "plugin.name": "pgoutput",

        "database.hostname": "pg-billing-store",
        "database.port": "5432",
        "database.user": "user",
        "database.password": "password",
        "database.dbname": "billing",
        "database.server.name": "BILLING_STEP_SOURCE",

        "topic.prefix": "step_billing",
        "table.include.list": "public.saga_outbox",

        "transforms": "step",
        "transforms.step.type": "io.debezium.transforms.outbox.EventRouter",

        "transforms.step.route.by.field": "aggregatetype",
        "transforms.step.table.fields.additional.placement": "type:header:type",
        "transforms.step.table.expand.json.payload": "true",

        "key.converter": "org.apache.kafka.connect.json.JsonConverter",
        "value.converter": "org.apache.kafka.connect.json.JsonConverter",

        "slot.name": "billing_step_slot"
    }
}'
