/**
 * Runs a command where the address of a vendor is that of its fake: `at-vendor.ts NAME [--key KEY] [--model MODEL]…
 * [--spent] -- COMMAND…`. The command has a network of its own, in which nothing else is (needs unshare and ip, and
 * that the machine allows user namespaces). Stderr has a line for each request, and what the vendor had against it.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CERTIFICATES } from '../http/listen.ts';
import { VENDOR_ACCOUNTS } from './vendors/accounts.ts';
import { startVendor } from './vendors/server.ts';
import { isVendorFake, VENDOR_FAKES, VENDOR_FAKE_NAMES, type VendorFakeName } from './vendors/vendors.ts';

/** Set where the network is the command's own. */
const INSIDE = 'SVC_AT_VENDOR';
const HTTPS_PORT = 443;

const { values, positionals } = parseArgs({
  options: { key: { type: 'string' }, model: { type: 'string', multiple: true }, spent: { type: 'boolean' } },
  allowPositionals: true,
});
const [name = '', ...command] = positionals;
if (!isVendorFake(name)) throw new Error(`the vendor is one of ${VENDOR_FAKE_NAMES.join(', ')}`);
process.exitCode = await (process.env[INSIDE] === undefined ? enter(name) : serve(name));

/** The same program again, in namespaces of its own with a file of hosts that knows the vendor. */
async function enter(vendor: VendorFakeName): Promise<number> {
  const { hostname, protocol } = new URL(VENDOR_ACCOUNTS[vendor].origin);
  const folder = await mkdtemp(join(tmpdir(), 'svc-at-vendor-'));
  try {
    const hosts = join(folder, 'hosts');
    await writeFile(hosts, `127.0.0.1 localhost ${protocol === 'https:' ? hostname : ''}\n`);
    const script = 'ip link set lo up && mount --bind "$1" /etc/hosts && shift && exec "$@"';
    return await run(
      ['unshare', '--user', '--map-root-user', '--mount', '--net', 'sh', '-c', script, 'sh', hosts, process.execPath]
        .concat(process.execArgv)
        .concat(process.argv.slice(1)),
      { ...process.env, [INSIDE]: '1' },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function serve(vendor: VendorFakeName): Promise<number> {
  const [fake, account] = [VENDOR_FAKES[vendor], VENDOR_ACCOUNTS[vendor]];
  const { protocol, port } = new URL(account.origin);
  const server = await startVendor(fake, () => ({ text: `Hello from ${fake.name}.` }), {
    port: port === '' ? HTTPS_PORT : Number(port),
    ...(protocol === 'https:' && { tls: 'vendors' }),
    access: { account, key: values.key ?? null, models: values.model ?? [], isSpent: values.spent ?? false },
    onExchange: ({ method, path, refusal }) =>
      process.stderr.write(`${method} ${path} ${refusal === null ? '200' : JSON.stringify(refusal)}\n`),
  });
  const { [INSIDE]: _, ...environment } = process.env;
  const trusted = join(CERTIFICATES, 'vendors.pem');
  const status = await run(command, { ...environment, NODE_EXTRA_CA_CERTS: trusted });
  await server.close();
  return status;
}

async function run([program = '', ...words]: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(program, words, { stdio: 'inherit', env: environment });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
}
