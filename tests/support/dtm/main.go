// Calls a server of DTM's HTTP interface with DTM's own client: this coordinator, or the server of DTM.
//
// It is a service too: it answers check-backs by DTM's barrier, or with what a proxy would answer, and takes the calls of
// DTM's server. It prints what has come of each case as JSON.
package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/dtm-labs/client/dtmcli"
	"github.com/dtm-labs/client/dtmcli/dtmimp"
	_ "github.com/jackc/pgx/v5/stdlib"
)

var (
	server  = os.Getenv("DTM_SERVER") // with its path
	prefix  = os.Getenv("DTM_PREFIX") // of the ids
	db      = must(sql.Open("pgx", os.Getenv("DTM_DATABASE")))
	own     string // the URL of this service
	lock    sync.Mutex
	calls   = map[string]int{} // of an action, by the id
	asked   = map[string]int{} // check-backs, by the id
	refused = fmt.Errorf("refused: %w", dtmcli.ErrFailure)
	lost    = errors.New("lost")
)

// The answers to check-backs that are not the barrier's.
var answers = map[string]struct {
	status int
	kind   string
	body   string
}{
	"200 null":      {200, "application/json", "null"},
	"200 HTML":      {200, "text/html", "<html>fine</html>"},
	"200 empty":     {200, "", ""},
	"200 FAILURE":   {200, "application/json", `{"dtm_result": "FAILURE"}`},
	"409 HTML":      {409, "text/html", "<html>conflict</html>"},
	"500 with text": {500, "text/plain", "the word FAILURE"},
}

func main() {
	dtmcli.SetCurrentDBType("postgres")
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	own = "http://" + listener.Addr().String()
	go func() { panic(http.Serve(listener, routes())) }()
	time.Sleep(10 * time.Millisecond)
	results := map[string]any{"newGid": dtmcli.MustGenGid(server) != ""}
	var group sync.WaitGroup
	for name, run := range cases() {
		group.Add(1)
		go func() {
			defer group.Done()
			id := prefix + name
			steps := append(run(message(id)), state(id))
			lock.Lock()
			defer lock.Unlock()
			results[name] = steps
		}()
	}
	group.Wait()
	results["calls"] = calls
	fmt.Println(string(must(json.MarshalIndent(results, "", "  "))))
}

func routes() http.Handler {
	mux := http.NewServeMux()
	count := func(counts map[string]int, request *http.Request) {
		lock.Lock()
		counts[request.URL.Query().Get("gid")]++
		lock.Unlock()
	}
	mux.HandleFunc("/any/Order/OrderPlaced", func(_ http.ResponseWriter, request *http.Request) { count(calls, request) })
	mux.HandleFunc("/barrier", func(writer http.ResponseWriter, request *http.Request) {
		barrier := must(dtmcli.BarrierFromQuery(request.URL.Query()))
		code, result := dtmcli.Result2HttpJSON(barrier.QueryPrepared(db))
		writer.Header().Set("Content-Type", "application/json")
		writer.WriteHeader(code)
		must(writer.Write(must(json.Marshal(result))))
		count(asked, request)
	})
	mux.HandleFunc("/answer", func(writer http.ResponseWriter, request *http.Request) {
		answer := answers[request.URL.Query().Get("gid")[len(prefix):]]
		writer.Header().Set("Content-Type", answer.kind)
		writer.WriteHeader(answer.status)
		must(writer.Write([]byte(answer.body)))
		count(asked, request)
	})
	return mux
}

