import datetime
import urllib.parse
import uuid

from partner import PartnerError, call

service = call("GET", "/catalog?limit=1")["services"][0]
location_id = service["location_ids"][0]

today = datetime.datetime.now(datetime.timezone.utc).date()
query = urllib.parse.urlencode({
    "service_id": service["id"],
    "location_id": location_id,
    "date": today + datetime.timedelta(days=2),
    "date_to": today + datetime.timedelta(days=12),
})
slot = call("GET", "/availability?" + query)["slots"][0]

# Store the idempotency key with your order before the request, so that you can repeat the write after a crash.
key = str(uuid.uuid4())
body = {
    "service_id": service["id"],
    "location_id": location_id,
    "date": slot["date"],
    "start_time": slot["start_time"],
    "external_reference": "order-4713",
    "customer": {"name": "Robin Sample", "phone": "+49 30 23125 234", "consent_to_contact": True},
}
try:
    booking = call("POST", "/bookings", body, key)["booking"]
except PartnerError as error:
    if error.reason == "slot_taken":
        print("No longer free: offer other times.")
    raise
print("booked", booking["reference"], booking["starts_at"])

repeated = call("POST", "/bookings", body, key)["booking"]
print("the same booking", repeated["reference"] == booking["reference"])

path = f"/bookings/{booking['reference']}/actions/cancel"
change = {"expected_version": booking["version"], "reason": "customer_request"}
print(call("POST", path, change, str(uuid.uuid4()))["booking"]["status"])
