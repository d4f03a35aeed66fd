"""A hub of our own on this machine: what the hub's client asks, answered from memory."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit


@dataclass
class Hub:
    """repositories: by id, their files. requests: what was asked, as `GET /path`."""

    url: str = ""
    repositories: dict[str, dict[str, bytes]] = field(default_factory=dict)
    requests: list[str] = field(default_factory=list)

    def commit(self, repo_id: str) -> str:
        """A commit's name, which follows from the files."""
        files = sorted(self.repositories[repo_id].items())
        return hashlib.sha1(b"".join(name.encode() + data for name, data in files)).hexdigest()


@contextmanager
def hub_server() -> Iterator[Hub]:
    """The server, until the end of the block."""
    hub = Hub()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer_from(self._found())

        do_HEAD = do_GET

        def _found(self) -> bytes | Any:
            path = unquote(urlsplit(self.path).path).strip("/").split("/")
            hub.requests.append(f"{self.command} {self.path}")
            repo_id = "/".join(path[2:4] if path[0] == "api" else path[:2])
            if repo_id not in hub.repositories:
                return None
            files = hub.repositories[repo_id]
            if path[:2] != ["api", "models"]:
                return files.get("/".join(path[4:]))  # owner/name/resolve/commit/file
            if path[4:5] == ["tree"]:
                return [{"type": "file", "path": name, "size": len(d), "oid": _oid(d)} for name, d in files.items()]
            return {"id": repo_id, "sha": hub.commit(repo_id), "siblings": [{"rfilename": name} for name in files]}

        def do_POST(self) -> None:
            hub.requests.append(f"POST {self.path}")
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/api/repos/create":
                asked = json.loads(body)
                repo_id = f"{asked['organization']}/{asked['name']}" if "organization" in asked else asked["name"]
                hub.repositories.setdefault(repo_id, {})
                self._answer_from({"url": f"{hub.url}/{repo_id}", "id": repo_id})
            elif self.path == "/api/validate-yaml":
                self._answer_from({"errors": [], "warnings": []})
            elif "/preupload/" in self.path:
                paths = [file["path"] for file in json.loads(body)["files"]]
                files = [{"path": path, "uploadMode": "regular", "shouldIgnore": False} for path in paths]
                self._answer_from({"files": files})
            elif "/commit/" in self.path:
                self._answer_from(self._committed("/".join(self.path.split("/")[3:5]), body))
            else:
                self._answer_from(None)

        def _committed(self, repo_id: str, body: bytes) -> Any:
            for line in body.splitlines():
                told = json.loads(line)
                if told["key"] == "file":
                    hub.repositories[repo_id][told["value"]["path"]] = base64.b64decode(told["value"]["content"])
            commit = hub.commit(repo_id)
            return {"commitUrl": f"{hub.url}/{repo_id}/commit/{commit}", "commitOid": commit, "success": True}

        def _answer_from(self, found: bytes | Any) -> None:
            missing = {"error": "Repository not found"}
            data = found if isinstance(found, bytes) else json.dumps(missing if found is None else found).encode()
            self.send_response(404 if found is None else 200)
            if found is None:
                self.send_header("X-Error-Code", "RepoNotFound")
            self.send_header("Content-Length", str(len(data)))
            if isinstance(found, bytes):
                self.send_header("ETag", f'"{_oid(data)}"')
                self.send_header("X-Repo-Commit", self.path.split("/")[4])
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        httpd.daemon_threads = True
        hub.url = f"http://127.0.0.1:{httpd.server_address[1]}"
        thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield hub
        finally:
            httpd.shutdown()
            thread.join()


def _oid(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
