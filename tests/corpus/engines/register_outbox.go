package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
)

func main() {
	const connectHost string = "connect:8083"

	connectorCfg := map[string]string{
		"connector.class":    "io.debezium.connector.postgresql.PostgresConnector",
		"tasks.max":          "1",
		"database.hostname":  "quotes-postgres",
		"database.port":      "5432",
		"database.user":      "postgres",
		"database.password":  "postgres",
		"database.dbname":    "postgres",
		"topic.prefix":       "quotes",
		"table.include.list": "public.outbox_messages",
		"plugin.name":        "pgoutput",
		"transforms":         "outbox",
		"transforms.outbox.type":                    "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.route.topic.replacement": "${routedByValue}",
		"value.converter":                           "io.debezium.converters.BinaryDataConverter",
	}

	body, err := json.Marshal(connectorCfg)
	if err != nil {
		panic("cannot write the config as JSON")
	}

	url := "http://" + connectHost + "/connectors/" + "quotes-outbox" + "/config"
	req, err := http.NewRequest("PUT", url, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")

	res, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	defer res.Body.Close()

	answer, err := io.ReadAll(res.Body)
	if err != nil {
		panic(err)
	}
	log.Println(string(answer))
}
