// SPDX-License-Identifier: Apache-2.0

package turnkeeper

// An api is what this package has to know of one whose histories the daemon judges. A provider that has no row here
// is of a newer daemon: its name and its rules are the daemon's, and its list is taken to be "messages".
type api struct {
	name     string // of the parameter Provider
	prepares bool   // the daemon serves Prepare, Seal and streams for it; else Repair alone
	openai   bool   // refusals have the form of OpenAI's; else Anthropic's
}

var (
	messagesAPI  = &api{name: "anthropic", prepares: true}
	chatAPI      = &api{name: "openai-chat", openai: true}
	responsesAPI = &api{name: "openai-responses", openai: true}
)
