// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The conformance cases, driven twice: over a bare connection, and through this client by its typed
// methods wherever a case fits them. Both must come to the same verdict, and the client's own work
// (applying patches, turning answers into results and errors) must agree with the answer's bytes.
// Those of the largest requests are driven once, through this client, without the laws of repair, and
// have to pass: tests/conformance/run_cases.py drives them over a bare connection and holds them to the laws.

// caseFolders gives the folders that the project's own runner drives.
func caseFolders(t *testing.T) []string {
	text, err := os.ReadFile(inTree(t, "tests", "conformance", "index.json"))
	check(t, err)
	var index struct{ Folders []string }
	check(t, json.Unmarshal(text, &index))
	if len(index.Folders) == 0 {
		t.Fatal("index.json has no folders")
	}
	return index.Folders
}

type conformanceCase struct {
	Name       string
	Steps      []conformanceStep
	SkipReason string `json:"skip_reason"`
	conformanceStep
}

type conformanceStep struct {
	Method string
	Params json.RawMessage
	Expect map[string]json.RawMessage
}

type object = map[string]interface{}
type list = []interface{}

// Parameters that are longer are those of a large case. With the race detector each copy of them is felt.
const largeParams = 1 << 20

func (c conformanceCase) large() bool {
	for _, step := range c.Steps {
		if len(step.Params) > largeParams {
			return true
		}
	}
	return false
}

// readCases gives the cases of all files of a folder.
func readCases(t *testing.T, folder string) (cases []conformanceCase) {
	files, err := filepath.Glob(filepath.Join(inTree(t, "tests", "conformance", folder), "*.json"))
	check(t, err)
	if len(files) == 0 {
		t.Fatalf("no cases in %s", folder)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(t, err)
		var some []conformanceCase
		check(t, json.Unmarshal(text, &some))
		cases = append(cases, some...)
	}
	return cases
}

func TestConformance(t *testing.T) {
	d := realDaemon(t)
	d.client(t)
	proxy := watched(t, d.path)
	typed, byName := 0, 0
	for _, name := range caseFolders(t) {
		t.Run(name, func(t *testing.T) {
			cases := readCases(t, name)
			passed, refused := 0, 0
			for _, c := range cases {
				if c.SkipReason != "" {
					continue
				}
				if c.Steps == nil {
					c.Steps = []conformanceStep{c.conformanceStep}
				}
				c.Steps = writtenOut(c.Steps)
				client := newDriver(proxy)
				var bare []string
				if !c.large() {
					bare = driveBare(t, c, d.path)
				}
				through := drive(c, client)
				client.close()
				typed, byName = typed+client.typed, byName+client.byName
				if client.refused { // what this client doesn't send at all
					refused++
					continue
				}
				if (len(bare) == 0) != (len(through) == 0) || len(client.faults) > 0 {
					t.Errorf("%s\n bare:   %v\n client: %v\n faults: %v", c.Name, bare, through, client.faults)
				}
				if len(through) == 0 {
					passed++
				}
			}
			t.Logf("%d of %d cases pass, as over a bare connection; %d are not for this client to send",
				passed, len(cases), refused)
		})
	}
	t.Logf("%d calls by typed methods, %d by name", typed, byName)
	if typed < 100 {
		t.Error("hardly any typed call")
	}
}

// A driver makes one call and gives the answer's bytes.
type driver interface {
	call(method string, params json.RawMessage) []byte
}

// drive plays a case and gives the differences.
func drive(c conformanceCase, by driver) (diffs []string) {
	defer func() {
		if why := recover(); why != nil {
			diffs = append(diffs, fmt.Sprint(why))
		}
	}()
	var outputs list
	for _, step := range c.Steps {
		params := step.Params
		if params == nil {
			params = json.RawMessage("{}")
		}
		raw := lookup(params, "__raw_messages__") != nil
		if raw {
			params = withRawMessages(params)
		}
		answer := by.call(step.Method, params)
		reply := value(answer).(object)
		if result, ok := reply["result"].(object); ok {
			more, _ := result["outputs"].(list)
			outputs = append(outputs, more...)
		}
		diffs = append(diffs, differences(step.Expect, reply, params, outputs, answer)...)
		lawful := (step.Method == "repair" || step.Method == "repair_turn") && !raw && !c.large()
		if _, failed := reply["error"]; !failed && lawful {
			diffs = append(diffs, laws(by, step.Method, params, reply["result"].(object))...)
		}
	}
	return diffs
}

// Strings of a JSON text that are longer are compared by their hashes.
const longString = 1 << 16

// value decodes a text. Large cases have bodies of 20 MB, nearly all of it in a few strings, which the race detector
// would make slow to decode.
func value(text []byte) interface{} {
	v, ok := decoded(shortened(text))
	if !ok {
		panic(fmt.Sprintf("not JSON: %.80s", text))
	}
	return v
}

