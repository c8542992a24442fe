// SPDX-License-Identifier: Apache-2.0

//go:build unix && !solaris && !aix

package turnkeeper

import "syscall"

// quiet tells whether an idle connection is still open and has nothing left to say. A byte that
// nobody asked for, or the end, means that it must not be used again.
func (c *conn) quiet() bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	quiet := false
	err = raw.Control(func(fd uintptr) {
		var one [1]byte
		for {
			_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
			if err != syscall.EINTR {
				quiet = err == syscall.EAGAIN
				return
			}
		}
	})
	return err == nil && quiet
}
