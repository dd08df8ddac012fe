#!/usr/bin/env bash
# Adds one SQL Server connector, described by the environment

# The request body; all values come from the compose file or the pod spec
BODYSTRING='{ "name": "'$CONNNAME'", "config": { "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector", "database.hostname": "'$SQLHOST'", "database.port": "'$SQLPORT'", "database.user": "'$SQLUSER'", "database.password": "'$SQLPASSWORD'", "database.dbname": "'$SQLNAME'", "database.server.name": "'$LOGICALNAME'", "table.include.list": "'$TABLELIST'", "database.history.kafka.bootstrap.servers": "'$HISTBROKERS'", "database.history.kafka.topic": "'$HISTTOPIC'" }}'

# Without TARGET this machine is meant
if [ -z "$TARGET" ]; then
    TARGET='localhost'
fi

echo "TARGET: $TARGET"

MADE='201 Created'
THERE='409 Conflict'
TRIES=0

function post
{
    TRIES=$((TRIES+1))
    echo "Try nr $TRIES"

    # hand it to Connect
    answer=$(curl --silent -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" "$TARGET":8083/connectors/ -d "$BODYSTRING")

    if [[ "$answer" == *"$MADE"* ]] || [[ "$answer" == *"$THERE"* ]]; then
        # show what there is now
        all=$(curl --silent -H "Accept:application/json" "$TARGET":8083/connectors/)
        printf "%s\\n" "" "$answer" "$all"
        exit 0
    else
        # once more
        printf "%s\\n" "" "No luck, again in 3 seconds" ""
        sleep 3
        post
    fi
}

# go
post
