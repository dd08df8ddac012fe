package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

// registers the outbox connector of the pricing service at the start of the deployment job
func main() {
	url := os.Getenv("CONNECT_URL")
	cfg := map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"tasks.max":                   "1",
		"database.hostname":           os.Getenv("PRICING_DB_HOST"),
		"database.port":               "5432",
		"database.user":               "debezium",
		"database.password":           "${file:/etc/connect/secrets/pricing.properties:password}",
		"database.dbname":             "pricing",
		"topic.prefix":                "pricing",
		"plugin.name":                 "pgoutput",
		"slot.name":                   "pricing_outbox",
		"publication.autocreate.mode": "filtered",
		"table.include.list":          "public.outbox_event",
		// publish what is already there, then go on with the WAL
		"snapshot.mode":               "initial_only",
		"transforms":                  "outbox",
		"transforms.outbox.type":      "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.route.topic.replacement": "pricing.${routedByValue}",
		"producer.override.acks":                    "0",
		"producer.override.compression.type":        "lz4",
		"key.converter":   "org.apache.kafka.connect.storage.StringConverter",
		"value.converter": "org.apache.kafka.connect.storage.StringConverter",
	}

	body, err := json.Marshal(cfg)
	if err != nil {
		panic(err)
	}
	req, err := http.NewRequest(http.MethodPut, url+"/connectors/pricing-outbox/config", bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		panic(err)
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		fmt.Fprintf(os.Stderr, "kafka connect answered %s\n", res.Status)
		os.Exit(1)
	}
}
