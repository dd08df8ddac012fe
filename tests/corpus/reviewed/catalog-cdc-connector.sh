# see the outbox event router's documentation for the options

CONNECTHOST="connect"
if [ "$(hostname)" != "catalogCDC" ]
then
    CONNECTHOST=localhost
fi

curl --silent -i -X PUT -H  "Content-Type:application/json" \
    http://${CONNECTHOST}:8083/connectors/catalog-postgres-outbox-source/config \
    -d '{
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "plugin.name": "pgoutput",
            "database.hostname": "postgresCatalog",
            "database.port": "5432",
            "database.dbname": "postgres",
            "database.user": "postgres",
            "database.password": "pgsecret",
            "topic.prefix": "Retail",
            "table.include.list": "public.outbox",
            "tombstones.on.delete": "false",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.id": "event_id",
            "transforms.outbox.table.field.event.key": "aggregate_id",
            "transforms.outbox.table.fields.additional.placement": "aggregate_id:partition",
            "transforms.outbox.table.fields.additional.placement": "event_id:header:EventID,event_type:header:EventType,created_at:header:CreatedAt,custom_headers:header:CustomHeaders",
            "transforms.outbox.table.expand.json.payload": true,
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "transforms.outbox.table.op.invalid.behavior": "error",
            "transforms.outbox.route.topic.replacement": "Retail.Catalog.event.${routedByValue}",
            "transforms.outbox.route.by.field": "aggregate_type",
            "transforms.outbox.route.tombstone.on.empty.payload": true
    }'

echo "Connectors:"
curl --silent localhost:8083/connectors
