package main

import (
	"database/sql"
	"errors"
	"os"

	outbox "example.test/shop/box"
	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
)

func main() {
	ctx := traced()
	driver, work := "mysql", "insert into work values (?, ?)"
	if os.Getenv("SHOP_DIALECT") == "postgres" {
		driver, work = "pgx", "insert into work values ($1, $2)"
	}
	db := must(sql.Open(driver, os.Getenv("SHOP_ADDRESS")))
	tx := must(db.BeginTx(ctx, nil))
	must(outbox.Publish(ctx, tx, "7", placed(), columns))
	must(0, tx.Rollback())
	tx = must(db.BeginTx(ctx, nil))
	sent := must(outbox.Publish(ctx, tx, "7", placed(), columns))
	must(0, tx.Commit())
	told(sent, func(messageID string, fail bool) (bool, error) {
		return outbox.Once(ctx, db, "go-sql", messageID, func(tx *sql.Tx) error {
			must(tx.ExecContext(ctx, work, "go-sql", messageID))
			if fail {
				return errors.New("undone")
			}
			return nil
		})
	})
}
