package cdc

import (
	"fmt"
	"os"
)

type Settings struct {
	File            string
	Host            string
	Port            int
	User            string
	Password        string
	Database        string
	Prefix          string
	Slot            string
	Publication     string
}

type Manager struct{ s Settings }

// config gives the connector's settings: those of a file, or the built-in ones.
func (m *Manager) config() (map[string]string, error) {
	if m.s.File != "" {
		if _, err := os.Stat(m.s.File); err != nil {
			return nil, err
		}
		return m.read(m.s.File)
	}

	return map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"database.hostname":           m.s.Host,
		"database.port":               fmt.Sprintf("%d", m.s.Port),
		"database.user":               m.s.User,
		"database.password":           m.s.Password,
		"database.dbname":             m.s.Database,
		"database.server.name":        "purse-db",
		"topic.prefix":                m.s.Prefix,
		"plugin.name":                 "pgoutput",
		"table.include.list":          "public.prs_outbox",
		"slot.name":                   m.s.Slot,
		"publication.name":            m.s.Publication,
		"publication.autocreate.mode": "filtered",

		// every row names its topic; the payload becomes the message
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

		"max.batch.size":        "1000",
		"max.queue.size":        "10000",
		"poll.interval.ms":      "500",
		"snapshot.mode":         "never",
		"snapshot.locking.mode": "none",

		"tombstones.on.delete":                   "false",
		"heartbeat.interval.ms":                  "30000",
		"heartbeat.topics.prefix":                "__debezium-heartbeat",
		"event.processing.failure.handling.mode": "skip",
		"decimal.handling.mode":                  "string",
		"binary.handling.mode":                   "base64",
	}, nil
}
