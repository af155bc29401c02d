import { expect } from 'chai';
import type { CapabilityCall } from '../../../contract/sandbox-protocol.ts';
import type { Isolate } from '../../pool/interface.ts';
import type { Attack } from './attack.ts';
import { processesNaming } from '../../testing/processes.ts';
import { bridge } from './programs/bridge.ts';
import { builtins } from './programs/builtins.ts';
import { escape } from './programs/escape.ts';
import { growth } from './programs/growth.ts';
import { lispAttacks } from './programs/lisp.ts';
import { lispBombs } from './programs/lisp-bombs.ts';
import { promises } from './programs/promises.ts';
import { recursion } from './programs/recursion.ts';
import { evaluation, MISSION_HEAP_WORDS, reasonOf, textOf, verdictOf } from '../../testing/requests.ts';
import { everywhere, type GuestTexts } from '../../../scripts/build-snapshot.ts';
import { productGuest, RAW_GUEST, useSandboxUnderTest } from '../../testing/sandbox-under-test.ts';

/** Nothing outlives it (design.md §1.3): what did would end in the limit of its test. */
const DEADLINE_MS = 500;
/** For attacks that another guard than the deadline must end, however busy the machine is. */
const AMPLE_MS = 60_000;
const TOOLS: readonly string[] = ['echo', 'never'];

/** One kind of guest, what attacks it, and an honest program that runs beside every attack. */
interface Front {
  readonly title: string;
  readonly guest: () => Promise<GuestTexts>;
  readonly attacks: readonly Attack[];
  readonly calm: { readonly source: string; readonly value: string };
}

const fronts: readonly Front[] = [
  {
    title: 'hostile JavaScript behind the lock-down',
    guest: () => Promise.resolve(everywhere({ script: RAW_GUEST })),
    attacks: [...growth, ...builtins, ...recursion, ...promises, ...escape, ...bridge],
    calm: {
      source: 'let sum = 0; for (let i = 0; i < 50; i++) sum += JSON.parse(call("number", String(i))); return sum;',
      value: '1225',
    },
  },
  {
    title: 'hostile svc-lisp',
    guest: productGuest,
    attacks: [...lispAttacks, ...lispBombs],
    calm: {
      source: '(loop [i 0 sum 0] (if (< i 50) (recur (+ i 1) (+ sum (tool/echo {:a i}))) (return sum)))',
      value: '50',
    },
  },
];

/** `never` is not answered; the others say what they were given, in the form that each kind of guest expects. */
function answer({ name, arguments: text }: CapabilityCall): Promise<string> {
  switch (name) {
    case 'never':
      return new Promise(() => undefined);
    case 'length':
      return Promise.resolve(String(text.length));
    case 'number':
      return Promise.resolve(text);
    default:
      return Promise.resolve(`${name}:${text}`);
  }
}

/** The form that svc-lisp reads: a bare value. */
function answerLisp(call: CapabilityCall): Promise<string> {
  return call.name === 'never' ? answer(call) : Promise.resolve('{"reply":"value","value":1}');
}

for (const front of fronts) {
  describe(front.title, () => {
    const onCapabilityCall = front.attacks.some(({ language }) => language === 'lisp') ? answerLisp : answer;
    const built = useSandboxUnderTest(front.guest, { startsFor: 'block' });
    let calm: Isolate;

    before(async () => {
      calm = await built.sandbox.openIsolate({
        environment: 'workflow',
        trustDomain: 'calm',
        heapWords: MISSION_HEAP_WORDS,
      });
    });
    after(async () => {
      expect(await processesNaming(built.options.guestImage)).to.deep.equal([]);
    });

    it('is known by ids of its own', () => {
      expect(new Set(front.attacks.map(({ id }) => id)).size).to.equal(front.attacks.length);
    });

    for (const attack of front.attacks) {
      it(`${attack.id}: ${attack.title}`, async () => {
        const isolate = await built.sandbox.openIsolate({
          environment: 'mission',
          trustDomain: 'hostile',
          heapWords: MISSION_HEAP_WORDS,
        });
        const timeoutMs = attack.expected.includes('timeout') ? DEADLINE_MS : AMPLE_MS;
        const running = isolate.request(evaluation(attack.payload, TOOLS), { timeoutMs, onCapabilityCall });
        const beside = calm.request(evaluation(front.calm.source, TOOLS), { timeoutMs: AMPLE_MS, onCapabilityCall });
        const outcome = await running;
        await isolate.dispose();
        const besideText = textOf(await beside);
        expect(verdictOf(outcome), textOf(outcome) ?? '').to.be.oneOf(attack.expected);
        if (attack.reason !== undefined) expect(reasonOf(outcome)).to.equal(attack.reason);
        if (attack.text !== undefined) expect(textOf(outcome)).to.match(attack.text);
        expect(besideText).to.equal(front.calm.value);
      });
    }
  });
}
