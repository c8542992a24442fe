// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const sample = ` { "model" : "m\/x",` + "\n\t" + `"messages":[ {"role":"user","content":"q"} ,` +
	"\n" + `  {"content" : [ 1.0 , 2e5, "\u00e9" ],"role":"a"},{"x":18446744073709551617} ], "empty":[ ] } `

// TestPatchKeepsBytes compares text with text: what no operation names must not change at all.
func TestPatchKeepsBytes(t *testing.T) {
	for _, test := range []struct{ patch, old, new string }{
		{`[]`, "", ""},
		{`[{"op":"remove","path":"/messages/1/content/1"}]`, ` 2e5,`, ``},
		{`[{"op":"remove","path":"/messages/1/content/0"}]`, ` 1.0 ,`, ``},
		{`[{"op":"remove","path":"/messages/1/content/2"}]`, `, "\u00e9" ]`, `]`},
		{`[{"op":"remove","path":"/messages/1/content"}]`, `"content" : [ 1.0 , 2e5, "\u00e9" ],`, ``},
		{`[{"op":"replace","path":"/messages/1/content/1","value":{"a" : 1}}]`, `2e5`, `{"a" : 1}`},
		{`[{"op":"replace","path":"/messages/0/role","value":"z"}]`, `"user"`, `"z"`},
		{`[{"op":"add","path":"/messages/1/content/1","value":null}]`, ` 2e5`, `null, 2e5`},
		{`[{"op":"add","path":"/messages/1/content/-","value":[ ]}]`, `"\u00e9" ]`, `"\u00e9" ,[ ]]`},
		{`[{"op":"add","path":"/messages/2/y","value":1}]`, `617}`, `617,"y":1}`},
		{`[{"op":"add","path":"/messages/2/x","value":1}]`, `18446744073709551617`, `1`},
		{`[{"op":"add","path":"/empty/0","value":1}]`, `[ ]`, `[1]`},
		{`[{"op":"move","from":"/messages/2","path":"/messages/0"}]`, ``, ``},
		{`[{"op":"copy","from":"/messages/1/content/1","path":"/messages/2/y"}]`, `617}`, `617,"y":2e5}`},
		{`[{"op":"test","path":"/messages/1/content/1","value":200000.0}]`, ``, ``},
		{`[{"op":"remove","path":"/messages/2/x"},{"op":"remove","path":"/messages/2"}]`,
			`,{"x":18446744073709551617} ]`, `]`},
	} {
		got, err := ApplyPatch(json.RawMessage(sample), json.RawMessage(test.patch))
		check(t, err)
		if strings.Contains(test.patch, `"op":"move"`) {
			want := ` "messages":[{"x":18446744073709551617}, {"role":"user","content":"q"} ,`
			if !strings.Contains(string(got), want[1:]) {
				t.Errorf("%s gives %s", test.patch, got)
			}
			continue
		}
		if want := strings.Replace(sample, test.old, test.new, 1); string(got) != want {
			t.Errorf("%s gives\n%s\nwant\n%s", test.patch, got, want)
		}
	}
}

func TestPatchThatDoesntFit(t *testing.T) {
	for _, patch := range []string{
		``, `{}`, `[1]`, `[{}]`, `[{"op":"mend","path":""}]`, `[{"op":"remove"}]`,
		`[{"op":"remove","path":"messages"}]`, `[{"op":"remove","path":""}]`,
		`[{"op":"remove","path":"/messages/3"}]`, `[{"op":"remove","path":"/messages/-"}]`,
		`[{"op":"remove","path":"/messages/01"}]`, `[{"op":"remove","path":"/messages/+1"}]`,
		`[{"op":"remove","path":"/messages/99999999999999999999"}]`, `[{"op":"remove","path":"/nope"}]`,
		`[{"op":"remove","path":"/model/0"}]`, `[{"op":"add","path":"/messages/4","value":1}]`,
		`[{"op":"add","path":"/messages/0"}]`, `[{"op":"replace","path":"/nope","value":1}]`,
		`[{"op":"move","path":"/messages/0/x","from":"/messages/0"}]`, `[{"op":"move","path":"/x"}]`,
		`[{"op":"test","path":"/model","value":"m/y"}]`, `[{"op":"copy","from":"/nope","path":"/x"}]`,
	} {
		_, err := ApplyPatch(json.RawMessage(sample), json.RawMessage(patch))
		wants(t, err, ErrPatchFailed)
	}
	for _, doc := range []string{``, `{} {}`, `{`, `{"a":1,"a":2}`, `{"a" 1}`, `{"a":1]`, `{"a":1,}`, `{a:1}`} {
		_, err := ApplyPatch(json.RawMessage(doc), json.RawMessage(`[{"op":"add","path":"/b","value":1}]`))
		wants(t, err, ErrPatchFailed)
	}
}

