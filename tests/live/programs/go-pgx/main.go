package main

import (
	"errors"
	"os"

	outbox "example.test/shop/box"
	"github.com/jackc/pgx/v5"
)

func main() {
	ctx := traced()
	db := must(pgx.Connect(ctx, os.Getenv("SHOP_ADDRESS")))
	defer db.Close(ctx)
	tx := must(db.Begin(ctx))
	must(outbox.Publish(ctx, tx, "7", placed(), columns))
	must(0, tx.Rollback(ctx))
	tx = must(db.Begin(ctx))
	sent := must(outbox.Publish(ctx, tx, "7", placed(), columns))
	must(0, tx.Commit(ctx))
	told(sent, func(messageID string, fail bool) (bool, error) {
		return outbox.Once(ctx, db, "go-pgx", messageID, func(tx pgx.Tx) error {
			must(tx.Exec(ctx, "insert into work values ($1, $2)", "go-pgx", messageID))
			if fail {
				return errors.New("undone")
			}
			return nil
		})
	})
}
