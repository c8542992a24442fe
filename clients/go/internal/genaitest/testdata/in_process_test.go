// SPDX-License-Identifier: Apache-2.0

package genaitest

import (
	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
	"github.com/turnkeeper/turnkeeper/clients/go/local"
)

// A run with this file asks no daemon; tests/clients/test_go.py lays it over the folder above.
func init() {
	inProcess = func() turnkeeper.Option { return local.Backend() }
}
