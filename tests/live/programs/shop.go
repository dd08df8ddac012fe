// What the programs in Go have in common; it is put beside them as shop.go.
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	outbox "example.test/shop/box"
	marks "example.test/shop/marks"
	positions "example.test/shop/positions"
	"go.opentelemetry.io/otel/trace"
)

var columns = outbox.Columns{Tenant: "eu"}

func placed() outbox.OrderPlaced {
	lines := []outbox.OrderPlacedLinesItem{{Sku: "a'\"ä"}}
	return outbox.OrderPlaced{Payload: outbox.OrderPlacedPayload{OrderID: "7", At: time.Now(), Lines: lines}}
}

// traced is within the span that the environment names.
func traced() context.Context {
	parts := strings.Split(os.Getenv("TRACEPARENT"), "-")
	own := trace.SpanContextConfig{
		TraceID:    must(trace.TraceIDFromHex(parts[1])),
		SpanID:     must(trace.SpanIDFromHex(parts[2])),
		TraceFlags: trace.FlagsSampled,
	}
	return trace.ContextWithSpanContext(context.Background(), trace.NewSpanContext(own))
}

// inboxes are the inboxes of a program.
type inboxes struct {
	once   func(messageID string, fail bool) (bool, error)
	marked func(of marks.Marks, key string, sequence int64, fail bool) (bool, error)
	placed func(position positions.Position, generation int32, fail bool) (bool, error)
	taken  func(position positions.Position, generation int32) (int64, error)
}

var errUndone = errors.New("undone")

// told prints what the test asks for.
func told(consumer, sent string, of inboxes) {
	handled := []any{must(of.once(sent, false)), must(of.once(sent, false))}
	_, err := of.once("00000000-0000-4000-8000-000000000000", true)
	handled = append(handled, err.Error())
	answers := steps(consumer, of)
	fmt.Println(string(must(json.Marshal(map[string]any{"sent": sent, "handled": handled, "answers": answers}))))
}

// steps are the answers to the steps of the test.
func steps(consumer string, of inboxes) []string {
	var given struct {
		Topic          string
		Partition      int32
		Marks, Offsets [][4]any
	}
	must(0, json.Unmarshal([]byte(os.Getenv("SHOP_STEPS")), &given))
	var answers []string
	first := int64(1)
	for _, step := range given.Marks {
		var key []byte
		if digits, is := step[0].(string); is {
			key = must(hex.DecodeString(digits))
		}
		own := marks.Marks{Consumer: consumer, First: &first, AcceptGaps: step[2].(bool)}
		stored := marks.MessageKey(given.Topic, given.Partition, key)
		answers = append(answers, answer(of.marked(own, stored, number(step[1]), step[3].(bool))))
	}
	for _, step := range given.Offsets {
		position := positions.Position{Topic: given.Topic, Partition: given.Partition, Offset: number(step[1])}
		generation := int32(step[2].(float64))
		if step[0] == "take" {
			next, err := of.taken(position, generation)
			if err == nil {
				answers = append(answers, strconv.FormatInt(next, 10))
			} else {
				answers = append(answers, answer(false, err))
			}
		} else {
			answers = append(answers, answer(of.placed(position, generation, step[3].(bool))))
		}
	}
	return answers
}

func number(text any) int64 {
	return must(strconv.ParseInt(text.(string), 10, 64))
}

func answer(added bool, err error) string {
	switch {
	case errors.Is(err, marks.ErrGap):
		return "gap"
	case errors.Is(err, positions.ErrFenced):
		return "fenced"
	case errors.Is(err, errUndone):
		return "undone"
	case err != nil:
		panic(err)
	case added:
		return "new"
	}
	return "duplicate"
}

func failing(fail bool) error {
	if fail {
		return errUndone
	}
	return nil
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
