package kiosk_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/modules/postgres"
	"github.com/testcontainers/testcontainers-go/network"
	"github.com/testcontainers/testcontainers-go/wait"
)

const ddl = `
CREATE TABLE "Outbox" (
  "Id"        BIGSERIAL PRIMARY KEY,
  "EventKey"  TEXT  NOT NULL,
  "Channel"   TEXT  NOT NULL,
  "Body"      BYTEA NOT NULL
);
CREATE PUBLICATION kiosk_outbox FOR TABLE "Outbox" WITH (publish = 'insert, truncate');`

// the payload is protobuf: the bytes of the column go to the topic as they are
const connector = `{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "kioskdb",
  "database.port": "5432",
  "database.user": "kiosk",
  "database.password": "kiosk",
  "database.dbname": "kiosk",
  "topic.prefix": "kiosk",
  "plugin.name": "pgoutput",
  "publication.name": "kiosk_outbox",
  "publication.autocreate.mode": "disabled",
  "table.include.list": "public.Outbox",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "Id",
  "transforms.outbox.table.field.event.key": "EventKey",
  "transforms.outbox.table.field.event.payload": "Body",
  "transforms.outbox.route.by.field": "Channel",
  "transforms.outbox.route.topic.replacement": "kiosk.${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "io.debezium.converters.BinaryDataConverter"
}`

func TestOutboxReachesKafka(t *testing.T) {
	ctx := context.Background()
	nw, err := network.New(ctx)
	require.NoError(t, err)

	db, err := postgres.Run(ctx, "postgres:17-alpine",
		postgres.WithDatabase("kiosk"), postgres.WithUsername("kiosk"), postgres.WithPassword("kiosk"),
		network.WithNetwork([]string{"kioskdb"}, nw),
		testcontainers.CustomizeRequest(testcontainers.GenericContainerRequest{
			ContainerRequest: testcontainers.ContainerRequest{Cmd: []string{"postgres", "-c", "fsync=off", "-c", "wal_level=logical"}},
		}),
		postgres.BasicWaitStrategies())
	require.NoError(t, err)
	execSQL(t, db, ddl)

	broker := startRedpanda(t, ctx, nw, "broker:29092")
	connect, err := testcontainers.GenericContainer(ctx, testcontainers.GenericContainerRequest{
		Started: true,
		ContainerRequest: testcontainers.ContainerRequest{
			Image:        "quay.io/debezium/connect:3.1",
			Networks:     []string{nw.Name},
			ExposedPorts: []string{"8083/tcp"},
			Env: map[string]string{"BOOTSTRAP_SERVERS": "broker:29092", "GROUP_ID": "t", "CONFIG_STORAGE_TOPIC": "t_configs",
				"OFFSET_STORAGE_TOPIC": "t_offsets", "STATUS_STORAGE_TOPIC": "t_status"},
			WaitingFor: wait.ForHTTP("/connectors").WithPort("8083/tcp"),
		},
	})
	require.NoError(t, err)
	port, err := connect.MappedPort(ctx, "8083")
	require.NoError(t, err)

	url := fmt.Sprintf("http://localhost:%s/connectors/kiosk/config", port.Port())
	req, _ := http.NewRequest(http.MethodPut, url, bytes.NewBufferString(connector))
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, res.StatusCode)

	execSQL(t, db, `INSERT INTO "Outbox" ("EventKey", "Channel", "Body") VALUES ('k1', 'sales', '\x0a0231')`)
	require.Equal(t, []byte{0x0a, 0x02, 0x31}, readOne(t, broker, "kiosk.sales"))
}
