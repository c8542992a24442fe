module github.com/turnkeeper/turnkeeper/examples/go

go 1.19

require github.com/turnkeeper/turnkeeper/clients/go v0.0.0

replace github.com/turnkeeper/turnkeeper/clients/go => ../../clients/go
