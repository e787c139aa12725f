import datetime
import uuid

from partner import Partner, PartnerError

partner = Partner.from_environment()
service = partner.list_catalog({"limit": 1})["services"][0]
location_id = service["location_ids"][0]

today = datetime.datetime.now(datetime.timezone.utc).date()
query = {
    "service_id": service["id"],
    "location_id": location_id,
    "date": today + datetime.timedelta(days=2),
    "date_to": today + datetime.timedelta(days=12),
}
slot = partner.list_availability(query)["slots"][0]

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
    booking = partner.create_booking(body, key)["booking"]
except PartnerError as error:
    if error.reason == "slot_taken":
        print("No longer free: offer other times.")
    raise
print("booked", booking["reference"], booking["starts_at"])

repeated = partner.create_booking(body, key)["booking"]
print("the same booking", repeated["reference"] == booking["reference"])

change = {"expected_version": booking["version"], "reason": "customer_request"}
cancelled = partner.cancel_booking(booking["reference"], change, str(uuid.uuid4()))
print(cancelled["booking"]["status"])
