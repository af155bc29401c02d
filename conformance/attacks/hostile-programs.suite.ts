import { expect } from 'chai';
import type { CapabilityCall } from '../../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../../sandbox/pool/interface.ts';
import { startSandbox } from '../../sandbox/pool/pool.ts';
import type { Attack } from './attack.ts';
import { processesNaming } from './processes.ts';
import { bridge } from './programs/bridge.ts';
import { builtins } from './programs/builtins.ts';
import { escape } from './programs/escape.ts';
import { growth } from './programs/growth.ts';
import { promises } from './programs/promises.ts';
import { recursion } from './programs/recursion.ts';
import { evaluation, MISSION_HEAP_WORDS, textOf, verdictOf } from './requests.ts';
import { buildSandboxUnderTest, RAW_GUEST, type SandboxUnderTest } from './sandbox-under-test.ts';

const DEADLINE_MS = 500;
/** For attacks that another guard than the deadline must end, however busy the machine is. */
const AMPLE_MS = 5000;
/** After its deadline nothing of an attack may be left. */
const BEYOND_MS = 1000;
const CALM = 'let sum = 0; for (let i = 0; i < 50; i++) sum += JSON.parse(call("echo", String(i)).slice(5)); return sum;';
const CALM_SUM = '1225';

const attacks: readonly Attack[] = [...growth, ...builtins, ...recursion, ...promises, ...escape, ...bridge];

function answer({ name, arguments: text }: CapabilityCall): Promise<string> {
  switch (name) {
    case 'never':
      return new Promise(() => undefined);
    case 'length':
      return Promise.resolve(String(text.length));
    default:
      return Promise.resolve(`${name}:${text}`);
  }
}

describe('hostile JavaScript behind the lock-down', () => {
  let built: SandboxUnderTest;
  let sandbox: Sandbox;
  let calm: Isolate;

  before(async () => {
    built = await buildSandboxUnderTest(RAW_GUEST);
    sandbox = startSandbox(built.options);
    calm = await sandbox.openIsolate({ environment: 'workflow', trustDomain: 'calm', heapWords: MISSION_HEAP_WORDS });
  });
  after(async () => {
    await sandbox.close();
    expect(await processesNaming(built.options.guestImage)).to.deep.equal([]);
    await built.remove();
  });

  it('is known by ids of its own', () => {
    expect(new Set(attacks.map(({ id }) => id)).size).to.equal(attacks.length);
  });

  for (const attack of attacks) {
    it(`${attack.id}: ${attack.title}`, async () => {
      const isolate = await sandbox.openIsolate({ environment: 'mission', trustDomain: 'hostile', heapWords: MISSION_HEAP_WORDS });
      const timeoutMs = attack.expected.includes('timeout') ? DEADLINE_MS : AMPLE_MS;
      const started = performance.now();
      const running = isolate.request(evaluation(attack.payload), { timeoutMs, onCapabilityCall: answer });
      const beside = calm.request(evaluation(CALM), { timeoutMs: AMPLE_MS, onCapabilityCall: answer });
      const outcome = await running;
      const took = performance.now() - started;
      await isolate.dispose();
      const besideText = textOf(await beside);
      expect(verdictOf(outcome), textOf(outcome) ?? '').to.be.oneOf(attack.expected);
      if (attack.text !== undefined) expect(textOf(outcome)).to.match(attack.text);
      // A guard, not a speed: nothing outlives its deadline (architecture.md §1.3).
      expect(took).to.be.below(timeoutMs + BEYOND_MS);
      expect(besideText).to.equal(CALM_SUM);
    });
  }
});
