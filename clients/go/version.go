// SPDX-License-Identifier: Apache-2.0

package turnkeeper

// Version is that of the project, which daemon and clients share. A test compares both constants with
// its file VERSION, which writes 0.2.0~dev for 0.2.0-dev.0.
const Version = "0.2.0-dev.0"

// Protocol is the version of the wire protocol that this package speaks; see [Client.CheckProtocol].
const Protocol = 1
