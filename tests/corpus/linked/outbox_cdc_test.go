package cdc_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/network"
	"github.com/testcontainers/testcontainers-go/wait"
)

const ddl = `CREATE TABLE outbox (
  id            CHAR(36)     NOT NULL PRIMARY KEY,
  aggregatetype VARCHAR(64)  NOT NULL,
  aggregateid   VARCHAR(64)  NOT NULL,
  type          VARCHAR(64)  NOT NULL,
  payload       JSON         NOT NULL
)`

func TestOutboxReachesKafka(t *testing.T) {
	ctx := context.Background()
	net, err := network.New(ctx)
	require.NoError(t, err)

	run := func(alias string, req testcontainers.ContainerRequest) testcontainers.Container {
		req.Networks = []string{net.Name}
		req.NetworkAliases = map[string][]string{net.Name: {alias}}
		c, err := testcontainers.GenericContainer(ctx,
			testcontainers.GenericContainerRequest{ContainerRequest: req, Started: true})
		require.NoError(t, err)
		testcontainers.CleanupContainer(t, c)
		return c
	}

	mysql := run("mysql", testcontainers.ContainerRequest{
		Image:        "mysql:8.0",
		Cmd:          []string{"--server-id=1", "--log-bin=bin", "--binlog-format=ROW"},
		Env:          map[string]string{"MYSQL_ROOT_PASSWORD": "root", "MYSQL_DATABASE": "auction"},
		ExposedPorts: []string{"3306/tcp"},
		WaitingFor:   wait.ForListeningPort("3306/tcp").WithStartupTimeout(2 * time.Minute),
	})
	run("kafka", testcontainers.ContainerRequest{
		Image: "artifacts.example.org/ci/kafka-kraft:3.8", WaitingFor: wait.ForLog("started"),
	})
	connect := run("connect", testcontainers.ContainerRequest{
		Image: "debezium/connect:2.7.3.Final",
		Env: map[string]string{"BOOTSTRAP_SERVERS": "kafka:9092", "GROUP_ID": "t",
			"CONFIG_STORAGE_TOPIC": "c", "OFFSET_STORAGE_TOPIC": "o", "STATUS_STORAGE_TOPIC": "s"},
		ExposedPorts: []string{"8083/tcp"},
		WaitingFor:   wait.ForHTTP("/connectors").WithPort("8083/tcp"),
	})

	dsn, err := mysql.PortEndpoint(ctx, "3306/tcp", "")
	require.NoError(t, err)
	db, err := sql.Open("mysql", "root:root@tcp("+dsn+")/auction")
	require.NoError(t, err)
	_, err = db.Exec(ddl)
	require.NoError(t, err)

	body, _ := json.Marshal(map[string]any{
		"name": "auction-outbox",
		"config": map[string]string{
			"connector.class":       "io.debezium.connector.mysql.MySqlConnector",
			"database.hostname":     "mysql",
			"database.port":         "3306",
			"database.user":         "root",
			"database.password":     "root",
			"topic.prefix":          "auction",
			"database.include.list": "auction",
			"table.include.list":    "outbox",
			"schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
			"schema.history.internal.kafka.topic":             "auction.history",
			"transforms":             "outbox",
			"transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
		},
	})
	base, err := connect.PortEndpoint(ctx, "8083/tcp", "http")
	require.NoError(t, err)
	res, err := http.Post(base+"/connectors", "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	require.Equal(t, http.StatusCreated, res.StatusCode)
}
