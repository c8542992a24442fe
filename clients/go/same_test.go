// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
)

func decoded(text []byte) (value interface{}, ok bool) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return value, decoder.Decode(&value) == nil
}

func same(a, b interface{}) bool {
	switch x := a.(type) {
	case []interface{}:
		y, ok := b.([]interface{})
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !same(x[i], y[i]) {
				return false
			}
		}
		return true
	case map[string]interface{}:
		y, ok := b.(map[string]interface{})
		if !ok || len(x) != len(y) {
			return false
		}
		for name := range x {
			if other, ok := y[name]; !ok || !same(x[name], other) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := b.(json.Number)
		return ok && decimal(string(x)) == decimal(string(y))
	}
	return a == b
}

// decimal spells a number in one way only, sign, digits and exponent: 0.0120e5 is +12e2. It never
// computes the number, which may have a billion digits.
func decimal(number string) string {
	sign := "+"
	if strings.HasPrefix(number, "-") {
		sign, number = "-", number[1:]
	}
	exponent := new(big.Int)
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		exponent.SetString(number[i+1:], 10)
		number = number[:i]
	}
	if i := strings.IndexByte(number, '.'); i >= 0 {
		exponent.Sub(exponent, big.NewInt(int64(len(number)-i-1)))
		number = number[:i] + number[i+1:]
	}
	digits := strings.TrimRight(number, "0")
	exponent.Add(exponent, big.NewInt(int64(len(number)-len(digits))))
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return "0"
	}
	return sign + digits + "e" + exponent.String()
}
