// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

func TestSplicesKeepTheBytesAround(t *testing.T) {
	for _, test := range []struct{ document, splices, want string }{
		{` [1 ,2] `, `[]`, ` [1 ,2] `},
		{` [1 ,2] `, `[[1,1,"7"]]`, ` [7 ,2] `},
		{` [1 ,2] `, `[[0,0,"\u00e9"],[6,0,"z"]]`, ` é[1 ,2]z `},
		{`["é"]`, `[[1,4,""],[5,0,"]"]]`, `[]]`},
		{`[]`, `[[0,1,"a"],[1,1,"b"]]`, `ab`},
	} {
		document := append(make(json.RawMessage, 0, 64), test.document...)
		var splices []Splice
		check(t, json.Unmarshal([]byte(test.splices), &splices))
		got, err := spliced(document, splices)
		if check(t, err); string(got) != test.want {
			t.Errorf("%s of %s gives %s", test.splices, test.document, got)
		}
		if string(document) != test.document || len(bytes.Trim(document[len(document):cap(document)], "\x00")) > 0 {
			t.Error("the argument was changed")
		}
	}
}

// Any changes of any document either fit, and then each byte of the outcome is accounted for, or are an error.
func FuzzSplices(f *testing.F) {
	f.Add([]byte(` {"a" : 1} `), []byte(`[[1,3,"x"],[8,1,""]]`))
	f.Add([]byte(`[]`), []byte(`[[9223372036854775807,1,""]]`))
	f.Add([]byte(`[]`), []byte(`[[1,9223372036854775807,""]]`))
	f.Fuzz(func(t *testing.T, document, changes []byte) {
		var splices []Splice
		if json.Unmarshal(changes, &splices) != nil {
			return
		}
		got, err := spliced(document, splices)
		if err != nil {
			if !errors.Is(err, ErrProtocol) {
				t.Fatal(err)
			}
			return
		}
		// Backwards, one at a time: the places before a change are still those of the document.
		want, start := string(document), skipSpace(document, 0)
		for i := len(splices) - 1; i >= 0; i-- {
			from := start + splices[i].Offset
			want = want[:from] + splices[i].Text + want[from+splices[i].Length:]
		}
		if string(got) != want {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}
