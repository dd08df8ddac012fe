package main

import (
	"database/sql"
	"os"

	"example.test/shop/barrier"
	_ "github.com/go-sql-driver/mysql"
	_ "github.com/jackc/pgx/v5/stdlib"
)

func main() {
	driver, insert := "mysql", "insert into orders values (?)"
	place := address("%s:%s@tcp(%s:%s)/%s", "USER", "PASSWORD", "HOST", "PORT", "DATABASE")
	if os.Getenv("SHOP_DIALECT") == "postgres" {
		driver, insert = "pgx", "insert into orders values ($1)"
		place = address("host=%s port=%s user=%s password=%s dbname=%s", "HOST", "PORT", "USER", "PASSWORD", "DATABASE")
	}
	db := must(sql.Open(driver, place))
	steps(func(id string, more func() error) error {
		return barrier.Transaction(ctx, db, id, func(tx *sql.Tx) error {
			must(tx.Exec(insert, id))
			return more()
		})
	}, func(id string) (barrier.Answer, error) { return barrier.Outcome(ctx, db, id) })
}
