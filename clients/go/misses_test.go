// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// Requests that the provider refuses although they were judged sound.

// refusing is a provider that refuses everything with these words.
type refusing struct {
	status int
	words  string
	broken error // how the body ends, if not well
	header http.Header
}

func (r refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, req.Body)
	body := io.Reader(strings.NewReader(r.words))
	if r.broken != nil {
		body = io.MultiReader(body, brokenOff{r.broken})
	}
	header := r.header
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: r.status, Header: header, Body: io.NopCloser(body), Request: req}, nil
}

// A counter is a daemon to which all is sound, and that keeps what it was told of misses. fails: what it answers then.
type counter struct {
	fails   string
	mutex   sync.Mutex
	reports []map[string]json.RawMessage
}

func (k *counter) script(p peer) {
	for c := p.next(); c != nil; c = p.next() {
		switch {
		case c.Method == "info":
			p.result(c, `{"protocol":1}`)
		case c.Method == "stream.open":
			p.result(c, `{"state":"open","outputs":[],"carried":[]}`)
		case c.Method == "redact" && k.fails == "":
			p.result(c, `{"request":{"redacted":true}}`)
		case c.Method == "report_miss" && k.fails == "":
			k.mutex.Lock()
			k.reports = append(k.reports, c.Params)
			k.mutex.Unlock()
			p.result(c, `{"code":"a_rule"}`)
		case c.Method == "report_miss" && k.fails == "close":
			return
		case c.Method == "report_miss" || c.Method == "redact":
			p.fail(string(c.ID), -32601, k.fails)
		default:
			p.result(c, `{"changed":false,"safe":true}`)
		}
	}
}

func (k *counter) take() []map[string]json.RawMessage {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	reports := k.reports
	k.reports = nil
	return reports
}

func TestMissesAreReported(t *testing.T) {
	k := &counter{}
	transport, told, said := telling(play(t, k.script).client(t, WithCaller("agent-7")), FailClosed)
	streaming := strings.Replace(cleanBody, `{"model"`, `{"stream":true,"model"`, 1)
	for _, test := range []struct{ path, body, provider string }{
		{"/v1/messages", cleanBody, "anthropic"},
		{"/v1/messages", streaming, "anthropic"},
		{"/v1/messages/count_tokens", cleanBody, "anthropic"},
		{"/model/anthropic.claude-v1%3A0/invoke", `{"anthropic_version":"b","messages":[]}`, "anthropic"},
		{"/v1/chat/completions", chatLeft, "openai-chat"},
		{"/v1/responses", responsesLeft, "openai-responses"},
	} {
		for status, is := range map[int]bool{200: false, 400: true, 401: false, 403: false, 404: false, 413: false,
			422: true, 429: false, 500: false, 529: false} {
			transport.Base = refusing{status: status, words: `{"error":"words"}`}
			for _, pairs := range []bool{false, true} {
				transport.PairResponses = pairs
				res, got, err := post(t, transport, "http://x.test"+test.path, test.body)
				if check(t, err); res.StatusCode != status || got != `{"error":"words"}` {
					t.Errorf("%s %d: %s", test.path, res.StatusCode, got)
				}
				reports := k.take()
				if !is {
					if told.are(t); len(reports) != 0 {
						t.Errorf("%s %d: %s", test.path, status, reports)
					}
					continue
				}
				told.are(t, Event{Kind: EventMissed, Provider: test.provider, Caller: "agent-7", Status: status, Code: "a_rule"})
				want := fmt.Sprintf(`{"caller":"agent-7","provider":%q,"status":%d,"text":"{\"error\":\"words\"}"}`, test.provider, status)
				delete(reports[0], "timeout_ms")
				if text, _ := encode(reports[0]); len(reports) != 1 || string(text) != want {
					t.Errorf("%s", text)
				}
			}
		}
	}
	said.has(t)
}

// The daemon counts misses by the rule that the words belong to.
func TestMissesAreCounted(t *testing.T) {
	c := realDaemon(t).client(t)
	transport, told, _ := telling(c, FailClosed)
	for words, code := range map[string]string{refusedWords: "tool_use_without_result", "never heard of": ""} {
		for _, body := range []string{mended("1"), string(history("1"))} {
			transport.Base = refusing{status: 400, words: `{"type":"error","error":{"message":` + string(quoted(words)) + `}}`}
			_, _, err := post(t, transport, "http://x.test/v1/messages", body)
			check(t, err)
			got := told.take()
			if e := got[len(got)-1]; e.Kind != EventMissed || e.Code != code || e.Status != 400 {
				t.Errorf("%+v", e)
			}
		}
	}
	if InProcess != nil {
		return // there are no counters
	}
	stats, err := c.Stats(inTime(t))
	check(t, err)
	if stats.Misses["tool_use_without_result"] != 2 || stats.Misses["none"] != 2 {
		t.Errorf("%v", stats.Misses)
	}
}

