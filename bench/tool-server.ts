/**
 * A server of one tool that the official package serves, over standard streams or (first argument `http`) over HTTP,
 * for which it prints its address. `tick` says its argument and the time at which it was asked, in nanoseconds of this
 * process.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

function ticking(): McpServer {
  const server = new McpServer({ name: 'clock', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.registerTool(
    'tick',
    { description: 'Tells the time.', inputSchema: z.object({ n: z.number() }) },
    async ({ n }) => ({ content: [{ type: 'text', text: `${String(n)} ${String(process.hrtime.bigint())}` }] }),
  );
  return server;
}

async function serveHttp(): Promise<void> {
  const handler = createMcpHandler(ticking);
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    const answer = async (): Promise<void> => {
      for await (const piece of incoming) pieces.push(piece);
      const headers = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' ? [[name, value]] : [],
      );
      const input = await handler.fetch(
        new Request(`http://${incoming.headers.host ?? ''}/mcp`, {
          method: 'POST',
          headers,
          body: Buffer.concat(pieces),
        }),
      );
      response.writeHead(input.status, Object.fromEntries(input.headers));
      response.end(Buffer.from(await input.arrayBuffer()));
    };
    void answer();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port }: AddressInfo = Object(server.address());
  process.stdout.write(`http://127.0.0.1:${String(port)}/mcp\n`);
}

if (process.argv[2] === 'http') await serveHttp();
else serveStdio(ticking);
