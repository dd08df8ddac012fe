package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
)

// Puts the connector of the sample service. The outbox table follows the Debezium defaults
// (id, aggregatetype, aggregateid, type), payload is bytea with a marshalled protobuf message.
func main() {
	const connectHost = "debezium:8083"

	cfg := map[string]string{
		"connector.class":    "io.debezium.connector.postgresql.PostgresConnector",
		"tasks.max":          "1",
		"database.hostname":  "sample-postgres",
		"database.port":      "5432",
		"database.user":      "postgres",
		"database.password":  "postgres",
		"database.dbname":    "postgres",
		"topic.prefix":       "sample",
		"table.include.list": "public.message_outbox",
		"plugin.name":        "pgoutput",
		"transforms":         "outbox",
		"transforms.outbox.type":                    "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.route.topic.replacement": "${routedByValue}",
		"key.converter":   "org.apache.kafka.connect.storage.StringConverter",
		"value.converter": "io.debezium.converters.BinaryDataConverter",
	}

	body, err := json.Marshal(cfg)
	if err != nil {
		log.Fatal(err)
	}

	req, err := http.NewRequest(http.MethodPut,
		"http://"+connectHost+"/connectors/sample-outbox/config", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Content-Type", "application/json")

	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()

	answer, _ := io.ReadAll(res.Body)
	log.Printf("%s %s", res.Status, answer)
}
