// SPDX-License-Identifier: Apache-2.0

//go:build go1.23

package turnkeeper_test

import (
	"context"
	"fmt"
	"os"

	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
)

// Parts of a stream, each as soon as it may leave; calls and their results only together.
func ExampleStream_All() {
	client := turnkeeper.New()
	ctx := context.Background()
	stream, err := client.Stream(ctx, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for part, err := range stream.All(ctx, os.Stdin) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(part.Type)
	}
	turn, _ := stream.Turn()
	fmt.Printf("store this: %s\n", turn.Message)
}