// shortened puts the hash of its bytes in the place of each long string. Two spellings of a string become two values.
func shortened(text []byte) []byte {
	if len(text) <= longString {
		return text
	}
	var out []byte
	copied := 0
	for i := 0; i < len(text); {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			break
		}
		start := i + n
		end := skipString(text, start)
		if end < 0 {
			break
		}
		if end-start > longString {
			out = append(append(out, text[copied:start]...), fmt.Sprintf(`"sha256 %x"`, sha256.Sum256(text[start:end]))...)
			copied = end
		}
		i = end
	}
	return append(out, text[copied:]...)
}

// writtenOut gives the steps with the long values that a case doesn't write out.
func writtenOut(steps []conformanceStep) (all []conformanceStep) {
	for _, step := range steps {
		step.Params = grown(step.Params)
		all = append(all, step)
	}
	return all
}

// grown writes out each {"__repeat__": string or list, "times": n} of a text.
func grown(text json.RawMessage) json.RawMessage {
	if !bytes.Contains(text, []byte(`"__repeat__"`)) {
		return text
	}
	var out bytes.Buffer
	grow(&out, text)
	return out.Bytes()
}

func grow(out *bytes.Buffer, text []byte) {
	if unit := lookup(text, "__repeat__"); unit != nil {
		repeat(out, unit, lookup(text, "times"))
		return
	}
	if container(text) == nil {
		out.Write(text)
		return
	}
	out.WriteByte(text[0])
	elements(text, func(s span) bool {
		out.Write(text[s.from:s.start]) // the name
		grow(out, text[s.start:s.end])
		if text[s.to] == ',' {
			out.WriteByte(',')
		}
		return true
	})
	out.WriteByte(text[len(text)-1])
}

// repeat joins so many copies of a string or of a list.
func repeat(out *bytes.Buffer, unit, times []byte) {
	n, err := strconv.Atoi(string(times))
	last := len(unit) - 1
	inner, comma := string(unit[1:last]), ""
	if unit[0] == '[' {
		comma = ","
	}
	if err != nil || n < 1 || strings.TrimSpace(inner) == "" {
		panic(fmt.Sprintf("nothing to repeat: %.80s", unit))
	}
	out.WriteByte(unit[0])
	out.WriteString(strings.Repeat(inner+comma, n-1))
	out.WriteString(inner)
	out.WriteByte(unit[last])
}

// withRawMessages puts the bytes that a case chose in the place of its messages.
func withRawMessages(params json.RawMessage) json.RawMessage {
	raw := []byte(spelled(lookup(params, "__raw_messages__")))
	return set(without(params, "__raw_messages__"), "/messages", raw)
}

// The expectation of a case, as the README next to the cases says.

func differences(expect map[string]json.RawMessage, reply object, params json.RawMessage, outputs list, answer []byte) (d []string) {
	result, _ := reply["result"].(object)
	failure, failed := reply["error"].(object)
	data, _ := failure["data"].(object)
	if want, ok := expect["error"]; ok {
		if !failed {
			return []string{fmt.Sprintf("want error %s, got a result", want)}
		}
		d = append(d, subset(value(want), data, "error.data")...)
	} else if failed {
		return []string{fmt.Sprintf("error %v", failure)}
	}
	if want, ok := expect["result"]; ok {
		d = append(d, subset(value(want), reply["result"], "result")...)
	}
	found, _ := result["violations"].(list)
	if failed {
		found, _ = data["violations"].(list)
	}
	for _, key := range []string{"violations", "errors_only"} {
		if want, ok := expect[key]; ok {
			d = append(d, sameSet(value(want).(list), places(found, key == "errors_only"), key)...)
		}
	}
	for _, key := range []string{"messages", "content"} {
		if want, ok := expect[key]; ok {
			if got, ok := patched(params, result, key); !ok || !same(got, value(want)) {
				d = append(d, fmt.Sprintf("%s: want %s, got %v", key, want, got))
			}
		}
	}
	if want, ok := expect["edits"]; ok {
		var got list
		edits, _ := result["edits"].(list)
		for _, e := range edits {
			got = append(got, list{e.(object)["action"], e.(object)["pointer"]})
		}
		d = append(d, sameSet(value(want).(list), got, "edits")...)
	}
	if _, ok := expect["unchanged"]; ok && (result["changed"] != false || len(result["patch"].(list))+len(result["edits"].(list)) > 0) {
		d = append(d, fmt.Sprintf("want unchanged, got %v", result))
	}
	if want, ok := expect["outputs"]; ok && !matches(value(want).(list), outputs) {
		d = append(d, fmt.Sprintf("outputs: want %s, got %v", want, outputs))
	}
	if want, ok := expect["bytes"]; ok {
		for _, part := range value(want).(list) {
			if !bytes.Contains(answer, []byte(part.(string))) {
				d = append(d, fmt.Sprintf("bytes: no %s", part))
			}
		}
	}
	if want, ok := expect["absent"]; ok {
		for _, path := range value(want).(list) {
			if _, there := at(result, strings.Split(path.(string), ".")); there {
				d = append(d, fmt.Sprintf("%s must be absent", path))
			}
		}
	}
	return d
}

