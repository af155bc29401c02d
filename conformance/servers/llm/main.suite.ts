import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { secretHash } from '../http/log.ts';
import { VENDOR_ACCOUNTS } from './vendors/accounts.ts';
import { VENDOR_FAKES, VENDOR_FAKE_NAMES, type VendorFakeName } from './vendors/vendors.ts';

const KEY = 'sk-planted-4711';
/** Where a vendor is asked for the model `nobody`, below its base URL. */
const OPERATIONS: Partial<Record<VendorFakeName, string>> = {
  responses: '/responses',
  anthropic: '/messages',
  gemini: '/models/nobody:generateContent',
  bedrock: '/model/nobody/converse',
  ollama: '/api/chat',
};

describe('a vendor that is started by hand', () => {
  /** Its lines, the first of which is its base URL, until `use` is done with it. */
  async function started(
    words: readonly string[],
    use: (url: string, line: () => Promise<string>) => Promise<void>,
  ): Promise<void> {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...words], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const line = async (): Promise<string> => String((await lines.next()).value);
    try {
      await use(await line(), line);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  }

  for (const name of VENDOR_FAKE_NAMES) {
    it(`${name}: prints its base URL, and turns down what ${VENDOR_FAKES[name].name} does not know`, async () => {
      const account = VENDOR_ACCOUNTS[name];
      await started(['--vendor', name, '--key', KEY, '--model', 'somebody'], async (url, line) => {
        expect(new URL(url).pathname.replace(/\/$/, '')).to.equal(account.base);
        const ask = async (key: string): Promise<unknown> => {
          const answer = await fetch(`${url}${OPERATIONS[name] ?? '/chat/completions'}`, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              ...(account.keyHeader !== null && {
                [account.keyHeader]: account.keyHeader === 'authorization' ? `Bearer ${key}` : key,
              }),
            },
            body: JSON.stringify({ model: 'nobody' }),
          });
          return { status: answer.status, body: await answer.json() };
        };
        expect(await ask(KEY)).to.deep.equal(account.refuseModel('nobody'));
        if (account.keyHeader === null) return;
        expect(await ask('sk-another')).to.deep.equal(account.refuseKey('sk-another'));
        await line();
        const logged = JSON.parse(await line());
        const sent = account.keyHeader === 'authorization' ? 'Bearer sk-another' : 'sk-another';
        expect(logged.headers[account.keyHeader]).to.equal(secretHash(sent));
      });
    });
  }
});
