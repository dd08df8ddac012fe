package main

import (
	"example.test/shop/barrier"
	"github.com/jackc/pgx/v5"
)

func main() {
	place := address("host=%s port=%s user=%s password=%s dbname=%s", "HOST", "PORT", "USER", "PASSWORD", "DATABASE")
	service, checks := must(pgx.Connect(ctx, place)), must(pgx.Connect(ctx, place))
	steps(func(id string, more func() error) error {
		return barrier.Transaction(ctx, service, id, func(tx pgx.Tx) error {
			must(tx.Exec(ctx, "insert into orders values ($1)", id))
			return more()
		})
	}, func(id string) (barrier.Answer, error) { return barrier.Outcome(ctx, checks, id) })
}
