#!/usr/bin/python3
"""A push server that nobody here wrote, for the end-to-end test.

Starts Debian's Prosody with mod_unified_push on loopback, from a folder and a configuration of its own that are thrown
away afterwards, and plays the distributor of a phone: an XMPP client that registers one application and hands on what
is pushed to it. The packaged daemon, its configuration and its data are neither read nor written.

  --probe   say whether the packages are there: exit 0, or 77 with a sentence

Standard output, one JSON object a line:
  {"event":"ready","endpoint":URL,"expiration":TIME}   the application is registered; pushes may come
  {"event":"push","octets":N,"base64":TEXT}            what the client received, octet for octet
  {"event":"error","reason":TEXT}                      it cannot go on; exit status 1 follows
  {"event":"ended","reason":TEXT}                      the last line, after everything was cleaned up
Standard error: what Prosody and the XMPP library say.

It ends when standard input ends, on SIGTERM, SIGINT or SIGHUP, and after --lifetime seconds at the latest.

What this server answers to a push: 201 once the client has acknowledged it, 400 to an empty body, 404 to an unknown
endpoint, 413 to more than 4096 octets. It looks at no header field of the push.
"""
import argparse
import asyncio
import base64
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import sys
import tempfile
import threading

MODULES = pathlib.Path("/usr/lib/prosody/modules")
NAMESPACE = "http://gultsch.de/xmpp/drafts/unified-push"
DOMAIN = "localhost"
EXIT_MISSING = 77
START_ATTEMPTS = 3  # a port found free may be taken by somebody else before Prosody binds it
START_SECONDS = 20
STOP_SECONDS = 5


class Failure(Exception):
    """A reason to give up, as a sentence."""


def say(event, **members):
    print(json.dumps({"event": event, **members}, separators=(",", ":")), flush=True)


def missing():
    """What is not installed: a list of package names."""
    packages = []
    if not shutil.which("prosody"):
        packages.append("prosody")
    if not (MODULES / "mod_unified_push").is_dir():
        packages.append("prosody-modules")
    try:
        import slixmpp  # noqa: F401
    except ImportError:
        packages.append("python3-slixmpp")
    if not shutil.which("setpriv"):
        packages.append("util-linux")
    return packages


def free_ports(count):
    """TCP ports of loopback that nobody listens on, all different."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def lua(value):
    """A Lua literal for a string, a number, a truth value or a list of these."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, (list, tuple)):
        return "{ " + "; ".join(lua(each) for each in value) + " }"
    octets = str(value).encode()
    return '"' + "".join(chr(o) if 32 <= o < 127 and o not in b'"\\' else f"\\{o:03d}" for o in octets) + '"'


