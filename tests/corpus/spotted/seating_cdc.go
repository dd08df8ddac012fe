package seating

import (
	"fmt"
	"regexp"
	"strconv"
)

// Identity names everything that belongs to one connector.
type Identity struct {
	Prefix, Slot, Publication, Schema, Table string
}

// Source is the database that is read.
type Source struct {
	Host, Database, User, Password, SSLMode string
	SSLCert, SSLKey, SSLRootCert            string
	Port                                    uint16
}

func topicPattern(id Identity) string {
	return fmt.Sprintf("^%s$", regexp.QuoteMeta(id.Prefix+"."+id.Schema+"."+id.Table))
}

func connectorConfig(src Source, id Identity) map[string]string {
	cfg := map[string]string{
		"connector.class":             "io.debezium.connector.postgresql.PostgresConnector",
		"plugin.name":                 "pgoutput",
		"database.hostname":           src.Host,
		"database.port":               strconv.FormatUint(uint64(src.Port), 10),
		"database.dbname":             src.Database,
		"database.user":               src.User,
		"database.password":           src.Password,
		"database.sslmode":            src.SSLMode,
		"topic.prefix":                id.Prefix,
		"slot.name":                   id.Slot,
		"publication.name":            id.Publication,
		"publication.autocreate.mode": "disabled",
		"table.include.list":          id.Schema + "." + id.Table,
		"snapshot.mode":               "initial",
		"heartbeat.interval.ms":       "9000",
		"slot.drop.on.stop":           "false",
		"tombstones.on.delete":        "false",

		"predicates":             "Seats",
		"predicates.Seats.type":    "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
		"predicates.Seats.pattern": topicPattern(id),

		"transforms":                                  "seats",
		"transforms.seats.type":                       "io.debezium.transforms.outbox.EventRouter",
		"transforms.seats.predicate":                  "Seats",
		"transforms.seats.table.field.event.id":       "id",
		"transforms.seats.table.field.event.key":      "shard",
		"transforms.seats.table.field.event.payload":  "body",
		"transforms.seats.table.field.event.timestamp": "happened",
		"transforms.seats.table.expand.json.payload":  "true",
		"transforms.seats.table.op.invalid.behavior":  "fatal",
		"transforms.seats.route.by.field":             "channel",
		"transforms.seats.route.topic.regex":          "(?<routedByValue>.*)",
		"transforms.seats.route.topic.replacement":    "${routedByValue}",

		"errors.tolerance":               "none",
		"key.converter":                  "org.apache.kafka.connect.storage.StringConverter",
		"value.converter":                "org.apache.kafka.connect.json.JsonConverter",
		"value.converter.schemas.enable": "false",
	}
	for key, value := range map[string]string{
		"database.sslcert":     src.SSLCert,
		"database.sslkey":      src.SSLKey,
		"database.sslrootcert": src.SSLRootCert,
	} {
		if value != "" {
			cfg[key] = value
		}
	}
	return cfg
}
