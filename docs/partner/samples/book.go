package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"net/url"
	"time"

	"booking/partnerbooking"
)

type booking struct {
	Reference string
	Version   int
	Status    string
	StartsAt  string `json:"starts_at"`
}

type bookingData struct{ Booking booking }

func newKey() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return hex.EncodeToString(bytes)
}

func must(err error) {
	var failed *partnerbooking.PartnerError
	if errors.As(err, &failed) && failed.Reason == "slot_taken" {
		log.Print("No longer free: offer other times.")
	}
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx, client := context.Background(), partnerbooking.FromEnvironment()
	var catalog struct {
		Services []struct {
			ID          string
			LocationIDs []string `json:"location_ids"`
		}
	}
	must(client.ListCatalog(ctx, url.Values{"limit": {"1"}}, &catalog))
	serviceID, locationID := catalog.Services[0].ID, catalog.Services[0].LocationIDs[0]

	day := func(ahead int) string { return time.Now().UTC().AddDate(0, 0, ahead).Format("2006-01-02") }
	query := url.Values{
		"service_id":  {serviceID},
		"location_id": {locationID},
		"date":        {day(2)},
		"date_to":     {day(12)},
	}
	var available struct {
		Slots []struct {
			Date      string
			StartTime string `json:"start_time"`
		}
	}
	must(client.ListAvailability(ctx, query, &available))
	slot := available.Slots[0]

	// Store the idempotency key with your order before the request, so that you can repeat the write after a crash.
	key := newKey()
	body := map[string]any{
		"service_id":         serviceID,
		"location_id":        locationID,
		"date":               slot.Date,
		"start_time":         slot.StartTime,
		"external_reference": "order-4715",
		"customer": map[string]any{
			"name": "Robin Sample", "phone": "+49 30 23125 234", "consent_to_contact": true,
		},
	}
	var created, repeated, cancelled bookingData
	must(client.CreateBooking(ctx, body, key, &created))
	fmt.Println("booked", created.Booking.Reference, created.Booking.StartsAt)

	must(client.CreateBooking(ctx, body, key, &repeated))
	fmt.Println("the same booking", repeated.Booking.Reference == created.Booking.Reference)

	change := map[string]any{"expected_version": created.Booking.Version, "reason": "customer_request"}
	must(client.CancelBooking(ctx, created.Booking.Reference, change, newKey(), &cancelled))
	fmt.Println(cancelled.Booking.Status)
}
