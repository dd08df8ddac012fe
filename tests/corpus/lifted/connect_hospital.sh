set -e
WITH_RECORDS="${WITH_RECORDS:-1}"
WITH_STORE="${WITH_STORE:-1}"

/opt/wait-for-it.sh $CONNECT_HOST:8083
if [[ $WITH_RECORDS = "1" ]]
then
echo "Waiting for the records' database"
/opt/wait-for-it.sh $RECORDS_DB_HOST:$RECORDS_DB_PORT
curl --fail -i -X PUT -H "Accept:application/json" -H "Content-Type:application/json" http://${CONNECT_HOST}:8083/connectors/records/config/ \
        -d '{
               "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",
               "tasks.max": "1",
               "database.hostname": "${file:/kafka/config/clinic.properties:records.hostname}",
               "database.port": "${file:/kafka/config/clinic.properties:records.port}",
               "database.user": "${file:/kafka/config/clinic.properties:records.username}",
               "database.password": "${file:/kafka/config/clinic.properties:records.password}",
               "database.server.id": "${file:/kafka/config/clinic.properties:records.server.id}",
               "topic.prefix": "${file:/kafka/config/clinic.properties:records.prefix}",
               "database.include.list": "${file:/kafka/config/clinic.properties:records.include.list}",
               "table.exclude.list": "${file:/kafka/config/clinic.properties:records.exclude.list}",
               "schema.history.internal.kafka.bootstrap.servers": "${file:/kafka/config/clinic.properties:records.brokers}",
               "schema.history.internal.kafka.topic": "${file:/kafka/config/clinic.properties:records.histroy.topic}",
               "converters": "flag",
               "flag.type": "io.debezium.connector.binlog.converters.TinyIntOneToBooleanConverter",
               "snapshot.mode": "when_needed"
     }'
fi
if [[ $WITH_STORE = "1" ]]
then
echo "Waiting for the store's database"
/opt/wait-for-it.sh $STORE_DB_HOST:$STORE_DB_PORT
curl --fail -i -X PUT -H "Accept:application/json" -H "Content-Type:application/json" http://${CONNECT_HOST}:8083/connectors/store/config/ \
        -d  '{
                "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                "tasks.max": "1",
                "database.hostname": "${file:/kafka/config/clinic.properties:store.hostname}",
                "database.port": "${file:/kafka/config/clinic.properties:store.port}",
                "database.user": "${file:/kafka/config/clinic.properties:store.username}",
                "database.password": "${file:/kafka/config/clinic.properties:store.password}",
                "database.dbname" : "store",
                "plugin.name": "pgoutput",
                "topic.prefix": "${file:/kafka/config/clinic.properties:store.prefix}",
                "table.include.list": "public.(.*)",
                "key.converter": "org.apache.kafka.connect.json.JsonConverter",
                "key.converter.schemas.enable": "true",
                "heartbeat.interval.ms": "5000",
                "slot.name": "store_capture",
                "publication.name": "store_pub",
                "decimal.handling.mode": "double"
    }'
fi
