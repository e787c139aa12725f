# Runs the samples in Python: the booking, the test vectors, a call with a refused key, requests that cannot be sent, and a
# list with several pages.
import json
import os
import sys

import book  # noqa: F401
from partner import Partner, PartnerError
from webhook import verify_webhook

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
results = [verify_webhook(one["secrets"], one["headers"], one["body"].encode(), one["now"]) for one in vectors]
print("verified", json.dumps(results, separators=(",", ":")))

with open("forged.json", encoding="utf-8") as file:
    forged = json.load(file)
outcomes = []
for one in forged:
    try:
        outcomes.append(verify_webhook(one["secrets"], one["headers"], one["body"].encode(), one["now"]))
    except ValueError as error:
        outcomes.append(str(error))
print("forged", json.dumps(outcomes))

api, valid = os.environ["API"], os.environ["API_KEY"]
partner = Partner(api, valid)
try:
    partner.list_catalog({"limit": 0, "color": "red"})
except PartnerError as error:
    print("invalid", ",".join(field["path"] for field in error.fields), error)

try:
    Partner(api, "pbk_live_refused").list_catalog()
except PartnerError as error:
    print("refused", error.status, error.code, error.reason)

unsendable = [
    ("GET", "/a path", None, None),
    ("GET", "/caf\u00e9", None, None),
    ("POST", "/bookings", {}, None),
    ("POST", "/bookings", {}, "a key\r\nof two lines"),
    ("POST", "/bookings", {"date": {1}}, "a-key-of-one-line"),
]
unsendable_to = [(api, one) for one in unsendable]
unsendable_to += [(other, ("GET", "/catalog", None, None)) for other in ("httpx://127.0.0.1", "http:///v1")]
kinds = set()
for base_url, one in unsendable_to:
    try:
        Partner(base_url, valid + "\n").call(*one)
    except (ValueError, TypeError):
        kinds.add("not sent")
    except PartnerError as error:
        kinds.add(str(error))
print(", ".join(kinds))

for page in partner.pages("/catalog", {"limit": 1}):
    print(*[service["id"] for service in page["services"]])
import all_services  # noqa: E402, F401