func subset(want, got interface{}, where string) (d []string) {
	switch w := want.(type) {
	case object:
		g, ok := got.(object)
		if !ok {
			return []string{fmt.Sprintf("%s: want an object, got %v", where, got)}
		}
		for k := range w {
			if _, there := g[k]; !there {
				d = append(d, where+"."+k+": missing")
			} else {
				d = append(d, subset(w[k], g[k], where+"."+k)...)
			}
		}
		return d
	case list:
		g, ok := got.(list)
		if !ok || len(g) != len(w) {
			return []string{fmt.Sprintf("%s: want %v, got %v", where, want, got)}
		}
		for i := range w {
			d = append(d, subset(w[i], g[i], fmt.Sprintf("%s[%d]", where, i))...)
		}
		return d
	}
	if !same(want, got) {
		return []string{fmt.Sprintf("%s: want %v, got %v", where, want, got)}
	}
	return nil
}

func places(found list, errorsOnly bool) (all list) {
	for _, v := range found {
		v := v.(object)
		if !errorsOnly || v["severity"] == "error" {
			all = append(all, list{v["code"], v["message_index"], v["part_index"]})
		}
	}
	return all
}

func sameSet(want, got list, where string) []string {
	texts := func(all list) (out []string) {
		for _, v := range all {
			text, _ := json.Marshal(v)
			out = append(out, string(text))
		}
		sort.Strings(out)
		return out
	}
	w, g := fmt.Sprint(texts(want)), fmt.Sprint(texts(got))
	if w != g {
		return []string{fmt.Sprintf("%s: want %s, got %s", where, w, g)}
	}
	return nil
}

// matches compares lists of outputs; {"...": true} matches any number of them.
func matches(want, got list) bool {
	reached := map[int]bool{0: true}
	for _, w := range want {
		next := map[int]bool{}
		_, any := w.(object)["..."]
		for at := range reached {
			for j := at; any && j <= len(got); j++ {
				next[j] = true
			}
			if !any && at < len(got) && len(subset(w, got[at], "")) == 0 {
				next[at+1] = true
			}
		}
		reached = next
	}
	return reached[len(got)]
}

// bodyText gives the member of the parameters that patches apply to, or nil, and its name.
func bodyText(params json.RawMessage) (name string, text json.RawMessage) {
	for _, name := range []string{"request", "messages", "content"} {
		if text := lookup(params, name); text != nil {
			return name, text
		}
	}
	return "", nil
}

// bodyOf is what patches apply to.
func bodyOf(params json.RawMessage) interface{} {
	name, text := bodyText(params)
	switch name {
	case "request":
		return value(text)
	case "":
		return object{}
	}
	return object{memberOf(params, name): value(text)}
}

// memberOf gives what the provider's bodies call the member that parameters and results call key.
func memberOf(params json.RawMessage, key string) string {
	if key == "messages" {
		return listOf(strings.Trim(string(lookup(params, "provider")), `"`))
	}
	return key
}

func patched(params json.RawMessage, result object, key string) (interface{}, bool) {
	if whole, ok := result[key]; ok {
		return whole, true
	}
	text, _ := json.Marshal(result["patch"])
	var operations []operation
	if json.Unmarshal(text, &operations) != nil {
		return nil, false
	}
	after, ok := naive(bodyOf(params), operations)
	if !ok {
		return nil, false
	}
	return at(after, []string{memberOf(params, key)})
}

// laws are what holds for every repair, whatever the case says.
func laws(by driver, method string, params json.RawMessage, result object) (d []string) {
	key := map[string]string{"repair": "messages", "repair_turn": "content"}[method]
	name, sent := bodyText(params)
	place := "/" + key
	if name == "request" {
		sent, place = lookup(sent, memberOf(params, key)), "/request/"+memberOf(params, key)
	}
	form := lookup(params, "return")
	if form != nil && string(form) != `"patch"` || len(sent) == 0 || sent[0] != '[' {
		return nil
	}
	after, ok := patched(params, result, key)
	if !ok {
		return []string{"law: the patch doesn't apply"}
	}
	answer := by.call(method, set(params, "/return", quoted(key)))
	full, ok := value(answer).(object)["result"].(object)
	if !ok {
		return []string{"law: return gives an error"}
	}
	if protected, ok := result["protected"].(object); ok && method == "repair" {
		d = append(d, protectedLaw(params, result, protected, full, answer)...)
	}
	got := lookup(lookup(answer, "result"), key)
	if got == nil {
		got = sent
	}
	if !same(value(got), after) {
		d = append(d, fmt.Sprintf("law: patch gives %v, return %v", after, got))
	}
	next := set(params, place, got)
	again := value(by.call(method, next)).(object)
	if r, ok := again["result"].(object); !ok || r["changed"] != false {
		d = append(d, fmt.Sprintf("law: not idempotent: %v", again))
	}
	if method == "repair" && result["safe"] == true {
		judged, _ := value(by.call("validate", without(next, "guard", "return"))).(object)["result"].(object)
		if judged["valid"] != true {
			d = append(d, fmt.Sprintf("law: called safe, but validate says %v", judged))
		}
	}
	return d
}

