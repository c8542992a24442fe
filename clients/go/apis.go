// SPDX-License-Identifier: Apache-2.0

package turnkeeper

// An api is what this package has to know of one whose histories the daemon judges. A provider that has no row here
// is of a newer daemon: its name and its rules are the daemon's, and its list is taken to be "messages".
type api struct {
	name     string // of the parameter Provider
	list     string // the member of a whole body that holds the history (PROVIDERS.md 1.1)
	prepares bool   // the daemon serves Prepare, Seal and streams for it; else Repair alone
	openai   bool   // refusals have the form of OpenAI's; else Anthropic's
}

var (
	messagesAPI  = &api{name: "anthropic", list: "messages", prepares: true}
	chatAPI      = &api{name: "openai-chat", list: "messages", openai: true}
	responsesAPI = &api{name: "openai-responses", list: "input", openai: true}
)

// listOf gives the member that holds the history in bodies of a provider, "": of the default one. Patches for
// a list alone are about a body with this one member.
func listOf(name string) string {
	for _, a := range []*api{messagesAPI, chatAPI, responsesAPI} {
		if a.name == name {
			return a.list
		}
	}
	return messagesAPI.list
}
