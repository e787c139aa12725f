// Makes the calls in cases.json, and prints the outcome of each as a line of JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"time"

	"booking/partnerbooking"
)

type outcome struct {
	Name    string `json:"name"`
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func main() {
	text, err := os.ReadFile("cases.json")
	if err != nil {
		log.Fatal(err)
	}
	var cases []struct {
		Name, API, Method string
		Seconds           int
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		log.Fatal(err)
	}
	for _, one := range cases {
		limit := time.Duration(one.Seconds) * time.Second
		client := &partnerbooking.Client{BaseURL: one.API, APIKey: "pbk_test_secret", MaxDuration: limit}
		var body any
		if one.Method == "POST" {
			body = map[string]int{"n": 1}
		}
		var data struct{ Word string }
		err := client.Call(context.Background(), one.Method, "/things", body, "key-of-"+one.Name, &data)
		result := outcome{one.Name, 200, "ok", data.Word}
		var failed *partnerbooking.PartnerError
		if errors.As(err, &failed) {
			result = outcome{one.Name, failed.Status, failed.Code, failed.Error()}
		} else if err != nil {
			log.Fatal(err)
		}
		if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
			log.Fatal(err)
		}
	}
}
