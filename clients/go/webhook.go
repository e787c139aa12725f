package partnerbooking

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// VerifyWebhook returns whether a webhook is authentic and at most five minutes old. body is the raw body.
// During a rotation, secrets contains the old and the new secret.
func VerifyWebhook(secrets []string, header http.Header, body []byte, now time.Time) bool {
	id, sent := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(sent, 10, 40)
	if id == "" || err != nil || math.Abs(float64(now.Unix()-int64(seconds))) > 300 {
		return false
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			panic("a webhook secret must be whsec_ followed by base64")
		}
		signature := hmac.New(sha256.New, key)
		signature.Write([]byte(id + "." + sent + "."))
		signature.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(signature.Sum(nil)))
		for _, one := range strings.Split(header.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(one), expected) {
				return true
			}
		}
	}
	return false
}
