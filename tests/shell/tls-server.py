"""A folder over HTTPS on 127.0.0.1, and over HTTP: tls-server.py FOLDER CERTIFICATE KEY; prints its two ports.

/redirect/NAME leads to NAME over HTTPS, /downgrade/NAME over HTTP, /stall sends a byte and then nothing.
"""
import functools
import http.server
import ssl
import sys
import threading


class Handler(http.server.SimpleHTTPRequestHandler):
    ports = {}

    def do_GET(self):
        where, _, name = self.path[1:].partition("/")
        if where in ("redirect", "downgrade"):
            scheme = "https" if where == "redirect" else "http"
            self.send_response(302)
            self.send_header("Location", f"{scheme}://127.0.0.1:{self.ports[scheme]}/{name}")
            self.end_headers()
        elif where == "stall":
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            self.wfile.write(b"x")
            self.wfile.flush()
            threading.Event().wait()
        else:
            super().do_GET()

    def log_message(self, *_):
        pass


folder, certificate, key = sys.argv[1:]
for scheme in ("https", "http"):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    if scheme == "https":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    Handler.ports[scheme] = server.server_port
    threading.Thread(target=server.serve_forever).start()
print(Handler.ports["https"], Handler.ports["http"], flush=True)
