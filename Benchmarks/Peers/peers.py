"""What a user would pick instead, each used as its manual does it.

    peers.py list
    peers.py encrypt PEER SECONDS
    peers.py send PEER COUNT CONNECTIONS

Standard input is one JSON object: p256dh, auth, vapid (the private scalar), public, plaintext, origin, ca (a file).
Standard output is one JSON object. A peer that is not installed is said so there, and the exit status is 3.
"""

import asyncio
import base64
import concurrent.futures
import importlib
import json
import sys
import time

SUBJECT = "mailto:bench@example.com"


def octets(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Peer:
    """One sender. `modules` are what it needs; `encrypt` is None where it only sends."""

    modules = ()
    encrypt = None
    send = None

    def __init__(self, given):
        self.given = given
        self.plaintext = given["plaintext"]
        for module in self.modules:
            setattr(self, module, importlib.import_module(module))

    def endpoint(self, number):
        return f"{self.given['origin']}/up/{number}"

    def subscription(self, number):
        return {
            "endpoint": self.endpoint(number),
            "keys": {"p256dh": self.given["p256dh"], "auth": self.given["auth"]},
        }


class HTTPECE(Peer):
    modules = ("http_ece",)

    def encrypt(self):
        from cryptography.hazmat.primitives.asymmetric import ec

        return self.http_ece.encrypt(
            self.plaintext.encode(),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=octets(self.given["p256dh"]),
            auth_secret=octets(self.given["auth"]),
            version="aes128gcm",
        )


class PyWebPush(Peer):
    modules = ("pywebpush", "py_vapid", "requests")

    def __init__(self, given):
        super().__init__(given)
        self.key = self.py_vapid.Vapid.from_string(given["vapid"])
        self.pusher = self.pywebpush.WebPusher(self.subscription(0))

    def encrypt(self):
        return self.pusher.encode(self.plaintext.encode())["body"]

    def send(self, count, connections):
        with self.requests.Session() as session:
            session.verify = self.given["ca"]
            # Variables of the environment would win over what is set here.
            session.trust_env = False
            for number in range(count):
                self.pywebpush.webpush(
                    self.subscription(number),
                    self.plaintext,
                    vapid_private_key=self.key,
                    vapid_claims={"sub": SUBJECT},
                    ttl=86400,
                    requests_session=session,
                )


def at_once(given, count, connections, send):
    """Runs `send(session, number)` for every number, over one aiohttp session of so many connections."""
    import ssl

    import aiohttp

    async def run():
        context = ssl.create_default_context(cafile=given["ca"])
        connector = aiohttp.TCPConnector(ssl=context, limit=connections)
        numbers = iter(range(count))
        async with aiohttp.ClientSession(connector=connector) as session:

            async def work():
                for number in numbers:
                    await send(session, number)

            await asyncio.gather(*(work() for _ in range(connections)))

    asyncio.run(run())


class PyWebPushAsync(PyWebPush):
    modules = ("pywebpush", "py_vapid", "requests", "aiohttp")
    encrypt = None

    def send(self, count, connections):
        async def one(session, number):
            await self.pywebpush.webpush_async(
                self.subscription(number),
                self.plaintext,
                vapid_private_key=self.key,
                vapid_claims={"sub": SUBJECT},
                ttl=86400,
                aiohttp_session=session,
            )

        at_once(self.given, count, connections, one)


class WebPush(Peer):
    """The package `webpush`, which makes the message; aiohttp sends it."""

    modules = ("webpush", "aiohttp")

    def __init__(self, given):
        super().__init__(given)
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        key = ec.derive_private_key(int.from_bytes(octets(given["vapid"]), "big"), ec.SECP256R1())
        self.sender = self.webpush.WebPush(
            private_key=key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ),
            public_key=key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            ),
            subscriber=SUBJECT.removeprefix("mailto:"),
            ttl=86400,
        )
        self.to = self.webpush.WebPushSubscription.model_validate(self.subscription(0))

    def encrypt(self):
        return self.sender._encrypt(self.plaintext.encode(), self.to)

    def send(self, count, connections):
        async def one(session, number):
            to = self.webpush.WebPushSubscription.model_validate(self.subscription(number))
            message = self.sender.get(self.plaintext, to)
            async with session.post(
                self.endpoint(number), data=message.encrypted, headers=dict(message.headers)
            ) as response:
                response.raise_for_status()

        at_once(self.given, count, connections, one)


class WebPushRS(Peer):
    """Blocks while it sends: its manual has it called from threads."""

    modules = ("webpush_rs",)

    def send(self, count, connections):
        def one(number):
            status = self.webpush_rs.send_one(
                self.endpoint(number),
                self.given["p256dh"],
                self.given["auth"],
                self.given["vapid"],
                SUBJECT,
                self.plaintext.encode(),
            )
            if not 200 <= status <= 299:
                raise RuntimeError(f"status {status}")

        with concurrent.futures.ThreadPoolExecutor(connections) as pool:
            for _ in pool.map(one, range(count)):
                pass


PEERS = {
    "http-ece": HTTPECE,
    "pywebpush": PyWebPush,
    "pywebpush, asynchronous": PyWebPushAsync,
    "webpush": WebPush,
    "webpush-rs": WebPushRS,
}


def encrypt(peer, seconds):
    """Encryptions for so long, by processor time, so that other programs on the core do not count."""
    body = peer.encrypt()
    count = 0
    start, used = time.monotonic(), time.process_time()
    while time.monotonic() - start < seconds:
        peer.encrypt()
        count += 1
    used = time.process_time() - used
    return {"count": count, "seconds": used, "body": base64.urlsafe_b64encode(body).decode().rstrip("=")}


def send(peer, count, connections):
    peer.send(min(count, connections), connections)
    start, used = time.monotonic(), time.process_time()
    peer.send(count, connections)
    return {"count": count, "seconds": time.monotonic() - start, "processor": time.process_time() - used}


def main():
    command = sys.argv[1]
    if command == "list":
        can = [(name, bool(peer.encrypt), bool(peer.send)) for name, peer in PEERS.items()]
        print(json.dumps([{"name": name, "encrypts": encrypts, "sends": sends} for name, encrypts, sends in can]))
        return
    try:
        peer = PEERS[sys.argv[2]](json.load(sys.stdin))
    except ImportError as error:
        print(json.dumps({"missing": error.name}))
        sys.exit(3)
    if command == "encrypt":
        print(json.dumps(encrypt(peer, float(sys.argv[3]))))
    else:
        print(json.dumps(send(peer, int(sys.argv[3]), int(sys.argv[4]))))


main()
