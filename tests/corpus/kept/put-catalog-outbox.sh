# see the outbox event router page of the Debezium manual
# curl -X POST -d "@catalogSource.json" http://localhost:8083/connectors

HOST="connect"
if [ $(hostname) -ne "catalogCDC" ]
then
    HOST=localhost
fi


curl --silent -i -X PUT -H  "Content-Type:application/json" \
    http://${HOST}:8083/connectors/catalog-postgres-outbox-source/config \
    -d '{
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "plugin.name": "pgoutput",
            "database.hostname": "postgresCatalog",
            "database.port": "5432",
            "database.dbname": "postgres",
            "database.user": "postgres",
            "database.password": "password",
            "topic.prefix": "museum",
            "table.include.list": "public.outbox",
            "tombstones.on.delete": "false",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "transforms": "outbox",
            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
            "transforms.outbox.table.field.event.id": "event_id",
            "transforms.outbox.table.field.event.key": "aggregate_id",
            "transforms.outbox.table.fields.additional.placement": "aggregate_id:partition",
            "transforms.outbox.table.fields.additional.placement": "event_id:header:EventID,event_type:header:EventType,created_at:header:CreatedAt,extra_headers:header:ExtraHeaders",
            "transforms.outbox.table.expand.json.payload": true,
            "transforms.outbox.table.op.invalid.behavior": "error",
            "transforms.outbox.route.by.field": "aggregate_type",
            "transforms.outbox.route.topic.replacement": "museum.Catalog.event.${routedByValue}",
            "transforms.outbox.route.tombstone.on.empty.payload": true
    }'


echo "Connect:"
curl --silent localhost:8083

echo "\n\nConnectors:"
curl --silent localhost:8083/connectors
