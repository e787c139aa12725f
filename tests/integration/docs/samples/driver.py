# Runs the samples in Python: the booking, the test vectors, and a call with a refused key.
import json
import os
import sys

import book  # noqa: F401
from partner import PartnerError, call
from webhook import verify_webhook

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
results = [verify_webhook(one["secrets"], one["headers"], one["body"].encode(), one["now"]) for one in vectors]
print("verified", json.dumps(results, separators=(",", ":")))

os.environ["API_KEY"] = "pbk_live_refused"
try:
    call("GET", "/catalog")
except PartnerError as error:
    print("refused", error.status, error.code, error.reason)
