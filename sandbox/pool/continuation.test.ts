import { expect } from 'chai';
import { processesNaming } from '../testing/processes.ts';
import { MISSION_HEAP_WORDS } from '../testing/requests.ts';
import { productGuest, useSandboxUnderTest } from '../testing/sandbox-under-test.ts';
import type { StoredContinuation, Resumption } from '../../contract/sandbox-protocol.ts';
import type { Isolate } from './interface.ts';

const LIMITS = { memory_bytes: 2_000_000, history_bytes: 1_000_000 };

interface Answer {
  readonly value: string | null;
  readonly continuation: StoredContinuation;
}

describe('a continuation between hosts', () => {
  const built = useSandboxUnderTest(productGuest, { startsFor: 'test' });

  const open = (): Promise<Isolate> =>
    built.sandbox.openIsolate({ environment: 'mission', trustDomain: 'run', heapWords: MISSION_HEAP_WORDS });

  async function evaluate(isolate: Isolate, source: string, continuation: Resumption, omits = false): Promise<Answer> {
    const request = {
      operation: 'evaluate',
      environment: 'mission',
      source,
      data: {},
      tools: [],
      loop_iterations: null,
      projection: 'printed',
      continuation,
      commit: LIMITS,
      omits_unchanged: omits,
    } as const;
    const outcome = await isolate.request(request, { timeoutMs: 60_000 });
    if (outcome.status !== 'replied') throw new Error(outcome.status);
    const { reply } = outcome;
    if (reply.outcome === 'evaluation_error' || reply.continuation === undefined)
      throw new Error(JSON.stringify(reply));
    return { value: reply.value, continuation: reply.continuation };
  }

  async function killHosts(): Promise<void> {
    for (const pid of await processesNaming(built.options.guestImage)) process.kill(pid, 'SIGKILL');
  }

  it('survives the death of the host it came from', async () => {
    const first = await evaluate(
      await open(),
      '(def seen (atom [])) (defn note [x] (swap! seen conj x)) (def s (map #(do (note %) (* % %)) (iterate inc 1))) (first s)',
      null,
    );
    await killHosts();
    const second = await evaluate(await open(), '(note :restored) [(second s) @seen *1]', first.continuation);
    expect(second.value).to.equal('[4 [1 :restored 2] 1]');
  });

  it('is the same text from the isolate that lives on', async () => {
    const living = await open();
    const first = await evaluate(living, '(defn f [x] {:x x}) (def fs #{f inc}) (f 1)', null);
    const onward = await evaluate(living, '(conj fs dec) @(atom (f *1))', 'living');
    const elsewhere = await evaluate(await open(), '(conj fs dec) @(atom (f *1))', first.continuation);
    expect(elsewhere).to.deep.equal(onward);
  });

  it('is told as unchanged where that is enough, and told whole where it changed', async () => {
    const living = await open();
    const first = await evaluate(living, '(def a (atom 1)) (defn f [x] (inc x)) 1', null, true);
    expect(first.continuation).not.to.have.property('is_unchanged');
    const counts = { defined_count: 2, memory_bytes: first.continuation.memory_bytes };
    expect((await evaluate(living, '(f @a)', 'living', true)).continuation).to.include({
      definitions: '',
      is_unchanged: true,
      ...counts,
    });
    expect((await evaluate(await open(), '(f @a)', first.continuation, true)).continuation).to.include({
      definitions: '',
      is_unchanged: true,
      ...counts,
    });
    expect((await evaluate(living, '(f @a)', 'living')).continuation).to.include({
      definitions: first.continuation.definitions,
    });
    const changed = await evaluate(living, '(swap! a inc)', 'living', true);
    expect(changed.continuation).not.to.have.property('is_unchanged');
    expect(changed.continuation.definitions).not.to.equal(first.continuation.definitions);
  });
});