func TestPatchLeavesItsArgumentsAlone(t *testing.T) {
	doc := append(make([]byte, 0, 4096), sample...)
	patch := []byte(`[{"op":"add","path":"/messages/0/x","value":1},{"op":"remove","path":"/messages/1"},
		{"op":"copy","from":"/messages/0","path":"/messages/-"},{"op":"replace","path":"/messages/0/x","value":[]}]`)
	before := string(patch)
	got, err := ApplyPatch(doc, patch)
	check(t, err)
	if string(doc) != sample || string(patch) != before || len(bytes.Trim(doc[len(doc):cap(doc)], "\x00")) > 0 {
		t.Fatal("an argument was changed")
	}
	if !strings.Contains(string(got), `"x":[]`) || !strings.Contains(string(got), `"x":1`) {
		t.Fatalf("copies are not apart: %s", got)
	}
}

// removals applies a patch of n operations of each kind to a list of n numbers.
func removals(t *testing.T, n int) time.Duration {
	var doc, patch strings.Builder
	doc.WriteString(`{"messages":[0`)
	patch.WriteString(`[`)
	for i := 1; i < n; i++ {
		doc.WriteString(`,` + strconv.Itoa(i))
	}
	doc.WriteString(`]}`)
	for i := n - 1; i >= 1; i-- {
		fmt.Fprintf(&patch, `{"op":"remove","path":"/messages/%d"},`, i)
	}
	for i := 0; i < n/100; i++ {
		fmt.Fprintf(&patch, `{"op":"add","path":"/m%d","value":%d},`, i, i)
	}
	begin := time.Now()
	got, err := ApplyPatch(json.RawMessage(doc.String()), json.RawMessage(patch.String()[:patch.Len()-1]+`]`))
	took := time.Since(begin)
	check(t, err)
	if !strings.HasPrefix(string(got), `{"messages":[0],"m0":0`) {
		t.Fatalf("%.40s", got)
	}
	return took
}

// Ten times the operations against as many in ten small patches; a quadratic step would make it ten.
func TestPatchIsLinear(t *testing.T) {
	const n, growth, slack, tries = 10_000, 10, 4.0, 8
	best := math.Inf(1)
	for i := 0; i < tries && best > 1.5; i++ {
		var apart time.Duration
		for k := 0; k < growth; k++ {
			apart += removals(t, n)
		}
		best = math.Min(best, float64(removals(t, n*growth))/float64(apart))
	}
	if best > slack {
		t.Fatalf("%.1f times the cost of a linear one", best)
	}
}

func TestDecimal(t *testing.T) {
	equal := [][]string{
		{"1", "1.0", "1e0", "10e-1", "0.1E+1", "100e-2"}, {"0", "-0", "0.0", "0e9", "-0.0e-5"},
		{"1e1000000000000000000000", "10e999999999999999999999"}, {"-12.5", "-125e-1"}, {"120", "12e1"},
	}
	for i, group := range equal {
		for _, number := range group {
			for j, other := range equal {
				if (decimal(number) == decimal(other[0])) != (i == j) {
					t.Errorf("%s and %s", number, other[0])
				}
			}
		}
	}
}

// naive applies a patch as its standard reads, to decoded values.
func naive(doc interface{}, operations []operation) (interface{}, bool) {
	for _, op := range operations {
		path, err := tokens(op.Path)
		if err != nil {
			return nil, false
		}
		var ok bool
		switch op.Op {
		case "add", "replace", "test":
			var value interface{}
			if value, ok = decoded(op.Value); !ok {
				return nil, false
			}
			if op.Op != "add" {
				var old interface{}
				if old, ok = at(doc, path); !ok || op.Op == "test" && !same(old, value) {
					return nil, false
				}
				if op.Op == "test" {
					continue
				}
				if len(path) == 0 {
					doc = value
					continue
				}
				if doc, _, ok = taken(doc, path); !ok {
					return nil, false
				}
			}
			doc, ok = put(doc, path, value)
		case "remove":
			doc, _, ok = taken(doc, path)
		case "move", "copy":
			from, err := tokens(op.From)
			if err != nil {
				return nil, false
			}
			value, found := at(doc, from)
			if !found {
				return nil, false
			}
			ok = true
			if op.Op == "move" && !(len(from) == 0 && len(path) == 0) {
				if strings.HasPrefix(*op.Path, *op.From+"/") {
					return nil, false
				}
				doc, _, ok = taken(doc, from)
			}
			if ok {
				text, _ := json.Marshal(value)
				value, _ = decoded(text)
				doc, ok = put(doc, path, value)
			}
		}
		if !ok {
			return nil, false
		}
	}
	return doc, true
}