func cases() map[string]func(*dtmcli.Msg) []string {
	all := map[string]func(*dtmcli.Msg) []string{
		"submitted": func(m *dtmcli.Msg) []string {
			first := m.DoAndSubmitDB(own+"/barrier", db, place(m.Gid, nil))
			settled(m.Gid)
			return texts(first, m.Submit(), call(m, "abort"), m.Prepare(own+"/barrier"))
		},
		"submitted twice at once": func(m *dtmcli.Msg) []string { return texts(m.Prepare(own+"/barrier"), m.Submit(), m.Submit()) },
		"business fails": func(m *dtmcli.Msg) []string {
			return texts(m.DoAndSubmitDB(own+"/barrier", db, place(m.Gid, refused)), call(m, "abort"), m.Submit())
		},
		"business is broken": func(m *dtmcli.Msg) []string {
			return texts(m.DoAndSubmitDB(own+"/barrier", db, place(m.Gid, lost)))
		},
		"answer of the commit is lost": func(m *dtmcli.Msg) []string {
			return texts(m.DoAndSubmit(own+"/barrier", func(barrier *dtmcli.BranchBarrier) error {
				must(0, barrier.CallWithDB(db, place(m.Gid, nil)))
				return lost
			}))
		},
		"crash after the commit": func(m *dtmcli.Msg) []string {
			steps := texts(m.Prepare(own+"/barrier"), barrier(m.Gid).CallWithDB(db, place(m.Gid, nil)))
			checked(m)
			return steps
		},
		"crash before the transaction": func(m *dtmcli.Msg) []string {
			steps := texts(m.Prepare(own + "/barrier"))
			checked(m)
			return append(steps, texts(barrier(m.Gid).CallWithDB(db, place(m.Gid, nil)))...)
		},
		"no address":           func(m *dtmcli.Msg) []string { return texts(m.Prepare("")) },
		"prepared again":       func(m *dtmcli.Msg) []string { return texts(m.Prepare(own+"/barrier"), m.Prepare("")) },
		"prepared as another":  func(m *dtmcli.Msg) []string { return texts(m.Prepare(own+"/a"), m.Prepare(own+"/b")) },
		"submitted unprepared": func(m *dtmcli.Msg) []string { return texts(m.Submit()) },
		"aborted unprepared":   func(m *dtmcli.Msg) []string { return texts(call(m, "abort")) },
		"aborted twice":        func(m *dtmcli.Msg) []string { return texts(m.Prepare(own), call(m, "abort"), call(m, "abort")) },
		"forced to stop":       func(m *dtmcli.Msg) []string { return texts(m.Prepare(own), call(m, "forceStop")) },
		"delay":                func(m *dtmcli.Msg) []string { return texts(m.SetDelay(100).Submit()) },
		"topic":                func(m *dtmcli.Msg) []string { return texts(m.Add("topic://orders", 1).Submit()) },
		"wait_result": func(m *dtmcli.Msg) []string {
			m.WaitResult = true
			return texts(m.Submit())
		},
		"branch_headers": func(m *dtmcli.Msg) []string {
			m.BranchHeaders = map[string]string{"a": "b"}
			return texts(m.Submit())
		},
		"saga": func(m *dtmcli.Msg) []string {
			return texts(dtmcli.NewSaga(server, m.Gid).Add(action(m.Gid), action(m.Gid), 1).Submit())
		},
	}
	for name := range answers {
		all[name] = func(m *dtmcli.Msg) []string {
			steps := texts(m.Prepare(own + "/answer"))
			checked(m)
			return steps
		}
	}
	return all
}

func action(id string) string {
	return own + "/any/Order/OrderPlaced?aggregate_id=" + url.QueryEscape(id)
}

func message(id string) *dtmcli.Msg {
	m := dtmcli.NewMsg(server, id).Add(action(id), map[string]int{"amount": 30})
	m.TimeoutToFail = 1
	return m
}

func barrier(id string) *dtmcli.BranchBarrier {
	return must(dtmcli.BarrierFrom("msg", id, "00", "msg"))
}

// place is a business transaction.
func place(id string, failure error) dtmcli.BarrierBusiFunc {
	return func(tx *sql.Tx) error {
		must(tx.Exec("insert into orders (id) values ($1)", id))
		return failure
	}
}

func call(m *dtmcli.Msg, operation string) error { return dtmimp.TransCallDtm(&m.TransBase, operation) }

// checked makes a check-back now, and waits for what it leads to.
func checked(m *dtmcli.Msg) {
	for n := range 300 {
		time.Sleep(50 * time.Millisecond)
		if n%20 == 0 { // DTM's server refuses to ask within the second of timeout_to_fail
			must(0, call(m, "resetNextCronTime"))
		}
		lock.Lock()
		count := asked[m.Gid]
		lock.Unlock()
		if count > 0 {
			break
		}
	}
	settled(m.Gid)
}

// settled gives a server the time to end what it has begun.
func settled(id string) {
	for range 20 {
		if word := state(id); word == "succeed" || word == "failed" {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// state is the word of a message; "none" if there is no message.
func state(id string) string {
	answer := struct {
		Transaction struct{ Status string }
	}{}
	answer.Transaction.Status = "none"
	request := dtmcli.GetRestyClient().R().SetQueryParam("gid", id)
	must(0, json.Unmarshal(must(request.Get(server+"/query")).Body(), &answer))
	return answer.Transaction.Status
}

// texts of errors; "done" without one.
func texts(failures ...error) []string {
	all := []string{}
	for _, failure := range failures {
		if failure == nil {
			all = append(all, "done")
		} else {
			all = append(all, failure.Error())
		}
	}
	return all
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
