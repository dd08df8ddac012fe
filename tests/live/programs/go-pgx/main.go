package main

import (
	"os"

	outbox "example.test/shop/box"
	marks "example.test/shop/marks"
	positions "example.test/shop/positions"
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
	told("go-pgx", sent, inboxes{
		once: func(messageID string, fail bool) (bool, error) {
			return outbox.Once(ctx, db, "go-pgx", messageID, func(tx pgx.Tx) error {
				must(tx.Exec(ctx, "insert into work values ($1, $2)", "go-pgx", messageID))
				return failing(fail)
			})
		},
		marked: func(of marks.Marks, key string, sequence int64, fail bool) (bool, error) {
			return marks.Once(ctx, db, of, key, sequence, func(pgx.Tx) error { return failing(fail) })
		},
		placed: func(position positions.Position, generation int32, fail bool) (bool, error) {
			return positions.Once(ctx, db, "go-pgx", position, generation, func(pgx.Tx) error { return failing(fail) })
		},
		taken: func(position positions.Position, generation int32) (int64, error) {
			return positions.Take(ctx, db, "go-pgx", position, generation)
		},
	})
}
