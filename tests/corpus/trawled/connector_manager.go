// Package relay looks after the connector over the Kafka Connect REST API.
package relay

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

type Settings struct {
	ConnectURL      string
	ConnectorName   string
	SlotName        string
	PublicationName string
	DBHost          string
	DBPort          int
	DBUser          string
	DBPassword      string
	DBName          string
	TopicPrefix     string
}

type Manager struct {
	cfg    Settings
	client *http.Client
}

// Ensure creates the connector or updates it in place.
func (m *Manager) Ensure(ctx context.Context) error {
	b, err := json.Marshal(m.connectorConfig())
	if err != nil {
		return err
	}
	url := fmt.Sprintf("%s/connectors/%s/config", m.cfg.ConnectURL, m.cfg.ConnectorName)
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, url, bytes.NewReader(b))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := m.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		return fmt.Errorf("connect answered %d", resp.StatusCode)
	}
	return nil
}

func (m *Manager) connectorConfig() map[string]string {
	return map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"database.hostname":           m.cfg.DBHost,
		"database.port":               fmt.Sprintf("%d", m.cfg.DBPort),
		"database.user":               m.cfg.DBUser,
		"database.password":           m.cfg.DBPassword,
		"database.dbname":             m.cfg.DBName,
		"database.server.name":        "purse-db",
		"topic.prefix":                m.cfg.TopicPrefix,
		"plugin.name":                 "pgoutput",
		"table.include.list":          "public.prs_outbox",
		"slot.name":                   m.cfg.SlotName,
		"publication.name":            m.cfg.PublicationName,
		"publication.autocreate.mode": "filtered",

		// each row names its topic; the message is the JSON of the payload column
		"transforms":                                          "outbox",
		"transforms.outbox.type":                              "io.debezium.transforms.outbox.EventRouter",
		"transforms.outbox.table.field.event.id":              "event_uuid",
		"transforms.outbox.table.field.event.key":             "partition_key",
		"transforms.outbox.table.field.event.type":            "event_type",
		"transforms.outbox.table.field.event.payload":         "payload",
		"transforms.outbox.table.fields.additional.placement": "topic:header,headers:header",
		"transforms.outbox.route.by.field":                    "topic",
		"transforms.outbox.route.topic.regex":                 "(.*)",
		"transforms.outbox.route.topic.replacement":           "$1",

		"key.converter":                  "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":                "org.apache.kafka.connect.json.JsonConverter",
		"value.converter.schemas.enable": "false",

		"max.batch.size":        "1200",
		"max.queue.size":        "9600",
		"poll.interval.ms":      "400",
		"snapshot.mode":         "never",
		"snapshot.locking.mode": "none",

		// reliability
		"tombstones.on.delete":                   "false",
		"heartbeat.interval.ms":                  "20000",
		"event.processing.failure.handling.mode": "skip",
		"decimal.handling.mode":                  "string",
		"binary.handling.mode":                   "base64",
	}
}
