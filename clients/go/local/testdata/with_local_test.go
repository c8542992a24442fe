// SPDX-License-Identifier: Apache-2.0

package turnkeeper_test

// Runs the tests of the client with the back end of the folder local. The client's module doesn't know that one, and
// `go mod tidy` of a user would look for whatever its tests import: so this file is laid over its folder.
//
//	go test -overlay local/tests.json -modfile local/tests.mod .
import (
	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
	"github.com/turnkeeper/turnkeeper/clients/go/local"
)

func init() { turnkeeper.InProcess = func() turnkeeper.Option { return local.Backend() } }
