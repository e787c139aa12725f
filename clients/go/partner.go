// Package partnerbooking is a client of the Partner Booking API for Go 1.19 or newer, standard library only.
package partnerbooking

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Client calls the API with the key of one application. MaxDuration limits a call, including its repetitions and waits.
type Client struct {
	BaseURL     string
	APIKey      string
	MaxDuration time.Duration
}

// FromEnvironment returns a client with the base URL and the key of the environment variables API and API_KEY.
func FromEnvironment() *Client {
	return &Client{BaseURL: os.Getenv("API"), APIKey: os.Getenv("API_KEY"), MaxDuration: time.Minute}
}

// PartnerError is a failed call. Branch on Code and Reason; log RequestID. Status 0: there was no complete response.
// Codes of this client: unknown (a response that is not from the API), redirected, and without a complete response
// connection_refused, name_not_found, tls_failed, or else no_response.
type PartnerError struct {
	Status     int
	Code       string
	Reason     string
	Message    string
	RequestID  string
	RetryAfter time.Duration
	Fields     []InvalidField
}

// InvalidField is a field that the API refused.
type InvalidField struct{ Path, Message string }

func (e *PartnerError) Error() string {
	text := fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message)
	if len(e.Fields) == 0 {
		return text
	}
	named := []string{}
	for _, field := range e.Fields {
		named = append(named, field.Path+": "+field.Message)
	}
	return text + " (" + strings.Join(named, "; ") + ")"
}

// sendable is what a URL and a value of a header may contain.
var sendable = regexp.MustCompile(`^[!-~]+$`)

var httpURL = regexp.MustCompile(`^https?://[^/?#]`)

// requestOf returns a request, or an error if it cannot be sent, because a retry would not help.
func (c *Client) requestOf(
	ctx context.Context, method, path string, body []byte, idempotencyKey string,
) (*http.Request, error) {
	target, key := c.BaseURL+path, strings.TrimSpace(c.APIKey)
	if !httpURL.MatchString(target) || !sendable.MatchString(target) {
		return nil, errors.New("the base URL must start with http:// or https://, and the path must be percent-encoded")
	}
	if !sendable.MatchString(key) {
		return nil, errors.New("the key is empty or has characters that a header must not have")
	}
	request, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+key)
	if body != nil {
		if !sendable.MatchString(idempotencyKey) {
			return nil, errors.New("a write needs an idempotency key of printable ASCII characters")
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	return request, nil
}

// send sends a request once. It decodes the data of a success into data.
func (c *Client) send(ctx context.Context, method, path string, body []byte, idempotencyKey string, data any) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	request, err := c.requestOf(ctx, method, path, body, idempotencyKey)
	if err != nil {
		return err
	}
	// RoundTrip follows no redirect: it could turn a write into a read, and send the key to another host.
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return noResponse(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return noResponse(err)
	}
	if response.StatusCode >= 300 {
		return errorOf(response, text)
	}
	envelope := envelope{}
	if json.Unmarshal(text, &envelope) != nil || !envelope.isOurs() || !bytes.HasPrefix(envelope.Data, []byte("{")) {
		return errorOf(response, nil)
	}
	if data == nil {
		return nil
	}
	return json.Unmarshal(envelope.Data, data)
}

// envelope is a body of the API.
type envelope struct {
	Data  json.RawMessage
	Error struct {
		Code, Reason, Message string
		Fields                []InvalidField
	}
	Meta struct {
		RequestID string `json:"request_id"`
	}
}

// isOurs states whether a body is from the API, and not for example from a proxy. Every body of the API has a request id.
func (e envelope) isOurs() bool { return strings.HasPrefix(e.Meta.RequestID, "req_") }

// codeFormat matches the codes of the API.
var codeFormat = regexp.MustCompile(`^[a-z_]+$`)

var digits = regexp.MustCompile(`^[0-9]+$`)

// noResponse returns the error of a request without a complete response. Its message states the cause.
func noResponse(err error) error {
	var name *net.DNSError
	var timeout net.Error
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return &PartnerError{Code: "connection_refused", Message: "The connection was refused: check the base URL."}
	case errors.As(err, &name) && name.IsNotFound:
		return &PartnerError{Code: "name_not_found", Message: "The host name was not found: check the base URL."}
	case isTLS(err):
		message := "The TLS connection failed: check the base URL and the certificate."
		return &PartnerError{Code: "tls_failed", Message: message}
	case errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout():
		return &PartnerError{Code: "no_response", Message: "There was no complete response in time."}
	}
	return &PartnerError{Code: "no_response", Message: "There was no complete response: " + err.Error()}
}

