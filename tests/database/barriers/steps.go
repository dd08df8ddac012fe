// What the programs in Go have in common; it is put beside them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"example.test/shop/barrier"
)

var (
	ctx    = context.Background()
	undone = errors.New("undone")
)

// steps prints what comes of transactions, each of which places an order and then does more, and of check-backs.
func steps(transaction func(id string, more func() error) error, outcome func(id string) (barrier.Answer, error)) {
	asked := func(id string) string {
		answer, err := outcome(id)
		if (err != nil) != (answer.Outcome == "unknown") || (err != nil) != (answer.Reason != "") {
			panic(fmt.Sprint(answer, err))
		}
		return answer.Outcome
	}
	nothing := func() error { return nil }
	decided := func(id string) string {
		if err := transaction(id, nothing); errors.Is(err, barrier.ErrDecided) {
			return "decided"
		}
		return "done"
	}
	must(0, transaction("m1", nothing))
	all := []string{asked("m1"), asked("m2"), decided("m2"), decided("m1")}
	all = append(all, transaction("m3", func() error { return undone }).Error(), asked("m3"))
	must(0, transaction("m4", func() error {
		all = append(all, asked("m4"))
		return nil
	}))
	fmt.Println(string(must(json.Marshal(append(all, asked("m4"))))))
}

// address is that of the database, with a placeholder for each of its parts in their order.
func address(form string, parts ...string) string {
	values := []any{}
	for _, part := range parts {
		values = append(values, os.Getenv("SHOP_"+part))
	}
	return fmt.Sprintf(form, values...)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
