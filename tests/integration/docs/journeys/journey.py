# Uses the package for PyPI as a partner does. Every language prints the same lines.
import datetime
import json
import os
import sys
import uuid

from partner_booking import Partner, PartnerError, day_hash, verify_webhook

partner = Partner.from_environment()
today = datetime.datetime.now(datetime.timezone.utc).date()
dates = {"from": str(today + datetime.timedelta(days=2)), "to": str(today + datetime.timedelta(days=12))}


def shown(value):
    return str(value).lower()


def new_key():
    return str(uuid.uuid4())


def refusal(call, *arguments):
    try:
        call(*arguments)
        return "accepted"
    except PartnerError as error:
        return f"{error.status} {error.code} {error.reason or ''}".strip()


print("me", partner.read_me()["environment"])
service = partner.list_catalog({"limit": 1})["services"][0]
place = {"service_id": service["id"], "location_id": service["location_ids"][0]}
days = partner.list_availability_days({"service_ids": service["id"], "date": dates["from"], "next": True})
print("next", shown(days["combinations"][0]["next_slot"] is not None))
slots = partner.list_availability({**place, "date": dates["from"], "date_to": dates["to"]})["slots"]


def body_of(slot, reference):
    customer = {"name": "Robin Sample", "phone": "+49 30 23125 234", "consent_to_contact": True}
    when = {"date": slot["date"], "start_time": slot["start_time"]}
    return {**place, **when, "external_reference": reference, "customer": customer}


key = new_key()
booking = partner.create_booking(body_of(slots[0], "test:429"), key)["booking"]
print("created", booking["status"], booking["version"])
again = partner.create_booking(body_of(slots[0], "test:429"), key)["booking"]
print("repeated", shown(again["reference"] == booking["reference"]))
print("lost", partner.create_booking(body_of(slots[1], "test:lost_response"), new_key())["booking"]["status"])
print("taken", refusal(partner.create_booking, body_of(slots[0], "order-1"), new_key()))
move = {"expected_version": 1, "date": slots[2]["date"], "start_time": slots[2]["start_time"]}
print("moved", partner.reschedule_booking(booking["reference"], move, new_key())["booking"]["version"])
change = {"expected_version": 1, "reason": "customer_request"}
print("conflict", refusal(partner.cancel_booking, booking["reference"], change, new_key()))
change["expected_version"] = 2
print("cancelled", partner.cancel_booking(booking["reference"], change, new_key())["booking"]["version"])
print("redirect", refusal(Partner(os.environ["MOVED"], os.environ["API_KEY"]).read_me))

bookings = partner.list_bookings(dates)["bookings"]
days = partner.digest_bookings(dates)["days"]
same = all(day["hash"] == day_hash([one for one in bookings if one["date"] == day["date"]]) for day in days)
print("digest", len(bookings), shown(same))
print("events", len(partner.list_events({"after": 0})["events"]))

with open(sys.argv[1], encoding="utf-8") as file:
    vector = json.load(file)[0]
results = [
    verify_webhook(vector["secrets"], vector["headers"], body.encode(), vector["now"])
    for body in (vector["body"], vector["body"] + " ")
]
print("webhook", *map(shown, results))
