module github.com/turnkeeper/turnkeeper/clients/go

go 1.19
