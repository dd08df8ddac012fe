# step 2 of the demo: everything in the MySQL instance goes to Kafka
curl -i -X PUT -H  "Content-Type:application/json" \
    http://localhost:8083/connectors/src-dbz-tickets/config \
    -d '{
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "ticketdb",
    "database.port": "3306",
    "database.user": "debezium",
    "database.password": "dbz",
    "database.server.id": "77",
    "topic.prefix": "ticketdb",
    "schema.history.internal.kafka.bootstrap.servers": "kafka1:29092",
    "schema.history.internal.kafka.topic": "ddl.tickets",
    "time.precision.mode": "adaptive_time_microseconds",
    "include.schema.changes": "true"
    }'
