// Makes the calls in cases.json, and prints the outcome of each as a line of JSON.
package main

import (
	"encoding/json"
	"errors"
	"log"
	"os"
)

type outcome struct {
	Name    string `json:"name"`
	Status  int    `json:"status"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func main() {
	os.Setenv("API_KEY", "pbk_test_secret")
	text, err := os.ReadFile("cases.json")
	if err != nil {
		log.Fatal(err)
	}
	var cases []struct{ Name, API, Method string }
	if err := json.Unmarshal(text, &cases); err != nil {
		log.Fatal(err)
	}
	for _, one := range cases {
		os.Setenv("API", one.API)
		var body any
		if one.Method == "POST" {
			body = map[string]int{"n": 1}
		}
		var data struct{ Word string }
		err := call(one.Method, "/things", body, "key-of-"+one.Name, &data)
		result := outcome{one.Name, 200, "ok", data.Word}
		var failed *PartnerError
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
