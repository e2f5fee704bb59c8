"""A small mail server (SMTP, RFC 5321) for tests. It can be slow, silent or refusing."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import NamedTuple


class AcceptedMail(NamedTuple):
    """A mail that the server has accepted: the sender, the addresses, and the message."""

    sender: str
    to: list[str]
    message: EmailMessage


class MailServer(ThreadingTCPServer):
    """A mail server on a free port of this machine.

    `accepted` has its mails, `met` counts the connections. `reply_seconds`: the time before each reply.
    `slow_seconds`: the time that it takes for the text of a mail. `is_silent`: it never replies. `refusal`: its reply
    to each address, such as "550 no such mailbox".
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Conversation)
        self.accepted: list[AcceptedMail] = []
        self.met = 0
        self.reply_seconds, self.slow_seconds, self.is_silent, self.refusal = 0.0, 0.0, False, ""
        self.ended = threading.Event()

    @property
    def settings(self) -> dict[str, str]:
        """The variables of the environment by which a site uses this server."""
        host, port = self.server_address[:2]
        told = {"EMAIL_HOST": str(host), "EMAIL_PORT": str(port), "EMAIL_SECURITY": "none"}
        return told | {"EMAIL_FROM": "tarot@example.org"}


class Conversation(StreamRequestHandler):
    """A conversation by SMTP, with the commands that Python's client uses."""

    server: MailServer

    def handle(self) -> None:
        self.server.met += 1
        self.say("220 mail.example.org")
        sender, to = "", []
        while line := self.rfile.readline().decode().strip():
            verb, answer = line.partition(" ")[0].upper(), "250 OK"
            if verb == "MAIL":
                sender, to = line.partition(":")[2], []
            elif verb == "RCPT":
                to.append(line.partition(":")[2].strip("<> "))
                answer = self.server.refusal or answer
            elif verb == "DATA":
                self.say("354 go on")
                message = message_from_bytes(self.read_data(), policy=policy.default)
                self.server.accepted.append(AcceptedMail(sender, to, message))
            elif verb == "QUIT":
                self.say("221 bye")
                return
            self.say(answer)

    def read_data(self) -> bytes:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        time.sleep(self.server.slow_seconds)
        return b"".join(lines)

    def say(self, answer: str) -> None:
        """Send a reply, after the time that the server takes. A silent server waits until the test ends."""
        if self.server.is_silent:
            self.server.ended.wait()
        self.server.ended.wait(self.server.reply_seconds)
        self.wfile.write(f"{answer}\r\n".encode())


@contextmanager
def serve_mails() -> Iterator[MailServer]:
    """Start a mail server, and stop it at the end."""
    with MailServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            server.shutdown()
            thread.join()
