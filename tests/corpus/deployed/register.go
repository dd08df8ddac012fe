package cdc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

type connectorRequest struct {
	Name   string                 `json:"name"`
	Config map[string]interface{} `json:"config"`
}

// RegisterConnector tells Kafka Connect about the connector of the short links.
func RegisterConnector() error {
	env := map[string]string{}
	for _, key := range []string{
		"PG_HOST", "PG_PORT", "PG_DATABASE", "CDC_USER", "CDC_PASSWORD",
		"CONNECT_URL", "TOPIC_PREFIX", "TOPIC_PARTITIONS", "BATCH_SIZE", "QUEUE_SIZE",
	} {
		v := os.Getenv(key)
		if v == "" {
			log.Fatalf("%s is not set", key)
		}
		env[key] = v
	}
	partitions, err := strconv.Atoi(env["TOPIC_PARTITIONS"])
	if err != nil {
		log.Fatalf("TOPIC_PARTITIONS: %v", err)
	}

	req := connectorRequest{
		Name: "links-cdc",
		Config: map[string]interface{}{
			"connector.class":   "io.debezium.connector.postgresql.PostgresConnector",
			"database.hostname": env["PG_HOST"],
			"database.port":     env["PG_PORT"],
			"database.user":     env["CDC_USER"],
			"database.password": env["CDC_PASSWORD"],
			"database.dbname":   env["PG_DATABASE"],

			"plugin.name":      "pgoutput",
			"slot.name":        "debezium_slot",
			"publication.name": "dbz_publication",

			"schema.include.list": "shortener",
			"table.include.list":  "shortener.links",
			"topic.prefix":        env["TOPIC_PREFIX"],

			"include.schema.changes": "false",
			"tombstones.on.delete":   "false",
			"decimal.handling.mode":  "string",
			"hstore.handling.mode":   "json",

			"topic.creation.enable":             true,
			"topic.creation.default.partitions": partitions,
			"max.batch.size":                    env["BATCH_SIZE"],
			"max.queue.size":                    env["QUEUE_SIZE"],
		},
	}

	body, err := json.Marshal(req)
	if err != nil {
		return err
	}
	client := &http.Client{Timeout: 10 * time.Second}
	resp, err := client.Post(env["CONNECT_URL"], "application/json", bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("kafka connect at %s: %w", env["CONNECT_URL"], err)
	}
	defer resp.Body.Close()

	if resp.StatusCode == http.StatusConflict {
		log.Println("the connector is registered already")
		return nil
	}
	if resp.StatusCode >= 400 {
		return fmt.Errorf("kafka connect answered %s", resp.Status)
	}
	return nil
}