func at(doc interface{}, path []string) (interface{}, bool) {
	for _, token := range path {
		switch c := doc.(type) {
		case map[string]interface{}:
			value, ok := c[token]
			if !ok {
				return nil, false
			}
			doc = value
		case []interface{}:
			i, err := index(token, len(c)-1)
			if err != nil {
				return nil, false
			}
			doc = c[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// changed gives doc with the container at the parent of path replaced by what change makes of it.
func changed(doc interface{}, path []string, change func(c interface{}, token string) (interface{}, bool)) (interface{}, bool) {
	if len(path) == 1 {
		return change(doc, path[0])
	}
	child, ok := at(doc, path[:1])
	if !ok {
		return nil, false
	}
	if child, ok = changed(child, path[1:], change); !ok {
		return nil, false
	}
	if c, ok := doc.(map[string]interface{}); ok {
		c[path[0]] = child
	} else {
		i, _ := index(path[0], len(doc.([]interface{}))-1)
		doc.([]interface{})[i] = child
	}
	return doc, true
}

func put(doc interface{}, path []string, value interface{}) (interface{}, bool) {
	if len(path) == 0 {
		return value, true
	}
	return changed(doc, path, func(c interface{}, token string) (interface{}, bool) {
		switch c := c.(type) {
		case map[string]interface{}:
			c[token] = value
			return c, true
		case []interface{}:
			i, err := len(c), error(nil)
			if token != "-" {
				i, err = index(token, len(c))
			}
			if err != nil {
				return nil, false
			}
			return append(c[:i:i], append([]interface{}{value}, c[i:]...)...), true
		}
		return nil, false
	})
}

func taken(doc interface{}, path []string) (left, value interface{}, ok bool) {
	if len(path) == 0 {
		return nil, nil, false
	}
	left, ok = changed(doc, path, func(c interface{}, token string) (interface{}, bool) {
		var found bool
		if value, found = at(c, []string{token}); !found {
			return nil, false
		}
		switch c := c.(type) {
		case map[string]interface{}:
			delete(c, token)
			return c, true
		case []interface{}:
			i, _ := index(token, len(c)-1)
			return append(c[:i:i], c[i+1:]...), true
		}
		return nil, false
	})
	return left, value, ok
}

// FuzzPatch holds the applier against the naive one: the same value, or an error from both.
func FuzzPatch(f *testing.F) {
	for _, patch := range []string{
		`[{"op":"remove","path":"/messages/1/content/1"},{"op":"add","path":"/messages/-","value":{"a":[1]}}]`,
		`[{"op":"move","from":"/messages/1/content","path":"/empty/0"},{"op":"remove","path":"/empty/0/2"}]`,
		`[{"op":"copy","from":"/messages/0","path":"/messages/1"},{"op":"replace","path":"/messages/0","value":1}]`,
		`[{"op":"test","path":"/messages/1/content","value":[1,200000,"é"]},{"op":"add","path":"/a~1b~0","value":{}}]`,
		`[{"op":"add","path":"","value":[1,2]},{"op":"move","from":"/0","path":"/1"},{"op":"copy","from":"","path":"/0"}]`,
		`[{"op":"replace","path":"","value":{}},{"op":"move","from":"","path":""},{"op":"add","path":"/x","value":3}]`,
	} {
		f.Add([]byte(sample), []byte(patch))
	}
	f.Add([]byte(`{"\u0061":1,"b":{"\"":[[]]}}`), []byte(`[{"op":"replace","path":"/a","value":2},{"op":"remove","path":"/b/\"/0"}]`))
	f.Fuzz(func(t *testing.T, doc, patch []byte) {
		var operations []operation
		if len(doc) > 1<<16 || len(patch) > 1<<12 || json.Unmarshal(patch, &operations) != nil || len(operations) > 64 {
			return
		}
		got, err := ApplyPatch(doc, patch)
		if !json.Valid(doc) || !utf8.Valid(doc) || !utf8.Valid(patch) || bytes.Contains(doc, []byte(`\u`)) && err != nil {
			return // only that it doesn't panic
		}
		value, _ := decoded(doc)
		want, ok := naive(value, operations)
		if err != nil {
			if ok && !strings.Contains(err.Error(), "occurs twice") {
				t.Fatalf("%v, where\n%s\nof\n%s gives %v", err, patch, doc, want)
			}
			return
		}
		if !json.Valid(got) {
			t.Fatalf("not JSON: %s", got)
		}
		if result, _ := decoded(got); !ok || !reflect.DeepEqual(result, want) {
			t.Fatalf("got  %s\nwant %v (%v)\nof %s\nby %s", got, want, ok, doc, patch)
		}
	})
}
