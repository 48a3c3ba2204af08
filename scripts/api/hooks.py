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
    """The device that paths name, made anew once it was removed."""

    def __init__(self):
        self.registered = None

    def current(self):
        if self.registered is None:
            self.registered = register()
        return self.registered


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


@schemathesis.hook
def filter_body(context, body):
    # A schema cannot say it of members that it does not name.
    return fits(body)


@schemathesis.hook
def before_call(context, case, kwargs):
    # Each request comes from a client of its own: many show no valid token, which is held to a rate for each address.
    case.headers["X-Forwarded-For"] = f"2001:db8:{secrets.token_hex(2)}:{secrets.token_hex(2)}::1"
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
    given = body.get("endpoint")
    if isinstance(given, str) and re.match(r"https?://", given) and len(given) <= 1000:
        body["endpoint"] = endpoint()
    keys = body.get("keys")
    if isinstance(keys, dict):
        for name, form in (("p256dh", r"[\w+/-]{87}=?"), ("auth", r"[\w+/-]{22}(==)?")):
            if isinstance(keys.get(name), str) and re.fullmatch(form, keys[name], re.ASCII):
                keys[name] = KEYS[name]


@schemathesis.hook
def after_call(context, case, response):
    if response.request.method == "DELETE" and response.status_code == 204:
        phone.registered = None
