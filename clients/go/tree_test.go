// SPDX-License-Identifier: Apache-2.0

package turnkeeper

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Checks of the module in the project's tree.

// projectsVersion is Version as the project's file VERSION and the daemon write it.
func projectsVersion() string {
	return strings.Replace(Version, "-dev.0", "~dev", 1)
}

func TestVersionsAreTheProjects(t *testing.T) {
	theirs, err := os.ReadFile(inTree(t, "VERSION"))
	check(t, err)
	if ours := fmt.Sprintf("%s\nprotocol %d\n", projectsVersion(), Protocol); ours != string(theirs) {
		t.Fatalf("VERSION says %q, this package %q", theirs, ours)
	}
}

func TestLicenceIsTheProjects(t *testing.T) {
	theirs, err := os.ReadFile(inTree(t, "LICENSE"))
	check(t, err)
	ours, err := os.ReadFile("LICENSE")
	check(t, err)
	if string(ours) != string(theirs) {
		t.Fatal("LICENSE differs")
	}
}

func TestNoDependency(t *testing.T) {
	for _, line := range lines(t, "go.mod") {
		if strings.Contains(line, "require") {
			t.Fatal(line)
		}
	}
	if _, err := os.Stat("go.sum"); err == nil {
		t.Fatal("there is a go.sum")
	}
}

func TestEveryFileNamesItsLicence(t *testing.T) {
	files, err := filepath.Glob("*.go")
	check(t, err)
	for _, file := range files {
		if all := lines(t, file); all[0] != "// SPDX-License-Identifier: Apache-2.0" {
			t.Errorf("%s begins with %q", file, all[0])
		}
	}
}
