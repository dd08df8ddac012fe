package cdc

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/example/parking/internal/config"
)

// Register puts the outbox connector of the parking database.
func Register(ctx context.Context, cfg config.Config) error {
	connector := map[string]string{
		"connector.class":                   "io.debezium.connector.mysql.MySqlConnector",
		"tasks.max":                         "1",
		"database.hostname":                 cfg.MySQL.Host,
		"database.port":                     cfg.MySQL.Port,
		"database.user":                     cfg.MySQL.User,
		"database.password":                 cfg.MySQL.Password,
		"topic.prefix":                      "parking",
		"database.include.list":             cfg.MySQL.Database,
		"table.include.list":                cfg.MySQL.Database + ".outbox",
		"schema.history.internal.kafka.bootstrap.servers": cfg.Kafka.Brokers,
		"schema.history.internal.kafka.topic":             "parking.schema-history",
		"include.schema.changes":            "false",
		"tombstones.on.delete":              "false",
		"errors.tolerance":                  "all",
		"errors.log.enable":                 "true",
		"errors.deadletterqueue.topic.name": "parking.dlq",
		"key.converter":                     "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":                   "org.apache.kafka.connect.storage.StringConverter",

		"transforms":                                          "outbox",
		"transforms.outbox.type":                              "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.table.field.event.id":              "id",
		"transforms.outbox.table.field.event.key":             "aggregate_id",
		"transforms.outbox.table.field.event.payload":         "payload",
		"transforms.outbox.route.by.field":                    "topic",
		"transforms.outbox.route.topic.replacement":           "${routedByValue}",
		"transforms.outbox.table.fields.additional.placement": "event_type:header:event_type",
	}

	body, err := json.Marshal(connector)
	if err != nil {
		return fmt.Errorf("marshal connector: %w", err)
	}

	url := fmt.Sprintf("%s/connectors/%s/config", cfg.Connect.URL, "parking-outbox")
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader(body))
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
		return fmt.Errorf("connect answered %s", res.Status)
	}
	return nil
}
