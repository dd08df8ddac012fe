#!/bin/bash
# One sink per table; a row that is deleted at the source has to vanish in the copy, too.
# usage: sqlserver-sinks.sh <topic> <table> <key>
topic_name=$1
table=$2
pk=$3

curl -s -X POST -H "Content-Type: application/json" http://localhost:8083/connectors -d '
{"name" :"copy_'$topic_name'",
	"config":{"connector.class":"io.confluent.connect.jdbc.JdbcSinkConnector",
			"topics":"'$topic_name'",
			"connection.url":"jdbc:sqlserver://copy-mssql:1433;databaseName=copy",
			"connection.user":"copy",
			"connection.password":"changeme",
			"transforms":"unwrap",
			"transforms.unwrap.type": "io.debezium.transforms.UnwrapFromEnvelope",
			"transforms.unwrap.drop.tombstones": "false",
			"transforms.unwrap.drop.deletes": "false",
			"auto.create":"true",
			"auto.evolve":"true",
			"insert.mode":"upsert",
			"pk.fields":"'$pk'",
			"pk.mode":"record_key",
			"delete.enabled":"true",
			"destination.table.format":"copy.dbo.'$table'"
	}
}'
