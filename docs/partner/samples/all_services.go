package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/url"
	"strings"

	"booking/partnerbooking"
)

type catalog struct {
	Services  []struct{ ID, Name string }
	Locations []struct{ ID, Name string }
}

func main() {
	names := map[string]string{}
	client := partnerbooking.FromEnvironment()
	err := client.Pages(context.Background(), "/catalog", url.Values{"limit": {"10"}}, func(data json.RawMessage) error {
		var page catalog
		if err := json.Unmarshal(data, &page); err != nil {
			return err
		}
		// Each page contains the locations of its services. Merge the locations of all pages by id.
		for _, location := range page.Locations {
			names[location.ID] = location.Name
		}
		for _, service := range page.Services {
			fmt.Println(service.ID, service.Name)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	all := []string{}
	for _, name := range names {
		all = append(all, name)
	}
	fmt.Println(strings.Join(all, ", "))
}
