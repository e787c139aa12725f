// Uses the Go module as a partner does. Every language prints the same lines.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	partnerbooking "example.com/partner-booking-api/clients/go"
)

type slot struct {
	Date      string `json:"date"`
	StartTime string `json:"start_time"`
}

type booking struct {
	Reference, Status, Date string
	Version                 int
}

type bookingData struct{ Booking booking }

var (
	ctx    = context.Background()
	client = partnerbooking.FromEnvironment()
)

func newKey() string {
	bytes := make([]byte, 16)
	must(rand.Read(bytes))
	return hex.EncodeToString(bytes)
}

func must(_ int, err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func check(err error) { must(0, err) }

func refusal(err error) string {
	var failed *partnerbooking.PartnerError
	if !errors.As(err, &failed) {
		return "accepted"
	}
	return strings.TrimSpace(fmt.Sprint(failed.Status, " ", failed.Code, " ", failed.Reason))
}

func day(ahead int) string { return time.Now().UTC().AddDate(0, 0, ahead).Format("2006-01-02") }

func main() {
	var me struct{ Environment string }
	check(client.ReadMe(ctx, &me))
	fmt.Println("me", me.Environment)
	var catalog struct {
		Services []struct {
			ID          string
			LocationIDs []string `json:"location_ids"`
		}
	}
	check(client.ListCatalog(ctx, url.Values{"limit": {"1"}}, &catalog))
	serviceID, locationID := catalog.Services[0].ID, catalog.Services[0].LocationIDs[0]
	var next struct {
		Combinations []struct {
			NextSlot *slot `json:"next_slot"`
		}
	}
	check(client.ListAvailabilityDays(ctx, url.Values{"service_ids": {serviceID}, "date": {day(2)}, "next": {"true"}}, &next))
	fmt.Println("next", next.Combinations[0].NextSlot != nil)
	var available struct{ Slots []slot }
	query := url.Values{"service_id": {serviceID}, "location_id": {locationID}, "date": {day(2)}, "date_to": {day(12)}}
	check(client.ListAvailability(ctx, query, &available))
	slots := available.Slots
	bodyOf := func(at slot, reference string) any {
		return map[string]any{
			"service_id": serviceID, "location_id": locationID, "date": at.Date, "start_time": at.StartTime,
			"external_reference": reference,
			"customer":           map[string]any{"name": "Robin Sample", "phone": "+49 30 23125 234", "consent_to_contact": true},
		}
	}

	key := newKey()
	var created, again, lost, moved, cancelled bookingData
	check(client.CreateBooking(ctx, bodyOf(slots[0], "test:429"), key, &created))
	fmt.Println("created", created.Booking.Status, created.Booking.Version)
	check(client.CreateBooking(ctx, bodyOf(slots[0], "test:429"), key, &again))
	fmt.Println("repeated", again.Booking.Reference == created.Booking.Reference)
	check(client.CreateBooking(ctx, bodyOf(slots[1], "test:lost_response"), newKey(), &lost))
	fmt.Println("lost", lost.Booking.Status)
	fmt.Println("taken", refusal(client.CreateBooking(ctx, bodyOf(slots[0], "order-1"), newKey(), nil)))
	reference := created.Booking.Reference
	move := map[string]any{"expected_version": 1, "date": slots[2].Date, "start_time": slots[2].StartTime}
	check(client.RescheduleBooking(ctx, reference, move, newKey(), &moved))
	fmt.Println("moved", moved.Booking.Version)
	change := func(version int) any {
		return map[string]any{"expected_version": version, "reason": "customer_request"}
	}
	fmt.Println("conflict", refusal(client.CancelBooking(ctx, reference, change(1), newKey(), nil)))
	check(client.CancelBooking(ctx, reference, change(2), newKey(), &cancelled))
	fmt.Println("cancelled", cancelled.Booking.Version)
	elsewhere := &partnerbooking.Client{BaseURL: os.Getenv("MOVED"), APIKey: os.Getenv("API_KEY")}
	fmt.Println("redirect", refusal(elsewhere.ReadMe(ctx, nil)))

	dates := url.Values{"from": {day(2)}, "to": {day(12)}}
	var listed struct{ Bookings []booking }
	var digest struct{ Days []struct{ Date, Hash string } }
	check(client.ListBookings(ctx, dates, &listed))
	check(client.DigestBookings(ctx, dates, &digest))
	same := true
	for _, one := range digest.Days {
		own := []partnerbooking.Kept{}
		for _, kept := range listed.Bookings {
			if kept.Date == one.Date {
				own = append(own, partnerbooking.Kept{Reference: kept.Reference, Version: kept.Version})
			}
		}
		same = same && partnerbooking.DayHash(own) == one.Hash
	}
	fmt.Println("digest", len(listed.Bookings), same)
	var page struct{ Events []json.RawMessage }
	check(client.ListEvents(ctx, url.Values{"after": {"0"}}, &page))
	fmt.Println("events", len(page.Events))

	text, err := os.ReadFile(os.Args[1])
	check(err)
	var vectors []struct {
		Secrets []string
		Headers map[string]string
		Body    string
		Now     int64
	}
	check(json.Unmarshal(text, &vectors))
	vector, header := vectors[0], http.Header{}
	for name, value := range vector.Headers {
		header.Set(name, value)
	}
	verify := func(body string) bool {
		return partnerbooking.VerifyWebhook(vector.Secrets, header, []byte(body), time.Unix(vector.Now, 0))
	}
	fmt.Println("webhook", verify(vector.Body), verify(vector.Body+" "))
}
