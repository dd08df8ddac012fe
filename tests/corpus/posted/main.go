// Command dbzinit registers one outbox connector per service.
//
// Every service has its own PostgreSQL instance with the table
//
//	CREATE TABLE event_outbox (
//	    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
//	    aggregatetype varchar(128) NOT NULL, -- holds the topic
//	    aggregateid   varchar(128) NOT NULL,
//	    payload       bytea NOT NULL         -- marshalled protobuf
//	);
package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"

	"github.com/example/harbour/internal/pkg/settings"
)

func main() {
	for _, svc := range settings.Services() {
		registerOutbox(svc.Name, settings.ConnectHost(), svc.Postgres)
	}
}

func registerOutbox(svc string, connectHost string, pg settings.Postgres) {
	body, err := json.Marshal(map[string]string{
		"connector.class": "io.debezium.connector.postgresql.PostgresConnector",
		"plugin.name":     "pgoutput",
		"tasks.max":       "1",

		"topic.prefix":      svc,
		"database.hostname": pg.Host,
		"database.port":     pg.Port,
		"database.user":     pg.User,
		"database.password": pg.Password,
		"database.dbname":   pg.Database,

		"table.include.list":                        "public.event_outbox",
		"transforms":                                "outbox",
		"transforms.outbox.type":                    "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.route.topic.replacement": "${routedByValue}",
		"value.converter":                           "io.debezium.converters.BinaryDataConverter",
	})
	if err != nil {
		panic(err)
	}

	req, _ := http.NewRequest("PUT",
		"http://"+connectHost+"/connectors/"+svc+"-outbox/config",
		bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	if _, err = http.DefaultClient.Do(req); err != nil {
		slog.Error("connector not registered", "service", svc, "err", err)
		panic(err)
	}
}