// isTLS states whether the TLS handshake failed for a reason that a retry does not change.
func isTLS(err error) bool {
	var record tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var certificate x509.CertificateInvalidError
	return errors.As(err, &record) || errors.As(err, &authority) || errors.As(err, &host) ||
		errors.As(err, &certificate) || strings.Contains(err.Error(), "remote error: tls")
}

func errorOf(response *http.Response, text []byte) error {
	envelope := envelope{}
	status := response.StatusCode
	if status >= 300 && status < 400 {
		return &PartnerError{Status: status, Code: "redirected", Message: "The API never redirects: check the base URL."}
	}
	// A proxy may respond with something other than an error of the API.
	err := json.Unmarshal(text, &envelope)
	if err != nil || !envelope.isOurs() || !codeFormat.MatchString(envelope.Error.Code) || envelope.Error.Fields == nil {
		envelope.Error.Code, envelope.Error.Reason, envelope.Error.Fields = "unknown", "", nil
		envelope.Error.Message = fmt.Sprintf("The response is not from the API (status %d): check the base URL.", status)
	}
	// The API sends seconds. A date from a proxy counts as no value.
	seconds := 0
	if value := response.Header.Get("Retry-After"); digits.MatchString(value) {
		seconds, _ = strconv.Atoi(value)
		if seconds > 1_000_000 { // More would overflow a duration.
			seconds = 1_000_000
		}
	}
	return &PartnerError{
		Status:     status,
		Code:       envelope.Error.Code,
		Reason:     envelope.Error.Reason,
		Message:    envelope.Error.Message,
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: time.Duration(seconds) * time.Second,
		Fields:     envelope.Error.Fields,
	}
}

// region retry

const maxAttempts = 6

// uncertain: after a failure with one of these codes or a 5xx, the outcome of a write is uncertain.
var uncertain = map[string]bool{"no_response": true, "connection_refused": true, "unknown": true}

// Before Go 1.20, the same random numbers would follow in every process.
var random = rand.New(rand.NewSource(time.Now().UnixNano()))
var randomLock sync.Mutex

func jitter(most time.Duration) time.Duration {
	randomLock.Lock()
	defer randomLock.Unlock()
	return time.Duration(random.Int63n(int64(most)))
}

