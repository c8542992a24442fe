// SPDX-License-Identifier: Apache-2.0

//go:build unix

package local

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Benchmarks of the back end. tests/clients/bench_go.py sets them against the library's own figures for the same requests:
//
//	TK_BENCH_REQUESTS=a.json:b.json go test -run '^$' -bench .

// BenchmarkCall makes the calls of whole requests, each in a file that TK_BENCH_REQUESTS names.
func BenchmarkCall(b *testing.B) {
	named := os.Getenv("TK_BENCH_REQUESTS")
	if named == "" {
		b.Skip("TK_BENCH_REQUESTS names no files")
	}
	c := keeper()
	for _, path := range strings.Split(named, ":") {
		text, err := os.ReadFile(path)
		check(b, err)
		var request struct {
			Method string
			Params json.RawMessage
		}
		check(b, json.Unmarshal(text, &request))
		b.Run(filepath.Base(path), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			b.ResetTimer()
			before := processorTime()
			for n := 0; n < b.N; n++ {
				_, err := c.Call(context.Background(), request.Method, request.Params)
				check(b, err)
			}
			b.ReportMetric(float64((processorTime()-before).Nanoseconds())/float64(b.N), "cpu-ns/op")
		})
	}
}

// processorTime is what this process has used, which other load of the machine doesn't lengthen.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// firstCall is what the first call of a process costs.
func firstCall(b *testing.B, folder func() string) {
	for n := 0; n < b.N; n++ {
		b.StopTimer()
		there := folder()
		codes.Lock()
		delete(codes.of, there) // as in a new process
		codes.Unlock()
		b.StartTimer()
		check(b, keeper(WithCacheDir(there)).Ping(context.Background()))
	}
}

func BenchmarkFirstCall(b *testing.B) { firstCall(b, b.TempDir) }

func BenchmarkFirstCallCached(b *testing.B) {
	folder := b.TempDir()
	check(b, keeper(WithCacheDir(folder)).Ping(context.Background()))
	b.ResetTimer()
	firstCall(b, func() string { return folder })
}

// BenchmarkInstance is what a connection more costs.
func BenchmarkInstance(b *testing.B) {
	e := &backend{settings: settings{limits: Limits{MaxFrame: defaultFrame}, folder: userFolder()}}
	for n := 0; n < b.N; n++ {
		c, err := e.Connect(context.Background())
		check(b, err)
		check(b, c.Close())
	}
}
