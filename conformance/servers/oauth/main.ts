/**
 * An authorisation server to try `svc --authorize-mcp` against, by hand: `main.ts [--script FILE] [--port N] [--tls
 * CERTIFICATE]`. Prints its address, which is its issuer, on stdout and each request as one JSON line, its secrets as
 * hashes.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Certificate } from '../http/listen.ts';
import { startAuthority, type AuthorityScript } from './server.ts';

const CERTIFICATES: readonly Certificate[] = ['trusted', 'untrusted', 'wrong-name', 'expired'];

const { values } = parseArgs({
  options: { script: { type: 'string' }, port: { type: 'string' }, tls: { type: 'string' } },
});
const tls = CERTIFICATES.find((name) => name === values.tls);
const script: AuthorityScript = values.script === undefined ? {} : JSON.parse(await readFile(values.script, 'utf8'));
const authority = await startAuthority({
  script,
  ...(values.port !== undefined && { port: Number(values.port) }),
  ...(tls !== undefined && { tls }),
  onRequest: (request) => process.stdout.write(`${JSON.stringify(request)}\n`),
});
process.stdout.write(`${authority.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void authority.close());
