# Registers the source of the product service. Partition = shard_no of the row (an int column), so that the events
# of a shard stay together; the other columns go to headers.

CONNECT_HOST="connect"
if [ "$(hostname)" != "productRelay" ]
then
    CONNECT_HOST=localhost
fi

curl --silent -i -X PUT -H "Content-Type:application/json" \
    http://${CONNECT_HOST}:8083/connectors/product-outbox-source/config \
    -d '{
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "plugin.name": "pgoutput",
            "database.hostname": "productPg",
            "database.port": "5432",
            "database.dbname": "products",
            "database.user": "postgres",
            "database.password": "password",
            "topic.prefix": "Fleet",
            "table.include.list": "public.outbox",
            "tombstones.on.delete": "false",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.id": "event_id",
            "transforms.outbox.table.field.event.key": "aggregate_id",
            "transforms.outbox.table.fields.additional.placement": "shard_no:partition",
            "transforms.outbox.table.fields.additional.placement": "event_id:header:EventID,event_type:header:EventType,created_at:header:CreatedAt",
            "transforms.outbox.table.expand.json.payload": true,
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "transforms.outbox.table.op.invalid.behavior": "error",
            "transforms.outbox.route.topic.replacement": "Fleet.Products.event.${routedByValue}",
            "transforms.outbox.route.by.field": "aggregate_type",
            "transforms.outbox.route.tombstone.on.empty.payload": true
    }'

echo "Plugins"
curl -s http://${CONNECT_HOST}:8083/connector-plugins

echo "Connectors"
curl -s http://${CONNECT_HOST}:8083/connectors
