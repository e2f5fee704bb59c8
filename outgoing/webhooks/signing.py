"""The secret of a webhook, and the signature of a call. `docs/webhooks.md` tells receivers how to check it."""

import base64
import datetime as dt
import hashlib
import hmac
import secrets
import uuid

from django.utils.crypto import salted_hmac

from clubs.models import Webhook, WebhookCall

PREFIX = "whsec_"
SALT = "topage.webhook"
CALLS = uuid.UUID("5b0a7f3e-2f0c-4c0f-9d59-0f2b8a2f6a51")  # the namespace of the ids of calls


def make_webhook_key() -> str:
    """Return a new random key, from which the secret of a webhook is derived."""
    return secrets.token_urlsafe(32)


def derive_webhook_secret(webhook: Webhook) -> str:
    """Return the secret of a webhook.

    It is derived from the key of the row and from the site's own secret. So a backup alone does not contain it.
    """
    digest = salted_hmac(SALT, webhook.key, algorithm="sha256").digest()
    return PREFIX + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def sign_call(secret: str, body: bytes, now: dt.datetime) -> str:
    """Return the value of the header with the signature: the time in seconds, and the HMAC-SHA256 of time and body."""
    seconds = int(now.timestamp())
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={signed}"


def find_call_id(webhook: Webhook, call: WebhookCall) -> str:
    """Return the id of a call. It is the same for each try, and even for a row that is derived again."""
    return str(uuid.uuid5(CALLS, f"{webhook.key}:{call.kind}:{call.owner}:{call.version}"))
