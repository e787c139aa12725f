// Client of the Partner Booking API for Go 1.19 or newer, standard library only.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// PartnerError is a failed call. Branch on Code and Reason; log RequestID. Status 0: there was no complete response.
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

// requestOf returns a request, or an error if it cannot be sent, because a retry would not help.
func requestOf(ctx context.Context, method, path string, body []byte, idempotencyKey string) (*http.Request, error) {
	target, key := os.Getenv("API")+path, strings.TrimSpace(os.Getenv("API_KEY"))
	if !strings.HasPrefix(target, "http") || !sendable.MatchString(target) {
		return nil, errors.New("API must start with http:// or https://, and the path must be percent-encoded")
	}
	if !sendable.MatchString(key) {
		return nil, errors.New("API_KEY is empty or has characters that a header must not have")
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
func send(ctx context.Context, method, path string, body []byte, idempotencyKey string, data any) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	request, err := requestOf(ctx, method, path, body, idempotencyKey)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return &PartnerError{Code: "no_response", Message: err.Error()}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return &PartnerError{Code: "no_response", Message: err.Error()}
	}
	if response.StatusCode >= 300 {
		return errorOf(response, text)
	}
	envelope := struct {
		Data any `json:"data"`
	}{data}
	if err := json.Unmarshal(text, &envelope); err != nil {
		return &PartnerError{Code: "no_response", Message: err.Error()}
	}
	return nil
}

func errorOf(response *http.Response, text []byte) error {
	envelope := struct {
		Error struct {
			Code, Reason, Message string
			Fields                []InvalidField
		} `json:"error"`
	}{}
	// A proxy may respond with something other than JSON.
	if json.Unmarshal(text, &envelope) != nil || envelope.Error.Code == "" {
		envelope.Error.Code, envelope.Error.Message = "unknown", "The response was unexpected."
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	return &PartnerError{
		Status:     response.StatusCode,
		Code:       envelope.Error.Code,
		Reason:     envelope.Error.Reason,
		Message:    envelope.Error.Message,
		RequestID:  response.Header.Get("X-Request-Id"),
		RetryAfter: time.Duration(seconds) * time.Second,
		Fields:     envelope.Error.Fields,
	}
}

// region retry

const (
	maxDuration = 60 * time.Second
	maxAttempts = 6
)

var temporary = map[int]bool{0: true, 429: true, 502: true, 503: true, 504: true}

// call repeats a request unchanged after a temporary failure, for at most maxDuration.
func call(method, path string, body any, idempotencyKey string, data any) error {
	var encoded []byte
	if body != nil {
		var err error
		if encoded, err = json.Marshal(body); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxDuration)
	defer cancel()
	deadline, _ := ctx.Deadline()
	for attempt := 1; ; attempt++ {
		err := send(ctx, method, path, encoded, idempotencyKey, data)
		var failed *PartnerError
		if !errors.As(err, &failed) {
			return err
		}
		// An invalid key stays invalid: a retry would only count as another failed authentication.
		retry := temporary[failed.Status] && failed.Reason != "failed_authentication"
		wait := 500 * time.Millisecond << (attempt - 1)
		if failed.RetryAfter > wait {
			wait = failed.RetryAfter
		}
		wait += time.Duration(rand.Int63n(int64(wait / 2)))
		if !retry || attempt == maxAttempts || time.Now().Add(wait).After(deadline) {
			return err
		}
		// The same request, with the same idempotency key: a write that has succeeded is replayed.
		time.Sleep(wait)
	}
}

// endregion retry

// pages calls page with the data of each page of a list.
func pages(path string, query url.Values, page func(data json.RawMessage) error) error {
	target := path + "?" + query.Encode()
	// No list has more pages.
	for count := 0; count < 10_000; count++ {
		var data json.RawMessage
		if err := call("GET", target, nil, "", &data); err != nil {
			return err
		}
		var next struct {
			Cursor *string `json:"next_cursor"`
		}
		if err := json.Unmarshal(data, &next); err != nil {
			return err
		}
		if err := page(data); err != nil || next.Cursor == nil {
			return err
		}
		target = path + "?" + query.Encode() + "&cursor=" + url.QueryEscape(*next.Cursor)
	}
	return nil
}
