package partnerbooking

import (
	"crypto/sha256"
	"fmt"
	"sort"
	"strings"
)

// Kept is a booking as you store it.
type Kept struct {
	Reference string
	Version   int
}

// DayHash returns the hash of the bookings of one day, in any order.
func DayHash(bookings []Kept) string {
	lines := []string{}
	for _, one := range bookings {
		lines = append(lines, fmt.Sprintf("%s:%d\n", one.Reference, one.Version))
	}
	sort.Strings(lines)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, ""))))
}
