/**
 * Calls both tools with the official client: GATEWAY_TOKEN=... node call.mjs
 * (npm install @modelcontextprotocol/client).
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const client = new Client({ name: 'example', version: '1.0.0' });
const authorization = `Bearer ${process.env.GATEWAY_TOKEN}`;
await client.connect(
  new StreamableHTTPClientTransport(new URL(process.env.GATEWAY_URL ?? 'http://127.0.0.1:8321/mcp'), {
    requestInit: { headers: { authorization } },
  }),
);
const { tools } = await client.listTools();
console.log(tools.map(({ name }) => name).join(' '));
const { structuredContent: totals } = await client.callTool({
  name: 'order_totals',
  arguments: {
    orders: [
      { id: 'a', status: 'paid', total: 12.5 },
      { id: 'b', status: 'pending', total: 3 },
    ],
  },
});
console.log(JSON.stringify(totals));
const { structuredContent: found } = await client.callTool({ name: 'find_refunds', arguments: { kind: 'refund' } });
console.log(JSON.stringify(found));
await client.close();