// Call repeats a request unchanged after a temporary failure, for at most MaxDuration and until ctx ends. It decodes the
// data of the response into data.
func (c *Client) Call(ctx context.Context, method, path string, body any, idempotencyKey string, data any) error {
	var encoded []byte
	if body != nil {
		var err error
		if encoded, err = json.Marshal(body); err != nil {
			return err
		}
	}
	limit := c.MaxDuration
	if limit <= 0 {
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	deadline, _ := ctx.Deadline()
	for attempt := 1; ; attempt++ {
		err := c.send(ctx, method, path, encoded, idempotencyKey, data)
		var failed *PartnerError
		if !errors.As(err, &failed) {
			return err
		}
		// An invalid key stays invalid: a retry would only count as another failed authentication.
		retry := (uncertain[failed.Code] || failed.Status == 429 || failed.Status >= 500) &&
			failed.Reason != "failed_authentication"
		most := maxAttempts
		if failed.Code == "connection_refused" {
			most = 3
		}
		backoff := 500 * time.Millisecond << (attempt - 1)
		wait := backoff
		if failed.RetryAfter > wait {
			wait = failed.RetryAfter
		}
		wait += jitter(backoff)
		if !retry || attempt == most || time.Now().Add(wait).After(deadline) {
			return err
		}
		// The same request, with the same idempotency key: a write that has succeeded is replayed.
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// endregion retry

// search returns parameters as the query of a URL, or nothing.
func search(query url.Values) string {
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

// Pages calls page with the data of each page of a list.
func (c *Client) Pages(ctx context.Context, path string, query url.Values, page func(data json.RawMessage) error) error {
	next := url.Values{}
	for name, values := range query {
		next[name] = values
	}
	// No list has more pages.
	for count := 0; count < 10_000; count++ {
		var data json.RawMessage
		if err := c.Call(ctx, "GET", path+search(next), nil, "", &data); err != nil {
			return err
		}
		var following struct {
			Cursor *string `json:"next_cursor"`
		}
		if err := json.Unmarshal(data, &following); err != nil {
			return err
		}
		if err := page(data); err != nil || following.Cursor == nil {
			return err
		}
		next.Set("cursor", *following.Cursor)
	}
	return nil
}

// region operations

// ListCatalog: List services and locations: GET /catalog.
func (c *Client) ListCatalog(ctx context.Context, query url.Values, data any) error {
	return c.Call(ctx, "GET", "/catalog"+search(query), nil, "", data)
}

// ListSpecialists: List specialists: GET /catalog/specialists.
func (c *Client) ListSpecialists(ctx context.Context, query url.Values, data any) error {
	return c.Call(ctx, "GET", "/catalog/specialists"+search(query), nil, "", data)
}

// ListAvailability: List free slots: GET /availability.
func (c *Client) ListAvailability(ctx context.Context, query url.Values, data any) error {
	return c.Call(ctx, "GET", "/availability"+search(query), nil, "", data)
}

// ListAvailabilityDays: List days with free slots: GET /availability/days.
func (c *Client) ListAvailabilityDays(ctx context.Context, query url.Values, data any) error {
	return c.Call(ctx, "GET", "/availability/days"+search(query), nil, "", data)
}

// ExplainAvailability: Explain free and refused starts: GET /availability/explain.
func (c *Client) ExplainAvailability(ctx context.Context, query url.Values, data any) error {
	return c.Call(ctx, "GET", "/availability/explain"+search(query), nil, "", data)
}

// CreateBooking: Create a booking: POST /bookings.
func (c *Client) CreateBooking(ctx context.Context, body any, idempotencyKey string, data any) error {
	return c.Call(ctx, "POST", "/bookings", body, idempotencyKey, data)
}

// ListBookings: List or find bookings: GET /bookings.
func (c *Client) ListBookings(ctx context.Context, query url.Values, data any) error {
	return c.Call(ctx, "GET", "/bookings"+search(query), nil, "", data)
}

// ReadBooking: Read a booking: GET /bookings/{pbr_reference}.
func (c *Client) ReadBooking(ctx context.Context, reference string, data any) error {
	return c.Call(ctx, "GET", "/bookings/"+url.PathEscape(reference), nil, "", data)
}

// CancelBooking: Cancel a booking: POST /bookings/{pbr_reference}/actions/cancel.
func (c *Client) CancelBooking(ctx context.Context, reference string, body any, idempotencyKey string, data any) error {
	return c.Call(ctx, "POST", "/bookings/"+url.PathEscape(reference)+"/actions/cancel", body, idempotencyKey, data)
}

// RescheduleBooking: Reschedule a booking: POST /bookings/{pbr_reference}/actions/reschedule.
func (c *Client) RescheduleBooking(ctx context.Context, reference string, body any, idempotencyKey string, data any) error {
	return c.Call(ctx, "POST", "/bookings/"+url.PathEscape(reference)+"/actions/reschedule", body, idempotencyKey, data)
}

// SendTestEvent: Send yourself a test event: POST /webhooks/test-events.
func (c *Client) SendTestEvent(ctx context.Context, body any, idempotencyKey string, data any) error {
	return c.Call(ctx, "POST", "/webhooks/test-events", body, idempotencyKey, data)
}

// DigestBookings: Compare bookings by day: GET /bookings/digest.
func (c *Client) DigestBookings(ctx context.Context, query url.Values, data any) error {
	return c.Call(ctx, "GET", "/bookings/digest"+search(query), nil, "", data)
}

// ListEvents: List events: GET /events.
func (c *Client) ListEvents(ctx context.Context, query url.Values, data any) error {
	return c.Call(ctx, "GET", "/events"+search(query), nil, "", data)
}

// ReadMe: Read who you are: GET /me.
func (c *Client) ReadMe(ctx context.Context, data any) error {
	return c.Call(ctx, "GET", "/me", nil, "", data)
}

// endregion operations
