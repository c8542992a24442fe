// SPDX-License-Identifier: Apache-2.0

//go:build local

package turnkeeper_test

// Runs the tests of this package with the back end of the folder local. This module doesn't know that one, so
//
//	go test -tags local -modfile local/tests.mod .
import (
	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
	"github.com/turnkeeper/turnkeeper/clients/go/local"
)

func init() { turnkeeper.InProcess = func() turnkeeper.Option { return local.Backend() } }
