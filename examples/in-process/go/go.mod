module github.com/turnkeeper/turnkeeper/examples/in-process

go 1.23.0

require (
	github.com/turnkeeper/turnkeeper/clients/go v0.0.0
	github.com/turnkeeper/turnkeeper/clients/go/local v0.0.0
)

require github.com/tetratelabs/wazero v1.10.1 // indirect

replace (
	github.com/turnkeeper/turnkeeper/clients/go => ../../../clients/go
	github.com/turnkeeper/turnkeeper/clients/go/local => ../../../clients/go/local
)
