/**
 * A model server to try `svc` against, by hand. It prints its base URL on stdout and each request as one JSON line, its
 * secrets as hashes.
 *
 * `main.ts [--script FILE] [--port N] [--rate N] [--untrusted-tls]`: does what a script says; without one it answers
 * every request.
 *
 * `main.ts --vendor NAME [--port N] [--key KEY] [--model MODEL]… [--spent]`: a vendor that enforces its rules, and
 * answers what keeps them. Any key will do unless one is named, and any model; `--spent`: the account has no money.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readModelScript, type ModelStep } from './script.ts';
import { startModelServer } from './server.ts';
import { VENDOR_ACCOUNTS } from './vendors/accounts.ts';
import { startVendor } from './vendors/server.ts';
import { isVendorFake, VENDOR_FAKES, VENDOR_FAKE_NAMES } from './vendors/vendors.ts';

/** Answers whatever is asked, so that a first try needs no script. */
const TALKATIVE: readonly ModelStep[] = [
  {
    times: 'any',
    action: { answer: { text: 'Hello from the model server. Give it a script to have it say something else.' } },
  },
];

const { values } = parseArgs({
  options: {
    vendor: { type: 'string' },
    key: { type: 'string' },
    model: { type: 'string', multiple: true },
    spent: { type: 'boolean' },
    script: { type: 'string' },
    port: { type: 'string' },
    rate: { type: 'string' },
    'untrusted-tls': { type: 'boolean' },
  },
});
const port = values.port === undefined ? {} : { port: Number(values.port) };
const log = (request: unknown): void => void process.stdout.write(`${JSON.stringify(request)}\n`);
const { url, close } = values.vendor === undefined ? await scripted() : await vendor(values.vendor);
process.stdout.write(`${url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void close());

async function scripted(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const script = values.script === undefined ? TALKATIVE : readModelScript(await readFile(values.script, 'utf8'));
  return startModelServer({
    script,
    ...port,
    ...(values.rate !== undefined && { requestsPerSecond: Number(values.rate) }),
    ...(values['untrusted-tls'] === true && { tls: 'untrusted' }),
    onRequest: log,
  });
}

async function vendor(name: string): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  if (!isVendorFake(name)) throw new Error(`--vendor is one of ${VENDOR_FAKE_NAMES.join(', ')}`);
  const [fake, account] = [VENDOR_FAKES[name], VENDOR_ACCOUNTS[name]];
  const server = await startVendor(fake, () => ({ text: `Hello from ${fake.name}.` }), {
    ...port,
    access: { account, key: values.key ?? null, models: values.model ?? [], isSpent: values.spent ?? false },
    onExchange: log,
  });
  return { url: server.url + account.base, close: server.close };
}
