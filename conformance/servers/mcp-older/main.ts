/**
 * A server of tools of an earlier revision (2025-06-18) over the standard streams: `main.ts --log FILE --pids FILE`.
 * `wait` is never answered, `leave` ends the server, every other tool tells its arguments. It stays when its input ends
 * and heeds no SIGTERM. The log holds each line that it was told.
 */
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const {
  values: { log = '/dev/null', pids = '/dev/null' },
} = parseArgs({ options: { log: { type: 'string' }, pids: { type: 'string' } } });
appendFileSync(pids, `${process.pid}\n`);
process.on('SIGTERM', () => undefined);
setInterval(() => undefined, 1000);

const TOOLS = ['tell', 'wait', 'leave'].map((name) => ({
  name,
  title: name,
  description: `It can ${name}.`,
  inputSchema: {
    type: 'object',
    'x-own': [1],
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: { a: { type: ['string', 'null'] } },
  },
  annotations: { readOnlyHint: true },
}));

createInterface({ input: process.stdin }).on('line', (line) => {
  appendFileSync(log, `${line}\n`);
  const {
    id,
    method,
    params = {},
  }: {
    readonly id?: number;
    readonly method?: string;
    readonly params?: { readonly name?: string; readonly arguments?: unknown };
  } = JSON.parse(line);
  const answer = (result: unknown): void =>
    void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  if (method === 'initialize')
    answer({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'older', version: '3' } });
  if (method === 'tools/list') answer({ tools: TOOLS });
  if (method !== 'tools/call') return;
  if (params.name === 'leave') process.exit(7);
  if (params.name === 'fail')
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_602, message: 'no such tool' } })}\n`,
    );
  else if (params.name !== 'wait') answer({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] });
});
