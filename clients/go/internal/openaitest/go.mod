module github.com/turnkeeper/turnkeeper/clients/go/internal/openaitest

go 1.26.0

require (
	github.com/openai/openai-go/v3 v3.96.0
	github.com/turnkeeper/turnkeeper/clients/go v0.0.0
)

require (
	github.com/Azure/azure-sdk-for-go/sdk/azcore v1.23.3 // indirect
	github.com/Azure/azure-sdk-for-go/sdk/internal v1.13.0 // indirect
	github.com/coder/websocket v1.8.15 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)

replace github.com/turnkeeper/turnkeeper/clients/go => ../..
