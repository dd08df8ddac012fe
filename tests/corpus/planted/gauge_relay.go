// Package connect keeps the connector of the river gauges in step with the deployment.
package connect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
)

const connectorName = "gauge-outbox"

func gaugeConfig() map[string]string {
	return map[string]string{
		"connector.class":             "io.debezium.connector.mariadb.MariaDbConnector",
		"tasks.max":                   "1",
		"database.hostname":           os.Getenv("GAUGE_DB_HOST"),
		"database.port":               "3306",
		"database.user":               os.Getenv("GAUGE_DB_USER"),
		"database.password":           os.Getenv("GAUGE_DB_PASSWORD"),
		"database.server.id":          "47002",
		"topic.prefix":                "gauge",
		"database.include.list":       "gauge",
		"table.include.list":          "gauge.outbox",
		"tombstones.on.delete":        "false",
		// the outbox is insert-only: we handle creates, updates never happen
		"skipped.operations":          "c,t",

		"schema.history.internal.kafka.bootstrap.servers": os.Getenv("KAFKA_BROKERS"),
		"schema.history.internal.kafka.topic":             "gauge.history",

		"topic.creation.groups":            "readings",
		"topic.creation.readings.include":  "gauge\\..*",
		"topic.creation.readings.partitions": "12",
		"topic.creation.readings.replication.factor": "3",

		"key.converter":   "org.apache.kafka.connect.storage.StringConverter",
		"value.converter": "org.apache.kafka.connect.storage.StringConverter",

		"transforms":             "outbox",
		"transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.route.topic.replacement":           "gauge.${routedByValue}",
		"transforms.outbox.table.fields.additional.placement": "type:header:eventType",
	}
}

// Apply creates or updates the connector.
func Apply(ctx context.Context, base string) error {
	body, err := json.Marshal(gaugeConfig())
	if err != nil {
		return err
	}
	url := fmt.Sprintf("%s/connectors/%s/config", base, connectorName)
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("connect: %s", resp.Status)
	}
	return nil
}
