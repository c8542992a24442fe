// SPDX-License-Identifier: Apache-2.0
package main

import (
	"context"
	"fmt"
	"os"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
	"github.com/turnkeeper/turnkeeper/clients/go/local"
)

func main() {
	history, err := os.ReadFile("../chat.json")
	if err != nil {
		panic(err)
	}
	keeper := turnkeeper.New(local.Backend())
	fixed, err := keeper.Repair(context.Background(), history, nil) // `history` stays as it is: store that
	if err != nil {
		panic(err)
	}
	fmt.Println(fixed.Edits[0].Action, fixed.Edits[0].Pointer)
	fmt.Printf("%s\n", fixed.Document) // send this
}
