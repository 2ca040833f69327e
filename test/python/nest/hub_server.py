"""A Hub on this machine: the part of its protocol that downloads use, and faults on demand."""

import hashlib
import json
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def git_hash(data: bytes) -> str:
    """Git's hash of a blob."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


@dataclass
class Hub:
    """Files by `OWNER/NAME/path`, and what goes wrong with them.

    `cut` ends that many answers after a part of the file. `swapped` are served in place of a file
    whose size and hash are told as before. `status` answers with a status alone, that many times.
    `redirect` sends a download to another address. `pause` waits before each block of a file.
    """

    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    cut: dict[str, int] = field(default_factory=dict[str, int])
    swapped: dict[str, bytes] = field(default_factory=dict[str, bytes])
    status: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    redirect: dict[str, str] = field(default_factory=dict[str, str])
    commit: str = COMMIT
    pause: float = 0.0
    block: int = 1 << 14
    url: str = ""
    # Method, path, Range and Authorization of each request.
    log: list[tuple[str, str, str, str]] = field(default_factory=list[tuple[str, str, str, str]])

    def gets(self, name: str) -> list[str]:
        """The ranges of the downloads of a file; `` for all of it."""
        return [r for method, path, r, _ in self.log if method == "GET" and path.endswith(name)]


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            del format, args

        def do_HEAD(self) -> None:
            self.answer()

        def do_GET(self) -> None:
            self.answer()

        def answer(self) -> None:
            path = unquote(urlsplit(self.path).path)
            given = self.headers.get("Range") or ""
            token = self.headers.get("Authorization") or ""
            hub.log.append((self.command, path, given, token))
            parts = path.strip("/").split("/")
            if parts[:2] == ["api", "models"]:
                return self.listing("/".join(parts[2:4]))
            if len(parts) > 4 and parts[2] == "resolve":
                return self.file("/".join([*parts[:2], *parts[4:]]), parts[3])
            return self.plain(404)

        def plain(self, status: int, **headers: str) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def listing(self, repo: str) -> None:
            if left := hub.status.get(repo):
                return self.plain(left.pop())
            siblings: list[dict[str, object]] = []
            for name, data in hub.files.items():
                if not name.startswith(f"{repo}/"):
                    continue
                each: dict[str, object] = {
                    "rfilename": name.removeprefix(f"{repo}/"),
                    "size": len(data),
                    "blobId": git_hash(data),
                }
                if name.endswith(".safetensors"):
                    sha256 = hashlib.sha256(data).hexdigest()
                    each["lfs"] = {"sha256": sha256, "size": len(data), "pointerSize": 134}
                siblings.append(each)
            if not siblings:
                return self.plain(404, X_Error_Code="RepoNotFound")
            info = {"id": repo, "modelId": repo, "sha": hub.commit, "siblings": siblings}
            text = json.dumps(info).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
            return None

        def file(self, name: str, revision: str) -> None:
            if left := hub.status.get(name):
                return self.plain(left.pop())
            if name not in hub.files:
                return self.plain(404, X_Error_Code="EntryNotFound", X_Repo_Commit=hub.commit)
            if revision not in (hub.commit, "main"):
                return self.plain(404, X_Error_Code="RevisionNotFound")
            told = hub.files[name]
            data = hub.swapped.get(name, told)
            large = name.endswith(".safetensors")
            etag = hashlib.sha256(told).hexdigest() if large else git_hash(told)
            if name in hub.redirect and self.command == "GET":
                return self.plain(302, Location=hub.redirect[name])
            first, last = 0, len(data) - 1
            wanted = (self.headers.get("Range") or "").removeprefix("bytes=")
            if wanted:
                start, _, end = wanted.partition("-")
                first, last = int(start), min(int(end or last), last)
            body = data[first : last + 1]
            self.send_response(206 if wanted else 200)
            self.send_header("X-Repo-Commit", hub.commit)
            self.send_header("ETag", f'"{etag}"')
            self.send_header("X-Linked-Etag", f'"{etag}"')
            self.send_header("X-Linked-Size", str(len(told)))
            if wanted:
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "HEAD":
                return None
            whole = not wanted.startswith("0-")  # Not the look at a header.
            if whole and hub.cut.get(name, 0) > 0:
                hub.cut[name] -= 1
                self.wfile.write(body[: len(body) // 2])
                self.wfile.flush()
                self.close_connection = True
                self.connection.close()
                return None
            for at in range(0, len(body), hub.block):
                if whole and hub.pause:
                    time.sleep(hub.pause)
                self.wfile.write(body[at : at + hub.block])
            return None

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of connections that were cut on purpose."""
        del request, client_address


@contextmanager
def serving(hub: Hub) -> Generator[Hub]:
    """Serve a Hub at `hub.url` within."""
    server = _Server(("127.0.0.1", 0), _handler(hub))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
