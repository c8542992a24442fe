module github.com/turnkeeper/turnkeeper/clients/go

go 1.23.0

require (
	github.com/tetratelabs/wazero v1.10.1
	github.com/turnkeeper/turnkeeper/clients/go/local v0.0.0
)

replace github.com/turnkeeper/turnkeeper/clients/go/local => ./local
