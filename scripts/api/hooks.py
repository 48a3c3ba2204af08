"""What schemathesis has to know of the service that it tests: real devices, codes, keys and endpoints."""
import json
import os
import re
import secrets
import urllib.request

import schemathesis
from schemathesis.core.parameters import ParameterLocation

PUBLIC = os.environ["WAKE_PUBLIC"]
ADMIN = os.environ["WAKE_ADMIN"]
PUSH_SERVER = os.environ["WAKE_PUSH_SERVER"]
STACK = os.environ["WAKE_STACK"]
ADMIN_TOKEN = os.environ["WAKE_ADMIN_TOKEN"]
HOOK_TOKEN = os.environ["WAKE_HOOK_TOKEN"]
VAPID_KEY = os.environ["WAKE_VAPID_KEY"]

# The keys of the example in RFC 8291, Appendix A.
KEYS = {
    "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "auth": "BTBZMqHH6r4Tts7J_aSIgg",
}


def ask(url, token, body=None):
    data = json.dumps(body or {}).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method="POST"), timeout=20) as answer:
        return json.load(answer)


def pairing():
    return ask(f"{ADMIN}/v1/admin/stacks/{STACK}/pairings", ADMIN_TOKEN)


def endpoint():
    return f"{PUSH_SERVER}/up/{secrets.token_urlsafe(12)}?up=1"


def register():
    body = {"client": secrets.token_urlsafe(16), "endpoint": endpoint(), "keys": KEYS}
    return ask(f"{PUBLIC}/v1/stacks/{STACK}/devices", pairing()["code"], body)


class Phone:
    """The device that paths name, made anew once it is of no more use."""

    def __init__(self):
        self.registered = None
        self.former = set()

    def current(self):
        if self.registered is None:
            self.registered = register()
        return self.registered

    def leave(self):
        if self.registered is not None:
            self.former.add(f"Bearer {self.registered['token']}")
        self.registered = None


phone = Phone()


@schemathesis.auth(refresh_interval=None)
class Tokens:
    """The token of the class that an operation asks for; a code is good for one device, so each call has a new one."""

    def get(self, case, context):
        named = [scheme for choice in case.operation.definition.raw.get("security", []) for scheme in choice]
        if "adminToken" in named:
            return ADMIN_TOKEN
        if "deviceToken" in named:
            return phone.current()["token"]
        if "pairingToken" in named:
            return pairing()["code"]
        return HOOK_TOKEN if named else None

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


def is_at_fault(case, location):
    """Whether that part of the request is meant to be refused."""
    return case.meta is not None and case.meta.is_negative_at(location)


def fits(value):
    """Whether each number is one that the service takes: 64 bits, or a double."""
    if isinstance(value, dict):
        return all(fits(each) for each in value.values())
    if isinstance(value, list):
        return all(fits(each) for each in value)
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return True


# Octets of UTF-8 that members may have.
OCTETS = {"label": 256, "event": 128, "ref": 128}


def is_long(body, name, most):
    """Whether a member has too many octets, and not too many characters."""
    text = body.get(name)
    return isinstance(text, str) and len(text) <= most < len(text.encode("utf-8", "surrogatepass"))


def is_key(text):
    """Whether a text has the form of a public key; that it is a point on the curve a schema cannot say."""
    return isinstance(text, str) and re.fullmatch(r"[\w+/-]{87}=?", text, re.ASCII) is not None


@schemathesis.hook
def filter_body(context, body):
    # A schema cannot say it of members that it does not name, and counts characters.
    return fits(body) and not (isinstance(body, dict) and any(is_long(body, *each) for each in OCTETS.items()))


def complete(body):
    """What a schema cannot say of members together: keys come with an endpoint, and go with it."""
    if isinstance(body.get("endpoint"), str) and body.get("keys") is None:
        body["keys"] = dict(KEYS)
    if "keys" in body and body.get("endpoint", "") is None:
        body["keys"] = None
    elif "keys" in body and body["keys"] is None:
        del body["keys"]


@schemathesis.hook
def before_call(context, case, kwargs):
    # Each request comes from a client of its own: many show no valid token, which is held to a rate for each address.
    case.headers["X-Forwarded-For"] = f"2001:db8:{secrets.token_hex(2)}:{secrets.token_hex(2)}::1"
    # A device may be examined six times a minute.
    if case.operation.path == "/v1/stacks/{stack}/devices/{device}/doctor":
        phone.leave()
    # Cases are made some time before they are sent, and the phone may have gone in between.
    if case.headers.get("Authorization") in phone.former:
        case.headers["Authorization"] = f"Bearer {phone.current()['token']}"
    places = case.path_parameters
    if not is_at_fault(case, ParameterLocation.PATH):
        if "device" in places:
            places["device"] = phone.current()["device"]
        if "pairing" in places:
            places["pairing"] = pairing()["pairing"]
    # Nobody hands a receipt back, so that there is nothing to wait for.
    query = case.query or {}
    if case.operation.path.endswith("}/doctor"):
        asked = str(query.get("wait", ""))
        if not asked or re.fullmatch("[0-9]{1,3}", asked) and int(asked) <= 300:
            case.query = {**query, "wait": 0}
    # Nothing leaves the machine, and what stands for a secret of a phone is one that can be used.
    body = case.body
    if not isinstance(body, dict):
        return
    if not is_at_fault(case, ParameterLocation.BODY):
        complete(body)
    given = body.get("endpoint")
    if isinstance(given, str) and re.match(r"https?://", given) and len(given) <= 1000:
        body["endpoint"] = endpoint()
    if is_key(body.get("vapidPublicKey")):
        body["vapidPublicKey"] = VAPID_KEY
    keys = body.get("keys")
    if isinstance(keys, dict):
        if is_key(keys.get("p256dh")):
            keys["p256dh"] = KEYS["p256dh"]
        if isinstance(keys.get("auth"), str) and re.fullmatch(r"[\w+/-]{22}(==)?", keys["auth"], re.ASCII):
            keys["auth"] = KEYS["auth"]


@schemathesis.hook
def after_call(context, case, response):
    is_removed = response.request.method == "DELETE" and response.status_code == 204
    # Its app has ended the subscription: there is nothing to wake.
    is_silenced = response.request.method == "PATCH" and '"state":"no-push"' in response.text
    if is_removed or is_silenced:
        phone.leave()
