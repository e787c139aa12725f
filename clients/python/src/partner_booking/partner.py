# Client of the Partner Booking API for Python 3.9 or newer, standard library only.
import http.client
import json
import os
import random
import re
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request


class PartnerError(Exception):
    """A failed call. Branch on code and reason; log request_id. Status 0: there was no complete response.

    Codes of this client: unknown (a response that is not from the API), redirected, and without a complete response
    connection_refused, name_not_found, tls_failed, or else no_response. fields contains the path and the message of each invalid field.
    """

    def __init__(self, message, status=0, code="no_response", reason=None, request_id=None, retry_after=0, fields=()):
        named = "; ".join(f"{field['path']}: {field['message']}" for field in fields)
        super().__init__(f"{status} {code}: {message}" + (f" ({named})" if named else ""))
        self.status, self.code, self.reason = status, code, reason
        self.request_id, self.retry_after, self.fields = request_id, retry_after, list(fields)


def request_of(url, api_key, method, body, idempotency_key):
    """Returns a request. Raises a ValueError or a TypeError if it cannot be sent, because a retry would not help."""
    if not re.fullmatch("https?://[^/?#][!-~]*", url):
        raise ValueError("The base URL must start with http:// or https://, and the path must be percent-encoded.")
    request = urllib.request.Request(url, method=method)
    headers = {"Authorization": "Bearer " + api_key}
    if body is not None:
        request.data = json.dumps(body).encode()
        headers.update({"Content-Type": "application/json", "Idempotency-Key": idempotency_key or ""})
    for name, value in headers.items():
        if not re.fullmatch("[!-~]+( [!-~]+)?", value):
            raise ValueError(f"{name} is empty or has characters that a header must not have.")
        request.add_header(name, value)
    return request


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: it could turn a write into a read, and send the key to another host."""

    def http_error_301(self, *response):
        return None

    http_error_302 = http_error_303 = http_error_307 = http_error_308 = http_error_301


OPENER = urllib.request.build_opener(NoRedirects)


def send(request, timeout):
    """Sends a request once. Returns the data of a success."""
    deadline = time.monotonic() + timeout
    try:
        try:
            response = OPENER.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            text = read(response, deadline)
    except (OSError, http.client.HTTPException) as error:
        raise no_response(error) from error
    if 300 <= response.status < 400:
        raise PartnerError("The API never redirects: check the base URL.", response.status, "redirected")
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):  # Deeply nested brackets are no body of the API either.
        parsed = None
    name = "data" if response.status < 300 else "error"
    content = parsed.get(name) if is_ours(parsed) else None
    if name == "data" and isinstance(content, dict):
        return content
    raise error_of(response.status, response.headers, content if name == "error" else None)


def read(response, deadline):
    """Returns the body. Without the deadline, a body that arrives byte by byte would have no time limit."""
    parts = []
    while part := response.read1(65536):
        if time.monotonic() > deadline:
            raise socket.timeout
        parts.append(part)
    return b"".join(parts)


def is_ours(parsed):
    """Returns whether a body is from the API, and not for example from a proxy. Every body of the API has a request id."""
    meta = parsed.get("meta") if isinstance(parsed, dict) else None
    return isinstance(meta, dict) and str(meta.get("request_id")).startswith("req_")


def no_response(error):
    """Returns the error of a request without a complete response. Its message states the cause."""
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, socket.timeout):
        return PartnerError("There was no complete response in time.")
    if isinstance(cause, ConnectionRefusedError):
        return PartnerError("The connection was refused: check the base URL.", code="connection_refused")
    if isinstance(cause, socket.gaierror) and cause.errno != socket.EAI_AGAIN:
        return PartnerError("The host name was not found: check the base URL.", code="name_not_found")
    # A connection that was closed is no failure of TLS: it can heal.
    if isinstance(cause, ssl.SSLError) and not isinstance(cause, (ssl.SSLEOFError, ssl.SSLZeroReturnError)):
        message = "The TLS connection failed: check the base URL and the certificate."
        return PartnerError(message, code="tls_failed")
    return PartnerError(f"There was no complete response: {cause}.")


def error_of(status, headers, error):
    # The API sends seconds. A date from a proxy counts as no value.
    retry_after = headers.get("Retry-After", "0")
    details = {
        "status": status,
        "request_id": headers.get("X-Request-Id"),
        "retry_after": min(int(retry_after), 10**6) if re.fullmatch("[0-9]{1,99}", retry_after) else 0,
    }
    try:
        if not re.fullmatch("[a-z_]+", error["code"]) or not isinstance(error["fields"], list):
            raise TypeError
        reason = error["reason"] if error["reason"] is None else error["reason"] + ""
        fields = [{"path": field["path"] + "", "message": field["message"] + ""} for field in error["fields"]]
        return PartnerError(error["message"] + "", code=error["code"], reason=reason, fields=fields, **details)
    except (KeyError, TypeError):  # A proxy responded.
        message = f"The response is not from the API (status {status}): check the base URL."
        return PartnerError(message, code="unknown", **details)


def search(query):
    """Returns parameters as the query of a URL, or nothing. A parameter that is None is left out."""
    # In Python, the text of true is True.
    words = {True: "true", False: "false"}
    items = (query or {}).items()
    given = {name: words[value] if isinstance(value, bool) else value for name, value in items if value is not None}
    return "?" + urllib.parse.urlencode(given) if given else ""


def quote(segment):
    """Returns a segment of a path, percent-encoded."""
    return urllib.parse.quote(segment, safe="")


class Partner:
    """Calls the API with the key of one application. Every call returns the data of the response, or raises a PartnerError."""

    def __init__(self, base_url, api_key, max_duration=60, max_attempts=6):
        """A call takes at most max_duration seconds, including its repetitions and waits."""
        self._base_url, self._api_key = base_url, api_key.strip()
        self._max_duration, self._max_attempts = max_duration, max_attempts

    @classmethod
    def from_environment(cls):
        """Returns a client with the base URL and the key of the environment variables API and API_KEY."""
        return cls(os.environ["API"], os.environ["API_KEY"])

    # region retry
    def call(self, method, path, body=None, idempotency_key=None):
        """Repeats a request unchanged after a temporary failure, for at most max_duration seconds."""
        request = request_of(self._base_url + path, self._api_key, method, body, idempotency_key)
        deadline = time.monotonic() + self._max_duration
        for attempt in range(1, self._max_attempts + 1):
            try:
                timeout = max(0.1, min(15, deadline - time.monotonic()))
                return send(request, timeout)
            except PartnerError as error:
                # After a 5xx or a body that is not from the API, the outcome of a write is uncertain.
                uncertain = error.status >= 500 or error.code in ("no_response", "connection_refused", "unknown")
                # An invalid key stays invalid: a retry would only count as another failed authentication.
                temporary = (uncertain or error.status == 429) and error.reason != "failed_authentication"
                most = min(3, self._max_attempts) if error.code == "connection_refused" else self._max_attempts
                backoff = 0.5 * 2 ** (attempt - 1)
                wait = max(error.retry_after, backoff) + random.uniform(0, backoff)
                if not temporary or attempt >= most or time.monotonic() + wait >= deadline:
                    raise
                # The same request, with the same idempotency key: a write that has succeeded is replayed.
                time.sleep(wait)
    # endregion retry

    def pages(self, path, query=None):
        """Yields the data of each page of a list."""
        query = dict(query or {})
        for _ in range(10_000):  # No list has more pages.
            page = self.call("GET", path + search(query))
            yield page
            query["cursor"] = page["next_cursor"]
            if query["cursor"] is None:
                return

    # region operations
    def list_catalog(self, query=None):
        """List services and locations: GET /catalog."""
        return self.call("GET", "/catalog" + search(query))

    def list_specialists(self, query=None):
        """List specialists: GET /catalog/specialists."""
        return self.call("GET", "/catalog/specialists" + search(query))

    def list_availability(self, query=None):
        """List free slots: GET /availability."""
        return self.call("GET", "/availability" + search(query))

    def list_availability_days(self, query=None):
        """List days with free slots: GET /availability/days."""
        return self.call("GET", "/availability/days" + search(query))

    def explain_availability(self, query=None):
        """Explain free and refused starts: GET /availability/explain."""
        return self.call("GET", "/availability/explain" + search(query))

    def create_booking(self, body, idempotency_key):
        """Create a booking: POST /bookings."""
        return self.call("POST", "/bookings", body, idempotency_key)

    def list_bookings(self, query=None):
        """List or find bookings: GET /bookings."""
        return self.call("GET", "/bookings" + search(query))

    def read_booking(self, reference):
        """Read a booking: GET /bookings/{pbr_reference}."""
        return self.call("GET", "/bookings/" + quote(reference))

    def cancel_booking(self, reference, body, idempotency_key):
        """Cancel a booking: POST /bookings/{pbr_reference}/actions/cancel."""
        return self.call("POST", "/bookings/" + quote(reference) + "/actions/cancel", body, idempotency_key)

    def reschedule_booking(self, reference, body, idempotency_key):
        """Reschedule a booking: POST /bookings/{pbr_reference}/actions/reschedule."""
        return self.call("POST", "/bookings/" + quote(reference) + "/actions/reschedule", body, idempotency_key)

    def send_test_event(self, body, idempotency_key):
        """Send yourself a test event: POST /webhooks/test-events."""
        return self.call("POST", "/webhooks/test-events", body, idempotency_key)

    def digest_bookings(self, query=None):
        """Compare bookings by day: GET /bookings/digest."""
        return self.call("GET", "/bookings/digest" + search(query))

    def list_events(self, query=None):
        """List events: GET /events."""
        return self.call("GET", "/events" + search(query))

    def read_me(self):
        """Read who you are: GET /me."""
        return self.call("GET", "/me")
    # endregion operations
