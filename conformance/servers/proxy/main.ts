/**
 * A proxy to try `svc` behind, by hand: `main.ts [--login USER:PASSWORD] [--status N] [--server NAME=PORT]…
 * [--untrusted-tls]`. It leads to servers on loopback by the names that it is given. It prints its address on stdout,
 * then each tunnel that was asked for as one JSON line.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CERTIFICATES } from '../http/listen.ts';
import { startProxy } from './proxy.ts';

const { values } = parseArgs({
  options: {
    login: { type: 'string' },
    status: { type: 'string' },
    server: { type: 'string', multiple: true },
    'untrusted-tls': { type: 'boolean' },
  },
});
const servers = Object.fromEntries(
  (values.server ?? []).map((server) => {
    const [name = '', port = ''] = server.split('=');
    return [name, Number(port)];
  }),
);
const isSecure = values['untrusted-tls'] === true;
const pem = isSecure ? await readFile(join(CERTIFICATES, 'untrusted.pem'), 'utf8') : '';
const proxy = await startProxy({
  servers,
  ...(isSecure && { tls: { cert: pem, key: pem } }),
  ...(values.login !== undefined && { login: values.login }),
  ...(values.status !== undefined && { status: Number(values.status) }),
  onTunnel: (tunnel) => process.stdout.write(`${JSON.stringify(tunnel)}\n`),
});
process.stdout.write(`http${isSecure ? 's' : ''}://127.0.0.1:${String(proxy.port)}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void proxy.close());
