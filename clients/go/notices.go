// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"errors"
	"log"
	"net/http"
	"sync"
)

// notices are what a Transport says in a log: once for each change, not once for each request.
type notices struct {
	mutex  sync.Mutex
	down   Name // why the daemon can't be reached; "" while it can
	other  bool // a body in another format was told of
	amazon bool // a stream in Amazon's framing was told of
	full   bool // a folder with as many missed requests as it may hold was told of
}

// changed takes down the state of the daemon and tells whether that is news.
func (n *notices) changed(down Name) bool {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	news := n.down != down
	n.down = down
	return news
}

// first tells whether what was told of, one of the notices' own flags, is told for the first time.
func (n *notices) first(told *bool) bool {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	news := !*told
	*told = true
	return news
}

func (t *Transport) logf(format string, args ...interface{}) {
	if t.ErrorLog != nil {
		t.ErrorLog.Printf(format, args...)
	} else {
		log.Printf(format, args...)
	}
}

// notice logs when the daemon can't be reached any more, and when it answers again. err is how a call
// ended.
func (t *Transport) notice(req *http.Request, err error) {
	var fault *LocalError
	switch {
	case !errors.As(err, &fault):
		if t.told.changed("") {
			t.logf("turnkeeper: the daemon answers again (%s)", t.client.where())
		}
	case unreached[fault.Name] && req.Context().Err() == nil && t.told.changed(fault.Name):
		outcome := "requests to the provider fail"
		if t.down == FailOpen {
			outcome = "requests to the provider pass without a check"
		}
		t.logf("%v; %s until the daemon answers", err, outcome)
	}
}

// noticeFormat logs the first body that isn't in the provider's format; what is "request to" or "response
// of". Such bodies pass as they are: it is for the provider to refuse them.
func (t *Transport) noticeFormat(what string, req *http.Request, mismatch *DialectMismatchError) {
	if !t.told.first(&t.told.other) {
		return
	}
	looks := mismatch.LooksLike
	if looks == "" {
		looks = "none that is known"
	}
	t.logf("turnkeeper: a %s %s passes without a check: it is not in the provider's format but %s (%s); "+
		"this is said once", what, req.URL.Path, looks, mismatch.Remote.Pointer)
}

// noticeBinary logs the first stream that has Amazon's framing, which the daemon doesn't read.
func (t *Transport) noticeBinary(res *http.Response) {
	binary := mediaType(res.Header) == "application/vnd.amazon.eventstream"
	if binary && !t.LeaveStreams && t.told.first(&t.told.amazon) {
		t.logf("turnkeeper: Bedrock's event streams pass as they come, neither paired nor sealed; " +
			"requests are repaired; this is said once")
	}
}
