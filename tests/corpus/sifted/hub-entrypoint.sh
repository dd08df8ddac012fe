#!/bin/sh

BASE=/srv/cdc
KEYS=/srv/keys
CONF=${BASE}/conf
STATE=${BASE}/state

mkdir -p ${CONF} ${STATE}

if [ ! -f ${CONF}/application.properties ]; then
    echo "no settings yet, writing them"
    printf "\
debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
debezium.source.offset.storage.file.filename=${STATE}/position.dat
debezium.source.database.hostname=localhost
debezium.source.database.port=5432
debezium.source.database.user=cdcadmin
debezium.source.database.sslmode=verify-ca
debezium.source.database.sslcert=${KEYS}/client.pem
debezium.source.database.sslkey=${KEYS}/client.der
debezium.source.database.sslrootcert=${KEYS}/root.pem
debezium.source.plugin.name=pgoutput
debezium.sink.type=eventhubs
debezium.source.offset.flush.interval.ms=15000
debezium.source.database.dbname=tenant
debezium.source.slot.name=hub_slot
debezium.source.topic.prefix=tenant
debezium.source.publication.autocreate.mode=all_tables
debezium.source.slot.drop.on.stop=false
" > ${CONF}/application.properties
else
    echo "settings are there, left alone"
fi

exec "$@"