// A daemon that is older, or gone, changes nothing: the event has no code.
func TestMissesThatNobodyCanReport(t *testing.T) {
	for _, fails := range []string{`{"name":"method_not_found"}`, "close"} {
		k := &counter{fails: fails}
		transport, told, said := telling(play(t, k.script).client(t), FailClosed)
		transport.Base = refusing{status: 422, words: "words"}
		res, got, err := post(t, transport, "http://x.test/v1/messages", cleanBody)
		if check(t, err); res.StatusCode != 422 || got != "words" {
			t.Errorf("%d %s", res.StatusCode, got)
		}
		told.are(t, Event{Kind: EventMissed, Provider: "anthropic", Status: 422})
		said.has(t)
	}
}

// Whatever a refusal is made of, its reader gets the same bytes and the same error, and the daemon the beginning of the
// text, as far as it has a place in a request.
func TestMissesTakeNothingFromTheResponse(t *testing.T) {
	k := &counter{}
	transport, told, _ := telling(play(t, k.script).client(t), FailClosed)
	draw := rand.New(rand.NewSource(7))
	alphabet := []string{"a", "\x00", "\"", "é", "漢", "𝄞", "\xff", "\n", strings.Repeat("b", 1000)}
	for i := 0; i < 300; i++ {
		var plain strings.Builder
		for size := draw.Intn(3) * draw.Intn(maxWords); plain.Len() < size; {
			plain.WriteString(alphabet[draw.Intn(len(alphabet))])
		}
		provider := refusing{status: 400, words: plain.String(), header: http.Header{}}
		whole := true // the text can be had up to the limit
		if name := []string{"", "gzip", "deflate", "br"}[draw.Intn(4)]; name != "" {
			provider.header.Set("Content-Encoding", name)
			if whole = name != "br"; whole {
				provider.words = string(packed(provider.header, []byte(provider.words)))
			}
		}
		if draw.Intn(3) == 0 {
			provider.broken = errors.New("broken off")
			provider.words = provider.words[:draw.Intn(len(provider.words)+1)]
			whole = false
		}
		transport.Base = provider
		req, err := http.NewRequestWithContext(inTime(t), http.MethodPost, "http://x.test/v1/messages", strings.NewReader(cleanBody))
		check(t, err)
		res, err := transport.RoundTrip(req)
		check(t, err)
		if got, err := io.ReadAll(res.Body); string(got) != provider.words || err != provider.broken {
			t.Fatalf("%d bytes and %v, not %d and %v", len(got), err, len(provider.words), provider.broken)
		}
		check(t, res.Body.Close())
		if got := told.take(); len(got) != 1 || got[0].Kind != EventMissed {
			t.Fatalf("%+v", got)
		}
		reports := k.take()
		if len(reports) == 0 {
			if whole && plain.Len() > 0 && strings.ToValidUTF8(plain.String(), "") != "" {
				t.Fatalf("no report of %d bytes", plain.Len())
			}
			continue
		}
		text := spelled(reports[0]["text"])
		given := strings.ToValidUTF8(plain.String(), "")
		if len(reports) != 1 || text == "" || len(text) > maxWords || !utf8.ValidString(text) || !strings.HasPrefix(given, text) {
			t.Fatalf("%d reports, %d bytes of %d", len(reports), len(text), len(given))
		}
		if whole && plain.Len() <= maxWords/2 && len(text) < len(given) {
			t.Fatalf("%d bytes of %d", len(text), len(given))
		}
	}
}

// A small body that is a large text is not unpacked beyond what a report has room for.
func TestMissesOfALargeTextInFewBytes(t *testing.T) {
	k := &counter{}
	transport, _, _ := telling(play(t, k.script).client(t), FailClosed)
	header := http.Header{"Content-Encoding": {"gzip"}}
	transport.Base = refusing{status: 400, words: string(packed(header, make([]byte, 32<<20))), header: header}
	_, _, err := post(t, transport, "http://x.test/v1/messages", cleanBody)
	check(t, err)
	if reports := k.take(); len(reports) != 1 || len(spelled(reports[0]["text"])) != maxWords {
		t.Error("not the beginning")
	}
}

// saved gives the files of a folder.
func saved(t *testing.T, folder string) []string {
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	check(t, err)
	return files
}

func TestMissesAreSaved(t *testing.T) {
	c := realDaemon(t).client(t)
	transport, told, said := telling(c, FailClosed)
	to := folder(t)
	check(t, transport.SaveMisses(to))
	words := map[string]string{"/v1/messages": refusedWords, "/v1/chat/completions": "unheard of"}
	bodies := map[string]string{"/v1/messages": string(history("1")), "/v1/chat/completions": chatLeft}
	for path, body := range bodies {
		transport.Base = refusing{status: 422, words: words[path]}
		_, _, err := post(t, transport, "http://x.test"+path, body)
		check(t, err)
		got := told.take()
		e := got[len(got)-1]
		info, err := os.Stat(e.Saved)
		check(t, err)
		if info.Mode() != 0o600 || filepath.Dir(e.Saved) != to {
			t.Error(e.Saved, info.Mode())
		}
		text, err := os.ReadFile(e.Saved)
		check(t, err)
		var miss struct {
			Provider string
			Status   int
			Code     *string
			Request  json.RawMessage
		}
		check(t, json.Unmarshal(text, &miss))
		if !members(trimmed(text), "provider", "status", "code", "request") || miss.Provider != e.Provider || miss.Status != 422 ||
			(miss.Code == nil) != (e.Code == "") || miss.Code != nil && *miss.Code != e.Code {
			t.Errorf("%s", text)
		}
		report, err := c.Validate(inTime(t), miss.Request, &Params{Provider: e.Provider})
		if check(t, err); !report.Valid { // it is what was sent: the repaired request
			t.Errorf("%s: %+v", text, report.Violations)
		}
	}
	if files := saved(t, to); len(files) != 2 {
		t.Error(files)
	}
	said.has(t)
}

