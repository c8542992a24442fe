module github.com/turnkeeper/turnkeeper/clients/go/local

go 1.23.0

require (
	github.com/tetratelabs/wazero v1.10.1
	github.com/turnkeeper/turnkeeper/clients/go v0.0.0
)

replace github.com/turnkeeper/turnkeeper/clients/go => ..