class PushServer:
    """One Prosody process in a folder of its own."""

    def __init__(self, folder, options):
        self.folder = folder
        self.options = options
        self.process = None
        self.xmpp_port, self.http_port = free_ports(2)

    @property
    def log(self):
        return self.folder / "prosody.log"

    def configuration(self):
        tls = self.options.certificate is not None
        scheme = "https" if tls else "http"
        settings = {
            "daemonize": False,
            "run_as_root": True,  # only lifts the refusal; an ordinary user stays one
            "pidfile": self.folder / "prosody.pid",
            "data_path": self.folder / "data",
            "certificates": self.folder,
            "plugin_paths": [MODULES],
            "network_backend": "epoll",
            "interfaces": ["127.0.0.1"],
            "modules_enabled": ["disco", "saslauth", "http"],
            # Switched on by default, and all of no use here: connections to other servers, certificates, stored messages.
            "modules_disabled": ["s2s", "s2s_auth_certs", "tls", "offline"],
            "c2s_ports": [self.xmpp_port],
            "c2s_direct_tls_ports": [],
            "c2s_require_encryption": False,
            "http_ports": [] if tls else [self.http_port],
            "https_ports": [self.http_port] if tls else [],
            "http_interfaces": ["127.0.0.1"],
            "https_interfaces": ["127.0.0.1"],
            "http_default_host": DOMAIN,
            "http_external_url": f"{scheme}://{self.options.host}:{self.http_port}/",
        }
        lines = [f"{name} = {lua(value)}" for name, value in settings.items()]
        if tls:
            certificate, key = lua(self.options.certificate), lua(self.options.key)
            lines.append(f"https_ssl = {{ certificate = {certificate}; key = {key} }}")
        lines += [
            'log = { { levels = { min = "info" }, to = "console" } }',
            f"VirtualHost {lua(DOMAIN)}",
            '  authentication = "anonymous"',  # the client is given a name for as long as it is connected: no account, no password
            "  allow_anonymous_storage = true",  # or registrations are not kept, and every push is answered 404
            '  modules_enabled = { "unified_push" }',
        ]
        return "\n".join(lines) + "\n"

    async def start(self):
        (self.folder / "data").mkdir(parents=True)
        configuration = self.folder / "prosody.cfg.lua"
        configuration.write_text(self.configuration())
        with open(self.log, "wb") as log:
            # setpriv asks the kernel to end Prosody with us, even where we are killed and cannot clean up.
            self.process = await asyncio.create_subprocess_exec(
                "setpriv", "--pdeathsig", "KILL", "--", "prosody", "--config", str(configuration), "-F",
                stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, start_new_session=True)
        for port in (self.xmpp_port, self.http_port):
            await self.wait_for(port)
        if "Failed to open server port" in self.log_text():
            raise Failure("a port was taken by somebody else")

    async def wait_for(self, port):
        while True:
            if self.process.returncode is not None:
                raise Failure(f"prosody ended with status {self.process.returncode}")
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                return
            except ConnectionError:
                await asyncio.sleep(0.05)

    async def stop(self):
        if self.process is None:
            return
        for sign in (signal.SIGTERM, signal.SIGKILL):
            if self.process.returncode is None:
                self.process.send_signal(sign)
                try:
                    await asyncio.wait_for(self.process.wait(), STOP_SECONDS)
                except asyncio.TimeoutError:
                    pass

    def log_text(self):
        try:
            return self.log.read_text(errors="replace")
        except OSError:
            return ""


