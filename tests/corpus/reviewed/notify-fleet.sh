#!/bin/bash
# one line per site: <code> <host\instance> <database>
while IFS="" read -r p || [ -n "$p" ]
do
  servers=()
  for i in $p; do servers+=($i); done
  n_site=${servers[0]}
  IFS='\\' read -ra n_server <<< "${servers[1]}"
  n_hostname=${n_server[0]}
  n_instance=${n_server[1]}
  n_db_name=${servers[2]}

  generate_post_data()
  {
cat <<EOT
  	{
	"name": "alerts-$n_site-connector",
    	"config": {
        	"connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        	"database.hostname": "$n_hostname",
        	"database.instance": "$n_instance",
        	"database.port": "1433",
        	"database.user": "sa",
        	"database.password": "Passw0rd!1",
        	"database.names": "$n_db_name",
        	"topic.prefix": "alerts",
        	"table.include.list": "dbo.alert_chat",
        	"schema.history.internal.kafka.bootstrap.servers": "localhost:9092",
        	"schema.history.internal.kafka.topic": "schemahistory.alert_chat",
		"database.encrypt": "false",
 		"database.trustServerCertificate": "true"
    		}
	}
EOT
}
  curl -X POST localhost:8083/connectors -H 'Content-Type: application/json' -d "$(generate_post_data)"
done < /srv/kafka/utils/sites.txt
