import { Server } from '@modelcontextprotocol/server';
import type { OlderServer } from './older-server.ts';
import { CLIENT } from '../protocol/revision.ts';

/** A server that hands lists and calls on, and takes them back when its caller does. */
export function bridge(older: OlderServer): Server {
  const { info, hasTools } = older;
  const server = new Server(info ?? { name: `${CLIENT.name}-mcp-bridge`, version: CLIENT.version }, {
    capabilities: hasTools ? { tools: {} } : {},
  });
  if (!hasTools) return server;
  server.setRequestHandler('tools/list', async ({ params }, { mcpReq }) =>
    older.list(withoutMeta(params), mcpReq.signal),
  );
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) =>
    older.call(withoutMeta(params), mcpReq.signal),
  );
  return server;
}

/** What the revisions say of a request differs, and each side says its own. */
function withoutMeta(params: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => name !== '_meta'));
}
