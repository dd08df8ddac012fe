// What the programs in Go have in common; it is put beside them as shop.go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	outbox "example.test/shop/box"
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

// told prints what the test asks for. once calls the inbox.
func told(sent string, once func(messageID string, fail bool) (bool, error)) {
	handled := []any{must(once(sent, false)), must(once(sent, false))}
	_, err := once("00000000-0000-4000-8000-000000000000", true)
	handled = append(handled, err.Error())
	fmt.Println(string(must(json.Marshal(map[string]any{"sent": sent, "handled": handled}))))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
