// Runs the samples in Go: the booking, the test vectors, a call with a refused key, requests that cannot be sent, and a
// list with several pages. The test renames the functions main of the samples.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"net/http"
	"net/url"
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

	valid := os.Getenv("API_KEY")
	os.Setenv("API_KEY", "pbk_live_refused")
	var failed *PartnerError
	if errors.As(call("GET", "/catalog", nil, "", nil), &failed) {
		fmt.Println("refused", failed.Status, failed.Code, failed.Reason)
	}

	os.Setenv("API_KEY", valid+"\n")
	kinds := map[string]bool{}
	for _, err := range []error{
		call("GET", "/a path", nil, "", nil),
		call("GET", "/caf\u00e9", nil, "", nil),
		call("POST", "/bookings", struct{}{}, "", nil),
		call("POST", "/bookings", struct{}{}, "a key\r\nof two lines", nil),
		call("POST", "/bookings", math.NaN(), "a-key-of-one-line", nil),
	} {
		if err == nil || errors.As(err, &failed) {
			kinds[fmt.Sprint(err)] = true
		} else {
			kinds["not sent"] = true
		}
	}
	for kind := range kinds {
		fmt.Println(kind)
	}

	err = pages("/catalog", url.Values{"limit": {"1"}}, func(data json.RawMessage) error {
		var page catalog
		err := json.Unmarshal(data, &page)
		for _, service := range page.Services {
			fmt.Println(service.ID)
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	allServices()
}