func protectedLaw(params json.RawMessage, result, protected, full object, answer []byte) (d []string) {
	messages := lookup(params, "messages")
	member := memberOf(params, "messages")
	if messages == nil {
		messages = lookup(lookup(params, "request"), member)
	}
	n, _ := strconv.Atoi(string(protected["message_index"].(json.Number)))
	var message []byte
	elements(messages, func(s span) bool {
		message = messages[s.start:s.end]
		n--
		return n >= 0
	})
	sum := sha256.Sum256(message)
	if protected["sha256"] != hex.EncodeToString(sum[:]) {
		d = append(d, "law: protected.sha256 is not that of the bytes sent")
	}
	at := "/" + member + "/" + string(protected["message_index"].(json.Number))
	for _, e := range result["edits"].(list) {
		if pointer := e.(object)["pointer"].(string); pointer == at || strings.HasPrefix(pointer, at+"/") {
			return d
		}
	}
	if full["messages"] != nil && !bytes.Contains(answer, message) {
		d = append(d, "law: the protected message came back with other bytes")
	}
	return d
}

// set gives an object with another value at a path of names; all but the last name are there. Everything else
// keeps its bytes.
func set(object json.RawMessage, path string, value []byte) json.RawMessage {
	name, below, deeper := strings.Cut(path[1:], "/")
	if deeper {
		value = set(lookup(object, name), "/"+below, value)
	}
	text := without(object, name)
	comma := ","
	if skipSpace(text, 1) == len(text)-1 {
		comma = ""
	}
	return json.RawMessage(string(text[:len(text)-1]) + comma + string(quoted(name)) + ":" + string(value) + "}")
}

// without gives an object without some of its members. The others keep their bytes.
func without(object json.RawMessage, names ...string) json.RawMessage {
	gone := map[string]bool{}
	for _, name := range names {
		gone[name] = true
	}
	var kept []string
	elements(object, func(s span) bool {
		if !gone[spelled(object[s.name:s.nameEnd])] {
			kept = append(kept, string(object[s.from:s.to]))
		}
		return true
	})
	return json.RawMessage("{" + strings.Join(kept, ",") + "}")
}

// listOf gives the member of a provider's bodies that holds the history.
func listOf(provider string) string {
	if of := apiOf(provider); of != nil {
		return of.list
	}
	return messagesAPI.list
}

// A bare connection knows frames and nothing else.
type bare struct{ net.Conn }

func driveBare(t *testing.T, c conformanceCase, path string) []string {
	if InProcess != nil {
		end, err := newTwin(t, path).Connect(context.Background())
		check(t, err)
		defer end.Close()
		return drive(c, bareTwin{end})
	}
	end, err := net.Dial("unix", path)
	check(t, err)
	defer end.Close()
	return drive(c, bare{end})
}

