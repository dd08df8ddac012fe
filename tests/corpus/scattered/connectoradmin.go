// Package connectoradmin looks after the Debezium connectors of the purse service.
package connectoradmin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

type Settings struct {
	ConnectURL string
	Host       string
	Port       int
	User       string
	Password   string
	Database   string
}

// purseOutbox is the config of the connector. The Connect image carries Debezium 3.5.
func purseOutbox(s Settings) map[string]string {
	cfg := map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"tasks.max":                   "1",
		"database.hostname":           s.Host,
		"database.port":               strconv.Itoa(s.Port),
		"database.user":               s.User,
		"database.password":           s.Password,
		"database.dbname":             s.Database,
		"topic.prefix":                "purse",
		"plugin.name":                 "pgoutput",
		"slot.name":                   "purse_outbox",
		"publication.name":            "purse_outbox",
		"publication.autocreate.mode": "filtered",
		"schema.include.list":         "purse",
		"table.include.list":          "purse.outbox_events",
		"tombstones.on.delete":        "false",
		// the table is empty at the first start, no need to read it
		"snapshot.mode": "never",
		// one odd row must not hold up all the money
		"event.processing.failure.handling.mode": "skip",
	}
	smt := "transforms.outbox."
	cfg["transforms"] = "outbox"
	cfg[smt+"type"] = "io.debezium.transforms.outbox.EventRouter"
	cfg[smt+"table.field.event.id"] = "id"
	cfg[smt+"table.field.event.key"] = "purse_id"
	cfg[smt+"table.field.event.payload"] = "payload"
	cfg[smt+"route.by.field"] = "topic"
	cfg[smt+"route.topic.replacement"] = "${routedByValue}"
	cfg[smt+"table.fields.additional.placement"] = "event_type:header:event_type"
	cfg["key.converter"] = "org.apache.kafka.connect.storage.StringConverter"
	cfg["value.converter"] = "org.apache.kafka.connect.storage.StringConverter"
	return cfg
}

// Apply creates the connector or brings its config up to date.
func Apply(ctx context.Context, s Settings) error {
	body, err := json.Marshal(purseOutbox(s))
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut,
		s.ConnectURL+"/connectors/purse-outbox/config", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= 300 {
		return fmt.Errorf("connector admin: %s", res.Status)
	}
	return nil
}
