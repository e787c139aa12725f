# Makes the calls in cases.json, and prints the outcome of each as a line of JSON.
import json

from partner import Partner, PartnerError

with open("cases.json", encoding="utf-8") as file:
    cases = json.load(file)
for case in cases:
    partner = Partner(case["api"], "pbk_test_secret", max_duration=case["seconds"])
    write = {"body": {"n": 1}, "idempotency_key": "key-of-" + case["name"]} if case["method"] == "POST" else {}
    try:
        data = partner.call(case["method"], "/things", **write)
        outcome = {"status": 200, "code": "ok", "message": data["word"]}
    except PartnerError as error:
        outcome = {"status": error.status, "code": error.code, "message": str(error)}
    print(json.dumps({"name": case["name"], **outcome}))
