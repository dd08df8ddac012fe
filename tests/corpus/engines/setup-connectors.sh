set -e
CONNECT_CLINIC="${CONNECT_CLINIC:-1}"
CONNECT_STORE="${CONNECT_STORE:-1}"

echo "--- waiting for Connect"
/opt/wait-for-it.sh $CONNECT_HOST:8083
if [[ $CONNECT_CLINIC = "1" ]]
then
echo "--- waiting for the database of the clinic"
/opt/wait-for-it.sh $CLINIC_DB_HOST:$CLINIC_DB_PORT
curl --fail -i -X PUT -H "Accept:application/json" -H "Content-Type:application/json" http://${CONNECT_HOST}:8083/connectors/clinic-connector/config/ \
        -d '{
               "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",
               "tasks.max": "1",
               "database.hostname": "${file:/kafka/config/worker.properties:mysql.hostname}",
               "database.port": "${file:/kafka/config/worker.properties:mysql.port}",
               "database.user": "${file:/kafka/config/worker.properties:mysql.username}",
               "database.password": "${file:/kafka/config/worker.properties:mysql.password}",
               "database.server.id": "${file:/kafka/config/worker.properties:mysql.server.id}",
               "topic.prefix": "${file:/kafka/config/worker.properties:mysql.server.name}",
               "database.include.list": "${file:/kafka/config/worker.properties:mysql.include.list}",
               "table.exclude.list": "${file:/kafka/config/worker.properties:table.exclude.list}",
               "schema.history.internal.kafka.bootstrap.servers": "${file:/kafka/config/worker.properties:mysql.kafka.bootstrap.servers}",
               "schema.history.internal.kafka.topic": "${file:/kafka/config/worker.properties:mysql.history.topic}",
               "converters": "tinyint",
               "tinyint.type": "io.debezium.connector.binlog.converters.TinyIntOneToBooleanConverter",
               "snapshot.mode": "when_needed"
     }'
fi
if [[ $CONNECT_STORE = "1" ]]
then
echo "--- waiting for the database of the store"
/opt/wait-for-it.sh $STORE_DB_HOST:$STORE_DB_PORT
curl --fail -i -X PUT -H "Accept:application/json" -H "Content-Type:application/json" http://${CONNECT_HOST}:8083/connectors/store-connector/config/ \
        -d  '{
                "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
                "tasks.max": "1",
                "database.hostname": "${file:/kafka/config/worker.properties:store.db.hostname}",
                "database.port": "${file:/kafka/config/worker.properties:store.db.port}",
                "database.user": "${file:/kafka/config/worker.properties:store.db.username}",
                "database.password": "${file:/kafka/config/worker.properties:store.db.password}",
                "database.dbname" : "store",
                "plugin.name": "pgoutput",
                "topic.prefix": "${file:/kafka/config/worker.properties:store.db.server.name}",
                "table.include.list": "public.(.*)",
                "key.converter": "org.apache.kafka.connect.json.JsonConverter",
                "key.converter.schemas.enable": "true",
                "heartbeat.interval.ms": "5000",
                "slot.name": "store_cdc",
                "publication.name": "store_publication",
                "decimal.handling.mode": "double"
    }'
fi
