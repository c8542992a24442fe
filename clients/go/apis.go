// SPDX-License-Identifier: Apache-2.0

package turnkeeper

// An api is what this package has to know of one whose histories the daemon judges. A provider that has no row in apis
// is of a newer daemon: its name and its rules are the daemon's, and its list is taken to be "messages".
type api struct {
	name     string // of the parameter Provider
	list     string // the member of a whole body that holds the history
	refusal  string // whose form the refusals have: "anthropic", "openai", "google" or "aws"
	prepares bool   // the daemon serves Prepare, Seal and streams for it; else Repair alone
	servers  bool   // a target may name a server that copies the API
}

// apiOf gives a row of apis; nil if there is none of that name.
func apiOf(name string) *api {
	for _, of := range apis {
		if of.name == name {
			return of
		}
	}
	return nil
}

var messagesAPI = apiOf("anthropic")
