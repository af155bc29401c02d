"""The official Python client at a gateway: lists, calls, is refused, leaves a call. One JSON line of what it was told."""
import asyncio
import json
import sys

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client


async def main(url: str, token: str, mode: str) -> None:
    told = {}
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {token}"}) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            told["tools"] = [tool.name for tool in (await client.list_tools()).tools]
            greeted = await client.call_tool("greet", {"value": "Oslo"})
            told["greeted"] = [greeted.is_error, greeted.structured_content]
            told["wrong"] = (await client.call_tool("wrong", {})).is_error
            try:
                await client.call_tool("absent", {})
            except MCPError as error:
                told["absent"] = error.code
            left = asyncio.create_task(client.call_tool("endless", {}))
            await asyncio.to_thread(sys.stdin.readline)
            left.cancel()
            await asyncio.gather(left, return_exceptions=True)
            told["left"] = left.cancelled()
            print(json.dumps(told), flush=True)
            # Stays connected: what ends the run is that the call was left.
            await asyncio.to_thread(sys.stdin.readline)


asyncio.run(main(*sys.argv[1:]))