func document(method string, params json.RawMessage) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%s,"params":%s}`, quoted(method), params)
}

func (b bare) call(method string, params json.RawMessage) []byte {
	_, _ = b.Write(framed(document(method, params)))
	answer, err := readFrame(b)
	if err != nil {
		panic(err)
	}
	return answer
}

// A bareTwin is a bare connection to the local back end.
type bareTwin struct{ Connection }

func (b bareTwin) call(method string, params json.RawMessage) []byte {
	answer, err := b.Exchange(context.Background(), Request{method, [][]byte{[]byte(document(method, params))}})
	if err != nil {
		panic(err)
	}
	return answer
}

func readFrame(r io.Reader) ([]byte, error) {
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, err
	}
	body := make([]byte, binary.BigEndian.Uint32(header))
	_, err := io.ReadFull(r, body)
	return body, err
}

// A witness sees the answers that a client gets.
type witness interface {
	options() []Option // of the client
	take() []byte      // the last answer, once
}

func watched(t *testing.T, path string) witness {
	if InProcess != nil {
		return newTwin(t, path)
	}
	return record(t, path)
}

// A recorder relays between client and daemon and keeps the last answer.
type recorder struct {
	path  string
	mutex sync.Mutex
	last  []byte
}

func record(t *testing.T, path string) *recorder {
	r := &recorder{path: filepath.Join(folder(t), "p")}
	listener, err := net.Listen("unix", r.path)
	check(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("unix", path)
			if err != nil {
				_ = client.Close()
				continue
			}
			go func() { _, _ = io.Copy(server, client); _ = server.Close() }()
			go r.answers(server, client)
		}
	}()
	return r
}

func (r *recorder) answers(server, client net.Conn) {
	defer client.Close()
	for {
		answer, err := readFrame(server)
		if err != nil {
			return
		}
		r.mutex.Lock()
		r.last = answer
		r.mutex.Unlock()
		if _, err := client.Write(framed(string(answer))); err != nil {
			return
		}
	}
}

func (r *recorder) options() []Option { return []Option{WithSocket(r.path)} }

func (r *recorder) take() []byte {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	last := r.last
	r.last = nil
	return last
}

// A clientDriver calls through the client, by typed methods where it can.
type clientDriver struct {
	client        *Client
	proxy         witness
	streams       map[string]*Stream
	faults        []string
	refused       bool
	typed, byName int
}

func newDriver(proxy witness) *clientDriver {
	// One connection: calls of streams by name have to stay on it.
	c := New(append(proxy.options(), WithTimeout(patience), WithPool(1, 1))...)
	return &clientDriver{client: c, proxy: proxy, streams: map[string]*Stream{}}
}

func (d *clientDriver) close() {
	for _, s := range d.streams {
		_ = s.Close()
	}
	_ = d.client.Close()
}

func (d *clientDriver) fault(format string, args ...interface{}) {
	d.faults = append(d.faults, fmt.Sprintf(format, args...))
}

func (d *clientDriver) call(method string, params json.RawMessage) []byte {
	err, done := d.byType(method, params)
	if done {
		d.typed++
	} else {
		d.byName++
		var result json.RawMessage
		result, err = d.client.Call(context.Background(), method, params)
		if err == nil && !json.Valid(result) {
			d.fault("%s: %s", method, result)
		}
	}
	if errors.Is(err, ErrNotEncodable) {
		d.refused = true
		panic(err)
	}
	answer := d.proxy.take()
	d.agrees(method, answer, err)
	return answer
}

// agrees compares what the client made of an answer with the answer itself.
func (d *clientDriver) agrees(method string, answer []byte, err error) {
	failure := lookup(answer, "error")
	var remote *RemoteError
	var pairing *PairingError
	switch {
	case failure == nil && errors.As(err, &pairing):
		if string(lookup(lookup(answer, "result"), "state")) != `"failed"` {
			d.fault("%s: %v from %s", method, err, answer)
		}
	case (failure == nil) != (err == nil):
		d.fault("%s: %v from %s", method, err, answer)
	case err != nil && !errors.As(err, &remote):
		d.fault("%s: %T", method, err)
	case err != nil && (strconv.Itoa(remote.Code) != string(lookup(failure, "code")) ||
		string(quoted(string(remote.Name))) != string(lookup(lookup(failure, "data"), "name"))):
		d.fault("%s: %v from %s", method, err, answer)
	}
}

// byType makes the call by a typed method, unless only Call can say what the case says.
func (d *clientDriver) byType(method string, params json.RawMessage) (err error, done bool) {
	switch method {
	case "validate", "repair", "repair_turn":
		return d.judge(method, params)
	case "stream.open", "stream.feed", "stream.end":
		return d.stream(method, params)
	case "pair":
		p, rest := streamParams(without(params, "response"))
		response := container(lookup(params, "response"))
		if !rest || response == nil || response[0] != '{' || p.MaxBuffer != 0 {
			return nil, false
		}
		_, err = d.client.Pair(context.Background(), response, p)
		return err, true
	case "splice":
		return d.splice(params)
	case "tools":
		return d.tools(params)
	case "prepare":
		return d.prepare(params)
	case "fit":
		return d.fit(params)
	case "explain", "report_miss":
		return d.refusal(method, params)
	}
	return nil, false
}

// refusal makes the calls about a provider's refusal.
func (d *clientDriver) refusal(method string, params json.RawMessage) (err error, done bool) {
	var text, provider string
	var status int
	fits := members(params, "text", "provider", "status") && take(params, "text", &text) && lookup(params, "text") != nil &&
		take(params, "provider", &provider) && take(params, "status", &status, "0") &&
		(method == "report_miss") == (lookup(params, "status") != nil) &&
		(method == "explain" || lookup(params, "provider") != nil)
	if !fits {
		return nil, false
	}
	if method == "explain" {
		_, err = d.client.Explain(context.Background(), text, provider)
	} else {
		_, err = d.client.ReportMiss(context.Background(), status, text, provider)
	}
	return err, true
}

// one gives the only one of these members that is there.
func one(params json.RawMessage, names ...string) (name string, value json.RawMessage) {
	for _, n := range names {
		if v := lookup(params, n); v != nil {
			if name != "" {
				return "", nil
			}
			name, value = n, v
		}
	}
	return name, value
}

// spliceParams reads the parameters except for history and turn; fits: the typed form can say the same.
func spliceParams(params json.RawMessage) (p *SpliceParams, fits bool) {
	p = &SpliceParams{ToolResults: lookup(params, "tool_results"), Appended: lookup(params, "appended")}
	options := lookup(params, "options")
	fits = members(params, "provider", "dialect", "target", "tool_results", "appended", "container", "options") &&
		(options == nil ||
			members(options, "mode", "merge", "on_assistant_conflict", "compaction", "choice", "state")) &&
		take(params, "provider", &p.Provider) && take(params, "dialect", &p.Dialect) &&
		take(params, "container", &p.Container) && take(options, "mode", &p.Mode) && take(options, "merge", &p.Merge) &&
		take(options, "on_assistant_conflict", &p.OnAssistantConflict) && take(options, "compaction", &p.Compaction) &&
		take(options, "choice", &p.Choice, "0") && take(options, "state", &p.State) && targetOf(params, &p.Target)
	return p, fits
}

func (d *clientDriver) splice(params json.RawMessage) (err error, done bool) {
	name, document := one(params, "messages", "request")
	turn := lookup(params, "assistant")
	p, fits := spliceParams(without(params, "messages", "request", "assistant"))
	fits = fits && container(document) != nil && (document[0] == '{') == (name == "request") &&
		container(turn) != nil
	if !fits {
		return nil, false
	}
	before := string(document)
	s, err := d.client.Splice(context.Background(), document, turn, p)
	if err == nil {
		d.agreesOn("splice", params, name, s.Document)
	}
	if before != string(document) {
		d.fault("the argument was changed")
	}
	return err, true
}

// toolsParams reads the parameters except for the document, as spliceParams.
func toolsParams(params json.RawMessage) (p *ToolsParams, fits bool) {
	p = &ToolsParams{}
	var add []json.RawMessage
	fits = members(params, "add", "on_conflict", "betas", "provider", "call", "interleaved",
		"legacy_betas") && (lookup(params, "add") == nil || json.Unmarshal(lookup(params, "add"), &add) == nil) &&
		take(params, "on_conflict", &p.OnConflict) && takeLines(params, "betas", &p.Betas) &&
		take(params, "provider", &p.Provider) && take(params, "call", &p.Call) &&
		take(params, "interleaved", &p.Interleaved, "false") && take(params, "legacy_betas", &p.LegacyBetas, "false")
	if lookup(params, "add") != nil {
		p.Add = []interface{}{}
	}
	for _, addition := range add {
		p.Add = append(p.Add, addition)
	}
	return p, fits
}

// takeLines is take for the lines of a header, of which there may be one without a list.
func takeLines(raw json.RawMessage, name string, into *[]string) bool {
	if text := lookup(raw, name); len(text) > 2 && text[0] == '"' {
		*into = []string{spelled(text)}
		return true
	}
	return take(raw, name, into)
}

func (d *clientDriver) tools(params json.RawMessage) (err error, done bool) {
	name, document := one(params, "tools", "request")
	p, fits := toolsParams(without(params, "tools", "request"))
	fits = fits && document != nil && (name == "tools" && (string(document) == "null" || document[0] == '[') ||
		name == "request" && document[0] == '{')
	if !fits {
		return nil, false
	}
	m, err := d.client.Tools(context.Background(), document, p)
	if err == nil {
		d.agreesOn("tools", params, name, m.Document)
	}
	return err, true
}

func (d *clientDriver) prepare(params json.RawMessage) (err error, done bool) {
	document, splice, tools := lookup(params, "request"), lookup(params, "splice"), lookup(params, "tools")
	repair, guard, fits := repairParams(without(params, "request", "splice", "tools", "fit"))
	p := &PrepareParams{Params: *repair, Turn: lookup(splice, "assistant")}
	p.Unguarded = !guard
	if splice != nil {
		var whole bool
		p.Splice, whole = spliceParams(without(splice, "assistant"))
		fits = fits && whole && p.Splice.Provider+p.Splice.Dialect == "" && p.Splice.Target == nil
	}
	if tools != nil {
		var whole bool
		p.Tools, whole = toolsParams(tools)
		fits = fits && whole && string(tools) != "{}"
	}
	if step := lookup(params, "fit"); step != nil {
		var whole bool
		p.Fit, whole = fitStep(step)
		fits = fits && whole
	}
	if !fits || container(document) == nil || document[0] != '{' || repair.Betas != nil {
		return nil, false
	}
	before := string(document)
	made, err := d.client.Prepare(context.Background(), document, p)
	if err == nil {
		d.agreesOn("prepare", params, "request", made.Document)
		if made.Stops() != (made.Action == "stop") || string(made.Document) != before != made.Changed {
			d.fault("%s, changed %v: %s", made.Action, made.Changed, made.Document)
		}
	}
	if before != string(document) {
		d.fault("the argument was changed")
	}
	return err, true
}

// fitStep reads a budget, as spliceParams.
func fitStep(step json.RawMessage) (s *FitStep, fits bool) {
	s = &FitStep{}
	fits = container(step) != nil && members(step, "over", "to", "unit", "counts", "bytes_per_token", "overhead", "measures",
		"keep", "pin", "placeholder", "media_placeholder", "marker", "on_unreachable") &&
		take(step, "over", &s.Over, "0") && take(step, "to", &s.To, "0") && take(step, "unit", &s.Unit) &&
		take(step, "counts", &s.Counts) && take(step, "bytes_per_token", &s.BytesPerToken, "0") &&
		take(step, "overhead", &s.Overhead, "0") && take(step, "measures", &s.Measures) && take(step, "pin", &s.Pin) &&
		take(step, "placeholder", &s.Placeholder) && take(step, "media_placeholder", &s.MediaPlaceholder) &&
		take(step, "marker", &s.Marker) && take(step, "on_unreachable", &s.OnUnreachable)
	if keep := lookup(step, "keep"); keep != nil {
		s.Keep = &FitKeep{}
		fits = fits && take(step, "keep", s.Keep)
		back, _ := encode(s.Keep)
		fits = fits && same(value(back), value(keep))
	}
	return s, fits
}

func (d *clientDriver) fit(params json.RawMessage) (err error, done bool) {
	name, document := one(params, "messages", "request")
	step, fits := fitStep(without(params, "messages", "request", "provider", "dialect", "target", "policy", "max_violations",
		"betas", "guard", "return_removed"))
	rest := without(params, "messages", "request", "over", "to", "unit", "counts", "bytes_per_token", "overhead", "measures",
		"keep", "pin", "placeholder", "media_placeholder", "marker", "on_unreachable")
	p, guard, whole := repairParams(rest)
	if !fits || !whole || container(document) == nil || (document[0] == '{') != (name == "request") {
		return nil, false
	}
	p.Unguarded = !guard
	before := string(document)
	f, err := d.client.Fit(context.Background(), document, &FitParams{Params: *p, FitStep: *step})
	if err == nil {
		d.agreesOn("fit", params, name, f.Document)
		if !f.Changed && string(f.Document) != before {
			d.fault("unchanged, and yet %s", f.Document)
		}
	}
	if before != string(document) {
		d.fault("the argument was changed")
	}
	return err, true
}

// patchOf asks for the patch that says the same as the splices.
func (d *clientDriver) patchOf(method string, params json.RawMessage) (operations []operation, ok bool) {
	result, err := d.client.Call(context.Background(), method, set(params, "/return", []byte(`"patch"`)))
	patch := lookup(result, "patch")
	if err != nil || json.Unmarshal(shortened(patch), &operations) != nil {
		d.fault("patch: %s, %v", patch, err)
		return nil, false
	}
	return operations, true
}

// agreesOn compares the client's document with what the patch makes of the whole body, or of the member of that
// name.
func (d *clientDriver) agreesOn(method string, params json.RawMessage, name string, document json.RawMessage) {
	operations, ok := d.patchOf(method, params)
	if !ok {
		return
	}
	sent, member := value(lookup(params, name)), memberOf(params, name)
	if name != "request" {
		sent = object{member: sent}
	}
	body, ok := naive(sent, operations)
	if ok && name != "request" {
		body = body.(object)[member]
	}
	if body == nil {
		body = list{}
	}
	if !ok || !same(body, value(document)) {
		d.fault("the patch gives %s, want %v", document, body)
	}
}

// members checks that an object has no other members than these, each of them once.
func members(raw json.RawMessage, names ...string) bool {
	known := map[string]bool{}
	for _, name := range names {
		known[`"`+name+`"`] = true
	}
	good := true
	return elements(raw, func(s span) bool {
		name := string(raw[s.name:s.nameEnd])
		good = good && known[name]
		known[name] = false
		return true
	}) && good
}

// take decodes a member if it is there; false if it has another type, or is what isn't sent.
func take(raw json.RawMessage, name string, into interface{}, zero ...string) bool {
	text := lookup(raw, name)
	for _, unsent := range append(zero, "null", `""`, "[]") {
		if string(text) == unsent {
			return false
		}
	}
	return text == nil || json.Unmarshal(text, into) == nil
}

func operationsOf(raw json.RawMessage, into *[]Operation) bool {
	text := lookup(raw, "carry_in")
	if !take(raw, "carry_in", into) {
		return false
	}
	back, _ := encode(*into)
	return text == nil || same(value(back), value(text))
}

// repairParams reads the parameters except for the document, as spliceParams.
func repairParams(params json.RawMessage) (p *Params, guard, fits bool) {
	p, guard = &Params{Seals: lookup(params, "seals")}, true
	var policy json.RawMessage
	fits = members(params, "provider", "dialect", "target", "policy", "max_violations", "betas", "provenance", "seals",
		"guard", "return_removed", "stop_reason", "carry_in") &&
		take(params, "provider", &p.Provider) && take(params, "dialect", &p.Dialect) &&
		take(params, "policy", &policy) && take(params, "max_violations", &p.MaxViolations) &&
		takeLines(params, "betas", &p.Betas) && take(params, "provenance", &p.Provenance) &&
		take(params, "guard", &guard, "true") && take(params, "return_removed", &p.ReturnRemoved, "false") && take(params, "stop_reason", &p.StopReason) &&
		operationsOf(params, &p.CarryIn) && targetOf(params, &p.Target)
	if policy != nil {
		p.Policy = policy
	}
	return p, guard, fits
}

func targetOf(raw json.RawMessage, into **Target) bool {
	text := lookup(raw, "target")
	if text == nil {
		return true
	}
	*into = &Target{}
	fits := take(raw, "target", *into)
	back, _ := encode(*into)
	return fits && same(value(back), value(text))
}

func (d *clientDriver) judge(method string, params json.RawMessage) (err error, done bool) {
	p, guard, fits := repairParams(without(params, "messages", "request", "content"))
	var document json.RawMessage
	for _, key := range []string{"messages", "request", "content"} {
		if v := lookup(params, key); v != nil {
			fits = fits && document == nil && container(v) != nil && (v[0] == '{') == (key == "request") &&
				(key == "content") == (method == "repair_turn")
			document = v
		}
	}
	if !fits || document == nil {
		return nil, false
	}
	p.Unguarded = !guard
	before := string(document)
	switch method {
	case "validate":
		_, err = d.client.Validate(context.Background(), document, p)
		return err, true
	case "repair":
		var r *Repaired
		if r, err = d.client.Repair(context.Background(), document, p); err == nil {
			d.agreesWith("repair", params, r, document)
		}
	default:
		var r *Repaired
		if r, err = d.client.RepairTurn(context.Background(), document, p); err == nil {
			d.agreesWith("repair_turn", params, r, document)
		}
	}
	if before != string(document) {
		d.fault("the argument was changed")
	}
	return err, true
}

// agreesWith compares the client's document with what the patch makes.
func (d *clientDriver) agreesWith(method string, params json.RawMessage, r *Repaired, document json.RawMessage) {
	operations, ok := d.patchOf(method, params)
	if !ok {
		return
	}
	body, ok := naive(bodyOf(params), operations)
	for _, key := range []string{"messages", "content"} {
		if lookup(params, key) != nil && ok {
			body = body.(object)[memberOf(params, key)]
		}
	}
	if !ok || !same(body, value(r.Document)) {
		d.fault("the patch gives %s, want %v", r.Document, body)
	}
	if !r.Changed && string(r.Document) != string(document) {
		d.fault("unchanged, and yet %s", r.Document)
	}
}

func streamParams(params json.RawMessage) (*StreamParams, bool) {
	p := &StreamParams{History: lookup(params, "history"), Request: lookup(params, "request")}
	var policy json.RawMessage
	fits := members(params, "provider", "wire", "starting_after", "emit", "provider_input", "carry_in", "history", "request", "policy",
		"max_buffer") &&
		take(params, "provider", &p.Provider) && take(params, "wire", &p.Wire) &&
		take(params, "starting_after", &p.StartingAfter) && take(params, "emit", &p.Emit) &&
		take(params, "provider_input", &p.ProviderInput) && operationsOf(params, &p.CarryIn) &&
		take(params, "policy", &policy) && take(params, "max_buffer", &p.MaxBuffer, "0") &&
		(p.History == nil || p.History[0] == '[') && (p.Request == nil || p.Request[0] == '{')
	if policy != nil {
		p.Policy = policy
	}
	return p, fits
}

func (d *clientDriver) stream(method string, params json.RawMessage) (err error, done bool) {
	key := string(lookup(params, "stream"))
	s := d.streams[key]
	if method == "stream.open" && s == nil {
		p, fits := streamParams(without(params, "stream"))
		if !fits || key != `"s"` {
			return nil, false
		}
		if s, err = d.client.Stream(context.Background(), p); err == nil {
			d.streams[key] = s
		}
		return err, true
	}
	if s == nil {
		return nil, false
	}
	switch method {
	case "stream.open":
		return d.onStream(s, method, params), true
	case "stream.end":
		return d.end(s, key, params), true
	}
	data, events := lookup(params, "data"), lookup(params, "events")
	var packed string
	_ = json.Unmarshal(lookup(params, "data_base64"), &packed)
	unpacked, notPacked := base64.StdEncoding.DecodeString(packed)
	if string(lookup(params, "restart")) == "true" {
		params = without(params, "restart")
		s.Restart()
	}
	switch {
	case members(params, "stream", "data") && len(data) > 2 && data[0] == '"':
		_, err = s.Feed(context.Background(), []byte(spelled(data)))
	case members(params, "stream", "data_base64") && notPacked == nil && packed != "":
		_, err = s.Feed(context.Background(), unpacked)
	case members(params, "stream", "events") && len(events) > 0 && events[0] == '[':
		_, err = s.FeedEvents(context.Background(), events)
	default:
		err = d.onStream(s, method, params)
	}
	return err, true
}

// onStream calls by name on the stream's own connection: misuse that its methods don't offer.
func (d *clientDriver) onStream(s *Stream, method string, params json.RawMessage) error {
	d.typed--
	d.byName++
	q, err := plainRequest(method, params)
	if err == nil {
		_, err = s.step(context.Background(), q)
	}
	return err
}

func (d *clientDriver) end(s *Stream, key string, params json.RawMessage) (err error) {
	why := lookup(params, "transport_error")
	switch {
	case members(params, "stream") || members(params, "stream", "transport_error") && string(why) == "null":
		_, err = s.Finish(context.Background())
	case members(params, "stream", "transport_error") && why[0] == '"':
		_, err = s.Fail(context.Background(), spelled(why))
	default:
		return d.onStream(s, "stream.end", params)
	}
	delete(d.streams, key)
	return err
}
