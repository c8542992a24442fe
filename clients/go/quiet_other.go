// SPDX-License-Identifier: Apache-2.0

//go:build !unix || solaris || aix

package turnkeeper

// quiet can't look without reading here. What the daemon closed is found out by the call, which is
// then sent again; an answer to another request is refused by its id.
func (c *conn) quiet() bool { return true }
