// A consumer of Kafka with the generated code of each mode; SHOP_KILLED kills it when it commits offsets.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	ids "example.test/shop/ids"
	marks "example.test/shop/marks"
	positions "example.test/shop/positions"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/twmb/franz-go/pkg/kgo"
)

const (
	first    = 10 * time.Millisecond
	longest  = 500 * time.Millisecond
	batch    = 20
	attempts = 3
)

var failed = map[int]bool{}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	topic, dsn := os.Getenv("SHOP_TOPIC"), os.Getenv("SHOP_ADDRESS")
	options := []kgo.Opt{
		kgo.SeedBrokers(os.Getenv("SHOP_BROKERS")),
		kgo.ConsumerGroup(topic),
		kgo.ConsumeTopics(topic),
		kgo.SessionTimeout(6 * time.Second),
		kgo.HeartbeatInterval(500 * time.Millisecond),
	}
	if os.Getenv("SHOP_KILLED") != "" {
		options = append(options, kgo.Dialer(killing))
	}
	pool := must(pgxpool.New(ctx, dsn))
	defer pool.Close()
	db := must(sql.Open("pgx", dsn))
	var err error
	switch mode, letters := os.Getenv("SHOP_MODE"), topic+"-dead"; mode {
	case "message-id":
		consumer := ids.Consumer{DB: pool, Name: "billing", Handle: inPgx(ids.ErrReject),
			DeadLetters: letters, Batch: batch, Attempts: attempts, FirstPause: first, LongestPause: longest}
		err = consumer.Run(ctx, options...)
	case "high-water":
		of := func(ctx context.Context, tx *sql.Tx, record *kgo.Record) error {
			return handled(record, marks.ErrReject, func(statement string, number int) error {
				_, err := tx.ExecContext(ctx, statement, os.Getpid(), number)
				return err
			})
		}
		begin := int64(1)
		consumer := marks.Consumer{DB: db, Marks: marks.Marks{Consumer: "billing", First: &begin}, Handle: of,
			DeadLetters: letters, Batch: batch, Attempts: attempts, FirstPause: first, LongestPause: longest}
		err = consumer.Run(ctx, options...)
	case "offsets":
		consumer := positions.Consumer{DB: pool, Name: "billing", Handle: inPgx(positions.ErrReject),
			DeadLetters: letters, Batch: batch, Attempts: attempts, FirstPause: first, LongestPause: longest}
		err = consumer.Run(ctx, options...)
	}
	if err != nil {
		panic(err)
	}
}

func inPgx(reject error) func(context.Context, pgx.Tx, *kgo.Record) error {
	return func(ctx context.Context, tx pgx.Tx, record *kgo.Record) error {
		return handled(record, reject, func(statement string, number int) error {
			_, err := tx.Exec(ctx, statement, os.Getpid(), number)
			return err
		})
	}
}

// handled is one effect. The message 13 always fails, 26 is rejected, others fail at first after their effect.
func handled(record *kgo.Record, reject error, execute func(statement string, number int) error) error {
	number := must(strconv.Atoi(string(record.Value)))
	statement := fmt.Sprintf("insert into \"effect %s\" (worker, number) values ($1, $2)", os.Getenv("SHOP_MODE"))
	if err := execute(statement, number); err != nil {
		return err
	}
	switch {
	case number == 13:
		return errors.New("a defect")
	case number == 26:
		return fmt.Errorf("no such customer: %w", reject)
	case number%7 == 0 && !failed[number]:
		failed[number] = true
		return errors.New("an error of the handler")
	case number%50 == 0:
		time.Sleep(50 * time.Millisecond)
	}
	return nil
}

// killing kills the process when a request to commit offsets is written.
func killing(ctx context.Context, network, host string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, host)
	return killer{conn}, err
}

type killer struct{ net.Conn }

func (k killer) Write(request []byte) (int, error) {
	if len(request) > 5 && request[4] == 0 && request[5] == 8 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	return k.Conn.Write(request)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
