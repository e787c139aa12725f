# Makes the calls in cases.json at once, and prints the outcome of each as a line of JSON.
import json
from concurrent.futures import ThreadPoolExecutor

from partner import Partner, PartnerError


def outcome_of(case):
    partner = Partner(case["api"], "pbk_test_secret", max_duration=case["seconds"])
    write = {"body": {"n": 1}, "idempotency_key": "key-of-" + case["name"]} if case["method"] == "POST" else {}
    try:
        data = partner.call(case["method"], "/things", **write)
        return {"status": 200, "code": "ok", "message": data["word"]}
    except PartnerError as error:
        return {"status": error.status, "code": error.code, "message": str(error)}


with open("cases.json", encoding="utf-8") as file:
    cases = json.load(file)
with ThreadPoolExecutor(len(cases)) as executor:
    for case, outcome in zip(cases, executor.map(outcome_of, cases)):
        print(json.dumps({"name": case["name"], **outcome}))
