/**
 * A server of tools over HTTP to try `svc` against, by hand: `main.ts [--script FILE] [--port N] [--tls CERTIFICATE]`.
 * Prints its address on stdout and each request as one JSON line, its secrets as hashes. Without a script it offers one
 * tool.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Certificate } from '../http/listen.ts';
import { readHttpScript, type HttpStep } from './script.ts';
import { startToolServer } from './server.ts';

const TERMS = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const ONE_TOOL: readonly HttpStep[] = [
  {
    match: { method: 'server/discover' },
    action: { result: { ...TERMS, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } },
  },
  {
    match: { method: 'tools/list' },
    action: {
      result: {
        ...TERMS,
        tools: [{ name: 'echo', description: 'Tells what it was told.', inputSchema: { type: 'object' } }],
      },
    },
  },
  { match: { method: 'tools/call', name: 'echo' }, action: { dump: true } },
];
const CERTIFICATES: readonly Certificate[] = ['trusted', 'untrusted', 'wrong-name', 'expired'];

const { values } = parseArgs({
  options: { script: { type: 'string' }, port: { type: 'string' }, tls: { type: 'string' } },
});
const tls = CERTIFICATES.find((name) => name === values.tls);
const server = await startToolServer({
  script: values.script === undefined ? ONE_TOOL : readHttpScript(await readFile(values.script, 'utf8')),
  ...(values.port !== undefined && { port: Number(values.port) }),
  ...(tls !== undefined && { tls }),
  onRequest: (request) => process.stdout.write(`${JSON.stringify(request)}\n`),
});
process.stdout.write(`${server.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