class Distributor:
    """The phone's side: one anonymous XMPP session, one registered application."""

    def __init__(self, port):
        import slixmpp
        from slixmpp.xmlstream.handler import Callback
        from slixmpp.xmlstream.matcher import MatchXPath
        self.port = port
        self.client = slixmpp.ClientXMPP(DOMAIN, "")
        self.failed = asyncio.get_running_loop().create_future()
        self.started = asyncio.Event()
        self.client.add_event_handler("session_start", lambda _: self.started.set())
        self.client.add_event_handler("failed_auth", lambda _: self.fail("the XMPP server let nobody in"))
        self.client.add_event_handler("disconnected", lambda _: self.fail("the XMPP session was cut"))
        self.client.register_handler(
            Callback("push", MatchXPath("{jabber:client}iq/{%s}push" % NAMESPACE), self.received))

    def fail(self, reason):
        if not self.failed.done():
            self.failed.set_exception(Failure(reason))

    async def connect(self):
        if hasattr(self.client, "enable_plaintext"):  # slixmpp 1.9 and later
            self.client.enable_plaintext = True
            self.client.enable_starttls = self.client.enable_direct_tls = False
            self.client.connect("127.0.0.1", self.port)
        else:
            self.client.connect(("127.0.0.1", self.port), disable_starttls=True, force_starttls=False)
        waiting = asyncio.ensure_future(self.started.wait())
        await asyncio.wait({waiting, self.failed}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self.failed.done():
            self.failed.result()

    async def register(self, application):
        """The endpoint, and when it expires."""
        from slixmpp.xmlstream import ET
        # The server is to learn a digest of these names and not the names.
        names = {each: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
                 for each, text in (("application", application), ("instance", "default"))}
        request = self.client.make_iq_set(ito=DOMAIN)
        request.append(ET.Element("{%s}register" % NAMESPACE, names))
        answer = await request.send(timeout=START_SECONDS)
        registered = answer.xml.find("{%s}registered" % NAMESPACE)
        if registered is None or not registered.get("endpoint"):
            raise Failure("the answer to the registration holds no endpoint")
        return registered.get("endpoint"), registered.get("expiration")

    def received(self, stanza):
        if stanza["type"] != "set" or str(stanza["from"]) != DOMAIN:
            return
        text = stanza.xml.find("{%s}push" % NAMESPACE).text or ""
        octets = base64.b64decode(text, validate=True)
        say("push", octets=len(octets), base64=base64.b64encode(octets).decode())
        stanza.reply().send()

    async def disconnect(self):
        if not self.failed.done():
            self.failed.cancel()
        try:
            await asyncio.wait_for(self.client.disconnect(wait=1), STOP_SECONDS)
        except Exception as fault:  # the session may be gone already; nothing to mend at the end
            print("disconnect:", repr(fault), file=sys.stderr)


def end_with_standard_input(loop, end):
    """A thread, since not everything that may stand at standard input can be polled."""
    def read():
        try:
            while os.read(0, 4096):
                pass
        except OSError:
            pass
        try:
            loop.call_soon_threadsafe(end, "standard input ended")
        except RuntimeError:
            pass  # the loop is closed: the end has come another way
    threading.Thread(target=read, daemon=True).start()


async def serve(folder, options, ended):
    """From a start to `ended`; everything that it started has stopped when it returns."""
    server = distributor = None
    try:
        for attempt in range(1, START_ATTEMPTS + 1):
            server = PushServer(folder / str(attempt), options)
            try:
                await asyncio.wait_for(server.start(), START_SECONDS)
                break
            except (Failure, asyncio.TimeoutError) as fault:
                await server.stop()
                print(server.log_text(), file=sys.stderr)
                if attempt == START_ATTEMPTS:
                    raise Failure(str(fault) or f"prosody opened no port in {START_SECONDS} s")
        distributor = Distributor(server.xmpp_port)
        await asyncio.wait_for(distributor.connect(), START_SECONDS)
        endpoint, expiration = await distributor.register(options.application)
        say("ready", endpoint=endpoint, expiration=expiration)
        gone = asyncio.ensure_future(server.process.wait())
        await asyncio.wait({ended, gone, distributor.failed}, return_when=asyncio.FIRST_COMPLETED)
        if not ended.done():
            if gone.done():
                raise Failure(f"prosody ended with status {gone.result()}")
            distributor.failed.result()
        gone.cancel()
    except Exception:
        if server is not None:
            print(server.log_text(), file=sys.stderr)
        raise
    finally:
        if distributor is not None:
            await distributor.disconnect()
        if server is not None:
            await server.stop()


async def run(options):
    loop = asyncio.get_running_loop()
    ended = loop.create_future()

    def end(reason):
        if not ended.done():
            ended.set_result(reason)

    for sign in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(sign, end, sign.name)
    loop.call_later(options.lifetime, end, f"{options.lifetime:g} s are over")
    end_with_standard_input(loop, end)

    folder = pathlib.Path(tempfile.mkdtemp(prefix="wake-prosody."))
    status = 0
    serving = asyncio.ensure_future(serve(folder, options, ended))
    try:
        # An end that comes during the start cuts the start short.
        await asyncio.wait({serving, ended}, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait({serving}, timeout=3 * STOP_SECONDS)
        if not serving.done():
            serving.cancel()
            await asyncio.wait({serving})
        if not serving.cancelled() and serving.exception() is not None:
            fault = serving.exception()
            say("error", reason=str(fault) or repr(fault))
            end("it failed")
            status = 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    say("ended", reason=ended.result())
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probe", action="store_true", help="only say whether the packages are there")
    parser.add_argument("--application", default="org.example.companion", help="name to register")
    parser.add_argument("--lifetime", type=float, default=300, metavar="SECONDS", help="end after that at the latest")
    parser.add_argument("--host", default="127.0.0.1", choices=["127.0.0.1", "localhost"], help="host name in the endpoint")
    parser.add_argument("--certificate", type=pathlib.Path, metavar="PEM", help="serve https with this certificate chain")
    parser.add_argument("--key", type=pathlib.Path, metavar="PEM", help="and its private key")
    options = parser.parse_args()
    if (options.certificate is None) != (options.key is None):
        parser.error("--certificate and --key come together")
    if options.certificate is not None:
        options.certificate, options.key = options.certificate.resolve(), options.key.resolve()

    packages = missing()
    if packages:
        reason = "the real push server needs packages that are not installed: " + " ".join(packages)
        if options.probe:
            print(reason)
        else:
            say("error", reason=reason)
        return EXIT_MISSING
    if options.probe:
        print("the real push server can run: prosody, mod_unified_push and slixmpp are here")
        return 0
    return asyncio.run(run(options))


if __name__ == "__main__":
    sys.exit(main())
