// Runs the samples in Go: the booking, the test vectors, a call with a refused key, requests that cannot be sent, and a
// list with several pages. The test renames the `main` functions of the samples.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"booking/partnerbooking"
)

type vector struct {
	Secrets []string
	Headers map[string]string
	Body    string
	Now     int64
}

func vectorsOf(file string) (vectors []vector) {
	text, err := os.ReadFile(file)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.Unmarshal(text, &vectors); err != nil {
		log.Fatal(err)
	}
	return vectors
}

func (one vector) verify() bool {
	header := http.Header{}
	for name, value := range one.Headers {
		header.Set(name, value)
	}
	return partnerbooking.VerifyWebhook(one.Secrets, header, []byte(one.Body), time.Unix(one.Now, 0))
}

// outcome returns the result of verify, or the text of its panic.
func (one vector) outcome() (result any) {
	defer func() {
		if refused := recover(); refused != nil {
			result = refused
		}
	}()
	return one.verify()
}

// call makes a call to a base URL.
func call(api, method, path string, body any, idempotencyKey string) error {
	client := &partnerbooking.Client{BaseURL: api, APIKey: os.Getenv("API_KEY") + "\n"}
	return client.Call(context.Background(), method, path, body, idempotencyKey, nil)
}

func main() {
	book()
	results := []bool{}
	for _, one := range vectorsOf(os.Args[1]) {
		results = append(results, one.verify())
	}
	encoded, _ := json.Marshal(results)
	fmt.Println("verified", string(encoded))

	outcomes := []any{}
	for _, one := range vectorsOf("forged.json") {
		outcomes = append(outcomes, one.outcome())
	}
	encoded, _ = json.Marshal(outcomes)
	fmt.Println("forged", string(encoded))

	ctx, api, client := context.Background(), os.Getenv("API"), partnerbooking.FromEnvironment()
	var failed *partnerbooking.PartnerError
	if errors.As(client.ListCatalog(ctx, url.Values{"limit": {"0"}, "color": {"red"}}, nil), &failed) {
		paths := []string{}
		for _, field := range failed.Fields {
			paths = append(paths, field.Path)
		}
		fmt.Println("invalid", strings.Join(paths, ","), failed)
	}

	other := &partnerbooking.Client{BaseURL: api, APIKey: "pbk_live_refused"}
	if errors.As(other.ListCatalog(ctx, nil, nil), &failed) {
		fmt.Println("refused", failed.Status, failed.Code, failed.Reason)
	}

	kinds := map[string]bool{}
	for _, err := range []error{
		call(api, "GET", "/a path", nil, ""),
		call(api, "GET", "/caf\u00e9", nil, ""),
		call(api, "POST", "/bookings", struct{}{}, ""),
		call(api, "POST", "/bookings", struct{}{}, "a key\r\nof two lines"),
		call(api, "POST", "/bookings", math.NaN(), "a-key-of-one-line"),
		call("httpx://127.0.0.1", "GET", "/catalog", nil, ""),
		call("http:///v1", "GET", "/catalog", nil, ""),
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

	err := client.Pages(ctx, "/catalog", url.Values{"limit": {"1"}}, func(data json.RawMessage) error {
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
