"""An OpenID provider on the loopback: it believes whoever comes, and says what the test wants of them."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import time
from urllib.parse import parse_qs

import jwt

CLIENT = "quizsite-client"
KEY = "the provider's own key, of thirty-two characters"


class Provider(ThreadingHTTPServer):
    """Serves at `issuer`; `claims` are what it says of the person, `asked` the bodies that the token was asked with."""

    daemon_threads = True

    def __init__(self, claims):
        super().__init__(("127.0.0.1", 0), Answers)
        self.issuer = f"http://127.0.0.1:{self.server_address[1]}"
        self.claims = claims
        self.asked = []

    def __enter__(self):
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_error):
        self.shutdown()
        self.server_close()


class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        issuer = self.server.issuer
        pages = {
            "/.well-known/openid-configuration": {
                "issuer": issuer,
                "authorization_endpoint": f"{issuer}/authorize",
                "token_endpoint": f"{issuer}/token",
                "userinfo_endpoint": f"{issuer}/userinfo",
                "jwks_uri": f"{issuer}/keys",
            },
            "/userinfo": self.server.claims,
        }
        self._answer(pages[self.path])

    def do_POST(self):
        body = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.server.asked.append(body)
        if body["code"] == ["refused"]:
            return self._answer({"error": "invalid_grant"}, status=400)
        said = {"iss": self.server.issuer, "aud": CLIENT, "exp": int(time()) + 60, **self.server.claims}
        return self._answer({"access_token": "a", "token_type": "Bearer", "id_token": jwt.encode(said, KEY)})

    def _answer(self, body, status=200):
        sent = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_words):
        """Tests' output is for tests."""