func TestMissesFillAFolder(t *testing.T) {
	transport, told, said := telling(play(t, (&counter{}).script).client(t), FailClosed)
	to := folder(t)
	check(t, os.WriteFile(filepath.Join(to, "notes.txt"), nil, 0o600))
	for i := 0; i < maxSaved-3; i++ {
		check(t, os.WriteFile(filepath.Join(to, fmt.Sprintf("miss-%d.json", i)), nil, 0o600))
	}
	check(t, transport.SaveMisses(to))
	transport.Base = refusing{status: 400, words: "words"}
	var group sync.WaitGroup
	for i := 0; i < 16; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			if _, _, err := post(t, transport, "http://x.test/v1/messages", cleanBody); err != nil {
				t.Error(err)
			}
		}()
	}
	group.Wait()
	count := 0
	for _, e := range told.take() {
		if e.Saved != "" {
			count++
		}
	}
	if files := saved(t, to); count != 3 || len(files) != maxSaved+1 {
		t.Error(count, len(files))
	}
	said.has(t, to+" has 100 missed requests")
}

func TestMissesThatCannotBeSaved(t *testing.T) {
	file := filepath.Join(folder(t), "file")
	check(t, os.WriteFile(file, nil, 0o600))
	transport, told, said := telling(play(t, (&counter{}).script).client(t), FailClosed)
	wants(t, transport.SaveMisses(file+"s"), os.ErrNotExist)
	if err := transport.SaveMisses(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Error(err)
	}
	gone := folder(t)
	check(t, transport.SaveMisses(gone))
	check(t, os.Remove(gone))
	miss := Event{Kind: EventMissed, Provider: "anthropic", Status: 400, Code: "a_rule"}
	transport.Base = refusing{status: 400, words: "words"}
	_, got, err := post(t, transport, "http://x.test/v1/messages", cleanBody)
	if check(t, err); got != "words" {
		t.Error(got)
	}
	told.are(t, miss)
	said.has(t, "a missed request is not saved: open "+gone)

	older := &counter{fails: `{"name":"method_not_found"}`}
	transport, told, said = telling(play(t, older.script).client(t), FailClosed)
	transport.Base = refusing{status: 400, words: "words"}
	to := folder(t)
	check(t, transport.SaveMisses(to))
	_, _, err = post(t, transport, "http://x.test/v1/messages", cleanBody)
	check(t, err)
	miss.Code = ""
	told.are(t, miss)
	said.has(t, "not saved: turnkeeper: method_not_found")
	if files := saved(t, to); len(files) != 0 {
		t.Error(files)
	}
}

// Nothing that was said in a history, by the model or by the provider is in events, lines of the log or files.
func TestEventsHaveNoContent(t *testing.T) {
	const secret = "Xylophone"
	transport, told, said := telling(realDaemon(t).client(t), FailClosed)
	to := folder(t)
	check(t, transport.SaveMisses(to))
	transport.RefuseWithResponse = true
	transport.Base = refusing{status: 400, words: `{"error":{"message":"messages.0: ` + secret + `"}}`}
	plant := strings.NewReplacer(`"q`, `"q `+secret, `"n"`, `"`+secret+`"`, `"t"`, `"`+secret+`"`, `srvtoolu_`, `srvtoolu_`+secret,
		`"x"`, `"`+secret+`"`, `"Hit"`, `"`+secret+`"`, `"query"`, `"query"`).Replace
	for _, body := range []string{plant(refusedHistory), plant(string(history("1"))), plant(mended("1"))} {
		if strings.Count(body, secret) < 2 {
			t.Fatal(body)
		}
		for _, path := range []string{"/v1/messages", "/v1/messages/count_tokens"} {
			_, _, err := post(t, transport, "http://x.test"+path, body)
			check(t, err)
		}
	}
	all := told.take()
	texts := append([]string(nil), said.lines...)
	for _, e := range all {
		text, err := json.Marshal(e)
		check(t, err)
		texts = append(texts, string(text), fmt.Sprintf("%+v", e))
	}
	for _, file := range saved(t, to) {
		text, err := os.ReadFile(file)
		check(t, err)
		texts = append(texts, string(text))
	}
	if len(all) != 7 || len(saved(t, to)) != 4 {
		t.Errorf("%d events, %d files", len(all), len(saved(t, to)))
	}
	for _, text := range texts {
		if strings.Contains(strings.ToLower(text), strings.ToLower(secret)) {
			t.Error(text)
		}
	}
}
