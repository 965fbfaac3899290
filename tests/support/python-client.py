"""An MCP client by the Python SDK: from a 401 through its person's sign-in to a tool call, or a signed plan.

It prints the address that its person opens, and at the end what it got, each as one line of JSON.
"""

import asyncio
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata


class Kept:
    """Where a client keeps its tokens."""

    def __init__(self):
        self.tokens = None
        self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def say(**facts):
    print(json.dumps(facts), flush=True)


def listen():
    """Listens for the browser on a free port: the address, and what the browser brings."""
    answers = []
    came = threading.Event()

    class Callback(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"You can close this window.")
            asked = urlsplit(self.path)
            # A browser also asks for the icon of the page.
            if asked.path == "/callback":
                answers.append(parse_qs(asked.query))
                came.set()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Callback)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    async def answer():
        await asyncio.to_thread(came.wait)
        [query] = answers
        first = {name: values[0] for name, values in query.items()}
        return AuthorizationCodeResult(code=first["code"], state=first["state"], iss=first["iss"])

    return f"http://127.0.0.1:{server.server_port}/callback", answer


async def call(client, tool, **arguments):
    result = await client.call_tool(tool, arguments)
    if result.is_error:
        raise RuntimeError(f"{tool}: {result.content}")
    return result.structured_content


async def sign_plan(client, run):
    started = await call(client, "create_campaign", **run["campaign"], idempotency_key=f"{run['key']}-start")
    plan = started["plan"]["plan_id"]
    quote = await call(client, "plan_quote", id=plan)
    return await call(
        client,
        "approve_plan",
        id=plan,
        terms_fingerprint=quote["terms_fingerprint"],
        idempotency_key=f"{run['key']}-sign",
    )


async def main():
    run = json.loads(sys.argv[1])
    redirect, answer = listen()
    kept = Kept()

    async def opened(url):
        say(open=url)

    auth = OAuthClientProvider(
        server_url=run["url"],
        client_metadata=OAuthClientMetadata(client_name=run["name"], redirect_uris=[redirect]),
        storage=kept,
        redirect_handler=opened,
        callback_handler=answer,
    )
    async with create_mcp_http_client(auth=auth) as http:
        transport = streamable_http_client(run["url"], http_client=http)
        async with Client(transport, mode=run["mode"]) as client:
            tools = (await client.list_tools()).tools
            network = await call(client, "inventory")
            signed = None if run["campaign"] is None else await sign_plan(client, run)
            say(
                revision=client.protocol_version,
                tools=len(tools),
                channels=[channel["channel"] for channel in network["channels"]],
                payment_url=None if signed is None else signed["payment"]["url"],
                token=kept.tokens.access_token,
            )


asyncio.run(main())
