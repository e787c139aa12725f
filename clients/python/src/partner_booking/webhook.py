# Webhook verification for Python 3.9 or newer, standard library only.
import base64
import hashlib
import hmac
import re
import time


def verify_webhook(secrets, headers, body, now=None):
    """Returns whether a webhook is authentic and at most five minutes old.

    body is the raw body in bytes. Header names are in lowercase.
    During a rotation, secrets contains the old and the new secret. An empty or malformed secret raises a ValueError.
    """
    event_id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not event_id or not re.fullmatch("[0-9]{1,12}", sent):
        return False
    if abs((time.time() if now is None else now) - int(sent)) > 300:
        return False
    signed = f"{event_id}.{sent}.".encode() + body
    for secret in secrets:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except ValueError:
            key = b""
        if not key:  # Everyone can sign with an empty key.
            raise ValueError("A webhook secret must be whsec_ followed by base64.")
        digest = hmac.new(key, signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        for one in headers.get("webhook-signature", "").split(" "):
            if hmac.compare_digest(one.encode(), expected):
                return True
    return False
