/**
 * A model server to try `svc` against, by hand: `main.ts [--script FILE] [--port N] [--rate N] [--untrusted-tls]`. It
 * prints its address on stdout and each request as one JSON line, its secrets as hashes. Without a script it answers
 * every request.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readScript, type Step } from './script.ts';
import { startModelServer } from './server.ts';

/** Answers whatever is asked, so that a first try needs no script. */
const TALKATIVE: readonly Step[] = [
  {
    times: 'any',
    action: { answer: { text: 'Hello from the model server. Give it a script to have it say something else.' } },
  },
];

const { values } = parseArgs({
  options: {
    script: { type: 'string' },
    port: { type: 'string' },
    rate: { type: 'string' },
    'untrusted-tls': { type: 'boolean' },
  },
});
const script = values.script === undefined ? TALKATIVE : readScript(await readFile(values.script, 'utf8'));
const server = await startModelServer({
  script,
  ...(values.port !== undefined && { port: Number(values.port) }),
  ...(values.rate !== undefined && { requestsPerSecond: Number(values.rate) }),
  ...(values['untrusted-tls'] === true && { tls: 'untrusted' }),
  onRequest: (request) => process.stdout.write(`${JSON.stringify(request)}\n`),
});
process.stdout.write(`${server.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
