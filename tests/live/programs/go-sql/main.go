package main

import (
	"database/sql"
	"os"

	outbox "example.test/shop/box"
	marks "example.test/shop/marks"
	positions "example.test/shop/positions"
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
	told("go-sql", sent, inboxes{
		once: func(messageID string, fail bool) (bool, error) {
			return outbox.Once(ctx, db, "go-sql", messageID, func(tx *sql.Tx) error {
				must(tx.ExecContext(ctx, work, "go-sql", messageID))
				return failing(fail)
			})
		},
		marked: func(of marks.Marks, key string, sequence int64, fail bool) (bool, error) {
			return marks.Once(ctx, db, of, key, sequence, func(*sql.Tx) error { return failing(fail) })
		},
		placed: func(position positions.Position, generation int32, fail bool) (bool, error) {
			return positions.Once(ctx, db, "go-sql", position, generation, func(*sql.Tx) error { return failing(fail) })
		},
		taken: func(position positions.Position, generation int32) (int64, error) {
			return positions.Take(ctx, db, "go-sql", position, generation)
		},
	})
}
