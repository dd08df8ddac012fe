package main

import (
	"bytes"
	"encoding/json"
	"log"
	"net/http"
	"os"
)

// Outbox rows leave as CloudEvents; "data" is the payload column.
var outbox = map[string]string{
	"connector.class":    "io.debezium.connector.postgresql.PostgresConnector",
	"tasks.max":          "1",
	"database.hostname":  os.Getenv("DB_HOST"),
	"database.port":      "5432",
	"database.user":      os.Getenv("DB_USER"),
	"database.password":  os.Getenv("DB_PASSWORD"),
	"database.dbname":    "ferry",
	"plugin.name":        "pgoutput",
	"slot.name":          "ferry_outbox",
	"publication.name":   "ferry_outbox",
	"topic.prefix":       "ferry",
	"table.include.list": "public.outbox",

	"key.converter":                  "org.apache.kafka.connect.storage.StringConverter",
	"value.converter":                "io.debezium.converters.CloudEventsConverter",
	"value.converter.serializer.type": "json",
	"value.converter.data.serializer.type": "json",
	"value.converter.json.schemas.enable":  "false",

	"transforms":             "outbox",
	"transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
	"transforms.outbox.table.expand.json.payload":         "true",
	"transforms.outbox.table.fields.additional.placement": "type:header",
	"transforms.outbox.route.topic.replacement":           "ferry.${routedByValue}",
}

func main() {
	body, err := json.Marshal(outbox)
	if err != nil {
		log.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPut, os.Getenv("CONNECT_URL")+"/connectors/ferry-outbox/config", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer res.Body.Close()
	log.Println(res.Status)
}
