# Makes the calls in cases.json, and prints the outcome of each as a line of JSON.
import json
import os

from partner import PartnerError, call

os.environ["API_KEY"] = "pbk_test_secret"
with open("cases.json", encoding="utf-8") as file:
    cases = json.load(file)
for case in cases:
    os.environ["API"] = case["api"]
    write = {"body": {"n": 1}, "idempotency_key": "key-of-" + case["name"]} if case["method"] == "POST" else {}
    try:
        data = call(case["method"], "/things", max_duration=case["seconds"], **write)
        outcome = {"status": 200, "code": "ok", "message": data["word"]}
    except PartnerError as error:
        outcome = {"status": error.status, "code": error.code, "message": str(error)}
    print(json.dumps({"name": case["name"], **outcome}))
