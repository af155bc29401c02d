/**
 * A proxy to try `svc` behind, by hand: `main.ts [--login USER:PASSWORD] [--status N] [--server NAME=PORT]…`. It leads
 * to servers on loopback by the names that it is given. It prints its address on stdout, then each tunnel that was
 * asked for as one JSON line.
 */
import { parseArgs } from 'node:util';
import { startProxy } from './proxy.ts';

const { values } = parseArgs({
  options: {
    login: { type: 'string' },
    status: { type: 'string' },
    server: { type: 'string', multiple: true },
  },
});
const servers = Object.fromEntries(
  (values.server ?? []).map((server) => {
    const [name = '', port = ''] = server.split('=');
    return [name, Number(port)];
  }),
);
const proxy = await startProxy({
  servers,
  ...(values.login !== undefined && { login: values.login }),
  ...(values.status !== undefined && { status: Number(values.status) }),
  onTunnel: (tunnel) => process.stdout.write(`${JSON.stringify(tunnel)}\n`),
});
process.stdout.write(`http://127.0.0.1:${String(proxy.port)}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void proxy.close());
