package main

import (
	"crypto/sha256"
	"fmt"
	"sort"
	"strings"
)

type kept struct {
	Reference string
	Version   int
}

// dayHash returns the hash of the bookings of one day, in any order.
func dayHash(bookings []kept) string {
	lines := []string{}
	for _, one := range bookings {
		lines = append(lines, fmt.Sprintf("%s:%d\n", one.Reference, one.Version))
	}
	sort.Strings(lines)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, ""))))
}
