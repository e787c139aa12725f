# Client of the Partner Booking API for Python 3.9 or newer, standard library only.
import http.client
import json
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request


class PartnerError(Exception):
    """A failed call. Branch on code and reason; log request_id. Status 0: there was no complete response.

    fields contains the path and the message of each invalid field.
    """

    def __init__(self, message, status=0, code="no_response", reason=None, request_id=None, retry_after=0, fields=()):
        named = "; ".join(f"{field['path']}: {field['message']}" for field in fields)
        super().__init__(f"{status} {code}: {message}" + (f" ({named})" if named else ""))
        self.status, self.code, self.reason = status, code, reason
        self.request_id, self.retry_after, self.fields = request_id, retry_after, list(fields)


def request_of(method, path, body, idempotency_key):
    """Returns a request. Raises a ValueError or a TypeError if it cannot be sent, because a retry would not help."""
    url, key = os.environ["API"] + path, os.environ["API_KEY"].strip()
    if not re.fullmatch("https?://[!-~]+", url):
        raise ValueError("API must start with http:// or https://, and the path must be percent-encoded.")
    request = urllib.request.Request(url, method=method)
    headers = {"Authorization": "Bearer " + key}
    if body is not None:
        request.data = json.dumps(body).encode()
        headers.update({"Content-Type": "application/json", "Idempotency-Key": idempotency_key or ""})
    for name, value in headers.items():
        if not re.fullmatch("[!-~]+( [!-~]+)?", value):
            raise ValueError(f"{name} is empty or has characters that a header must not have.")
        request.add_header(name, value)
    return request


def send(request, timeout):
    """Sends a request once. Returns the data of a success."""
    try:
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                text = response.read()
        except urllib.error.HTTPError as response:
            raise error_of(response.status, response.headers, response.read()) from None
        return json.loads(text)["data"]
    except (OSError, http.client.HTTPException, json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError) as error:
        raise PartnerError("There was no complete response.") from error


def error_of(status, headers, text):
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):  # A proxy responded.
        error = {"message": "The response was unexpected.", "code": "unknown", "reason": None, "fields": []}
    retry_after = headers.get("Retry-After", "0")
    return PartnerError(
        error["message"],
        status,
        error["code"],
        error["reason"],
        headers.get("X-Request-Id"),
        int(retry_after) if retry_after.isdigit() else 0,
        error["fields"],
    )


# region retry
def call(method, path, body=None, idempotency_key=None, max_duration=60, max_attempts=6):
    """Repeats a request unchanged after a temporary failure, for at most max_duration seconds."""
    request = request_of(method, path, body, idempotency_key)
    deadline = time.monotonic() + max_duration
    for attempt in range(1, max_attempts + 1):
        try:
            timeout = max(0.1, min(15, deadline - time.monotonic()))
            return send(request, timeout)
        except PartnerError as error:
            # An invalid key stays invalid: a retry would only count as another failed authentication.
            temporary = error.status in (0, 429, 502, 503, 504) and error.reason != "failed_authentication"
            backoff = 0.5 * 2 ** (attempt - 1)
            wait = max(error.retry_after, backoff) * random.uniform(1, 1.5)
            if not temporary or attempt == max_attempts or time.monotonic() + wait >= deadline:
                raise
            # The same request, with the same idempotency key: a write that has succeeded is replayed.
            time.sleep(wait)
# endregion retry


def pages(path, query=None):
    """Yields the data of each page of a list."""
    query = dict(query or {})
    for _ in range(10_000):  # No list has more pages.
        page = call("GET", path + "?" + urllib.parse.urlencode(query))
        yield page
        query["cursor"] = page["next_cursor"]
        if query["cursor"] is None:
            return
