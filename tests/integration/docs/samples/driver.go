// Runs the samples in Go: the booking, the test vectors, and a call with a refused key. The test renames the function
// main of book.go to book.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	book()
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var vectors []struct {
		Secrets []string
		Headers map[string]string
		Body    string
		Now     int64
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		log.Fatal(err)
	}
	results := []bool{}
	for _, one := range vectors {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		results = append(results, verifyWebhook(one.Secrets, header, []byte(one.Body), time.Unix(one.Now, 0)))
	}
	encoded, _ := json.Marshal(results)
	fmt.Println("verified", string(encoded))

	os.Setenv("API_KEY", "pbk_live_refused")
	var failed *PartnerError
	if errors.As(call("GET", "/catalog", nil, "", nil), &failed) {
		fmt.Println("refused", failed.Status, failed.Code, failed.Reason)
	}
}
