import { expect } from 'chai';
import fc from 'fast-check';
import { MISSION_HEAP_WORDS } from '../testing/requests.ts';
import { productGuest, useSandboxUnderTest } from '../testing/sandbox-under-test.ts';
import type { BranchReply } from '../../contract/sandbox-protocol.ts';
import { type GuestIsolate, openGuestIsolate } from '../host/guest-isolate.ts';
import { loadSnapshotImage, type LoadedImage, readGuestImage } from '../host/snapshot.ts';
import { type BranchIsolate, type BranchIsolates, branchIsolates, type HostSlots } from './branch-isolates.ts';
import { BRANCH_RULES, LIBRARY } from './testing/branch-rules.ts';

/** Operations whose branches would tell of whatever an earlier branch left behind. */
const SHOWING: readonly string[] = [
  '(pmap (fn [_] [(gensym) (gensym "a")]) [1 2])',
  '(def n (gensym)) (pmap (fn [_] (gensym)) [1 2])',
  '(pmap (fn [x] (mapv hash [inc (fn [] 1) (atom x) #"a+" my.lib/twice Math/abs String/.length return java.time.temporal.ChronoUnit/DAYS])) [1 2])',
  '(def fs #{inc dec str first}) (pmap (fn [x] [(vec fs) (vec (conj fs rest (fn [] x))) (into {} (map (fn [f] [f 1]) [+ - * /]))]) [1 2])',
  '(pmap (fn [x] [(my.lib/remembered x) (my.lib/remembered 1)]) [1 2])',
  '(pmap (fn [x] (my.lib/kind {:kind x})) [:a :b])',
  '(pmap (fn [x] (def made-here x) [made-here (var made-here)]) [1 2])',
  '(defn f [x] (def g (fn [y] (+ x y))) (g 1)) (pmap f [1 2])',
  '(pmap (fn [x] (when (= x 1) (:foo_bar {:foo-bar 1})) (+ x (when (= x 2) (get {} :a)))) [1 2])',
  '(def s (map (fn [x] (println "made" x) x) (iterate inc 1))) (pmap (fn [n] (nth s n)) [1 2])',
  '(derive :z/a :z/b) (pmap (fn [_] (isa? :z/a :z/b)) [1 2])',
  '(pmap (fn [_] [(isa? :z/a :z/b) (parents :z/a)]) [1 2])',
  '(pmap (fn [_] (doc f) (source f) (doc deep) (dir my.lib) [(apropos "deep") (apropos "made")]) [1 2])',
  '(pmap (fn [x] (print "pending" x)) [1 2])',
  '(pmap (fn [x] (with-out-str (print "lost") (throw (ex-info "m" {:x x})))) [1 2])',
  '(pmap (fn [x] (try (/ x 0) (catch Exception e (println (ex-message e)) e) (finally (print "finally")))) [1 2])',
  '(defn deep [x] (try (+ 1 (deep x)) (finally (inc x)))) (pmap (fn [x] (if (= x 1) (deep x) x)) [1 2])',
  '(pmap (fn [x] (let [a (atom x)] (try (doall (pmap (fn [_] (swap! a inc)) [1 2])) (catch Exception e [(class e) @a])))) [1 2])',
  '(pmap (fn [x] (let [m (memoize (fn [y] (gensym)))] (= (m x) (m x)))) [1 2])',
  '(def v (volatile! 1)) (def a (atom [])) (def d (delay 1)) (pmap (fn [x] [@v @a (realized? d) (atom x) (delay x)]) [1 2])',
  '(pmap (fn [x] (if (= x 1) (fail {:kind x}) (return x))) [1 2])',
  '(pmap (fn [x] [(keyword (str "k" x)) (symbol (str "s" x)) (read-string "[:a b \\\\c 1.5]") (hash (str "a longer string to hash " x))]) [1 2])',
];

interface Branch {
  readonly source: string;
  readonly shared: string;
  readonly call: string;
  /** What an isolate of its own answers. */
  readonly alone: string;
}

const COMPONENT = `${LIBRARY} (def remembered (memoize (fn [x] (gensym "r")))) (defmulti kind :kind) (defmethod kind :a [_] "an a") (defmethod kind :default [_] (str (gensym)))`;
const GRANTS = {
  environment: 'workflow',
  data: { given: '[7]' },
  tools: ['ask'],
  loop_iterations: null,
  branches: true,
} as const;
const REFUSED = '-';

function replyOf(answer: string): BranchReply {
  return JSON.parse(answer);
}

describe('an isolate that serves branches in turn', () => {
  const built = useSandboxUnderTest(productGuest);
  let image: LoadedImage;
  let bundle: string;
  let branches: readonly Branch[];

  async function ask(
    isolate: GuestIsolate,
    request: object,
    calling: (name: string, text: string) => string = answerOf,
  ): Promise<string> {
    const made = { load: '', text: JSON.stringify(request), timeoutMs: 60_000, wantsHeap: false };
    const answer = await isolate.request(made, (name, text) => Promise.resolve(calling(name, text)));
    if (answer.type === 'ended') return answer.ending;
    return answer.type === 'replied' ? answer.text : JSON.stringify(answer);
  }

  /** Isolates for branches of branches are not to be had here: they run in turn. */
  function answerOf(name: string, text: string): string {
    return name === 'ask' ? `+${JSON.stringify({ reply: 'value', value: text })}` : REFUSED;
  }

  async function withIsolate<T>(use: (isolate: GuestIsolate) => Promise<T>): Promise<T> {
    const isolate = openGuestIsolate(image, MISSION_HEAP_WORDS);
    try {
      return await use(isolate);
    } finally {
      await isolate.dispose();
    }
  }

  async function serve(isolate: GuestIsolate, { shared, call }: Pick<Branch, 'shared' | 'call'>): Promise<string> {
    await ask(isolate, { operation: 'load', code: bundle });
    return ask(isolate, { operation: 'branch', ...GRANTS, shared, call });
  }

  /** The branches that an evaluation asks for, with what each answers alone. */
  async function branchesOf(source: string): Promise<readonly Branch[]> {
    let message: string | null = null;
    await withIsolate(async (isolate) => {
      await ask(isolate, { operation: 'load', code: bundle });
      await ask(isolate, { operation: 'evaluate', ...GRANTS, source, projection: 'printed' }, (name, text) => {
        if (name === '#parallel') message ??= text;
        return answerOf(name, text);
      });
    });
    if (message === null) return [];
    const { shared, calls }: { readonly shared: string; readonly calls: readonly string[] } = JSON.parse(message);
    return Promise.all(
      calls.map(async (call) => ({
        source,
        shared,
        call,
        alone: await withIsolate((isolate) => serve(isolate, { shared, call })),
      })),
    );
  }

  before(async () => {
    image = loadSnapshotImage(await readGuestImage(built.options.guestImage, 'workflow'));
    const compiled = await withIsolate((isolate) =>
      ask(isolate, {
        operation: 'compile',
        environment: 'workflow',
        components: [{ id: 'lib', source: COMPONENT, dependencies: [] }],
      }),
    );
    ({ code: bundle } = JSON.parse(compiled));
    const found: Branch[] = [];
    for (const source of [...BRANCH_RULES.map(([, rule]) => rule), ...SHOWING])
      found.push(...(await branchesOf(source)));
    branches = found;
  });

  it('is asked for branches of every kind', () => {
    const outcomes = new Set(branches.map(({ alone }) => replyOf(alone).outcome));
    expect([...outcomes].toSorted()).to.deep.equal(['error', 'failed', 'limit', 'returned', 'value']);
    for (const source of SHOWING)
      expect(
        branches.filter((branch) => branch.source === source),
        source,
      ).to.have.length(2);
  });

  it('answers each as an isolate of its own after all others, in either order', async () => {
    for (const served of [branches, branches.toReversed()]) {
      await withIsolate(async (isolate) => {
        for (const branch of served) expect(await serve(isolate, branch), branch.source).to.equal(branch.alone);
      });
    }
  });

  it('answers each as an isolate of its own, whatever ran before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...branches), { minLength: 2, maxLength: 20 }), async (served) => {
        await withIsolate(async (isolate) => {
          for (const branch of served) expect(await serve(isolate, branch), branch.source).to.equal(branch.alone);
        });
      }),
      { numRuns: 40 },
    );
  });

  it('answers each as an isolate of its own after the same branch', async () => {
    for (const branch of branches) {
      await withIsolate(async (isolate) => {
        for (let turn = 0; turn < 3; turn += 1)
          expect(await serve(isolate, branch), branch.source).to.equal(branch.alone);
      });
    }
  });

  it('begins anew without a bundle, too', async () => {
    await withIsolate(async (isolate) => {
      const [first] = await branchesOf('(pmap (fn [_] (gensym)) [1 2])');
      if (first === undefined) throw new Error('no branch');
      const alone = await withIsolate((other) =>
        ask(other, { operation: 'branch', ...GRANTS, shared: first.shared, call: first.call }),
      );
      for (let turn = 0; turn < 3; turn += 1)
        expect(await ask(isolate, { operation: 'branch', ...GRANTS, shared: first.shared, call: first.call })).to.equal(
          alone,
        );
    });
  });

  it('gives each the whole heap', async () => {
    // Of 10 MB, one takes up to 4 and the other up to 8; what is of both would be too much.
    const [small] = await branchesOf('(pmap (fn [x] (count (into [] (map (fn [y] [x y])) (range 20000)))) [1 2])');
    const [large] = await branchesOf('(pmap (fn [x] (count (into [] (map (fn [y] [x y])) (range 75000)))) [1 2])');
    const tooLarge = await branchesOf('(pmap (fn [x] (count (into [] (map (fn [y] [x y])) (range 260000)))) [1 2])');
    expect(tooLarge.map(({ alone }) => alone)).to.deep.equal(['memory', 'memory']);
    if (small === undefined || large === undefined) throw new Error('no branches');
    await withIsolate(async (isolate) => {
      for (let turn = 0; turn < 3; turn += 1) expect(await serve(isolate, small)).to.equal(small.alone);
      expect(await serve(isolate, large)).to.equal(large.alone);
    });
  });

  it('tells how much of its heap is in use', async () => {
    const isolate = openGuestIsolate(image, MISSION_HEAP_WORDS);
    expect(await isolate.heapUse()).to.be.below(10);
    // Held by a definition: what is garbage is collected when the engine likes.
    const acquired = ask(isolate, {
      operation: 'evaluate',
      ...GRANTS,
      source: '(def held (into [] (map (fn [y] [y y])) (range 75000))) (count held)',
      projection: 'printed',
    });
    expect(await isolate.heapUse(), 'while it runs').to.equal(100);
    expect(replyOf(await acquired)).to.include({ value: '75000' });
    expect(await isolate.heapUse()).to.be.within(51, 130);
    await isolate.dispose();
    expect(await isolate.heapUse(), 'at its end').to.equal(100);
  });

  /** Whether an isolate is worn that made so many bytes of keywords, 144 for each. */
  async function isWornBy(count: number): Promise<unknown> {
    const [branch] = await branchesOf(
      `(pmap (fn [x] (count (mapv (fn [i] (keyword (str "keyword" (+ 1 i)))) (range 10 ${10 + count})))) [1 2])`,
    );
    const reply = replyOf(branch?.alone ?? '');
    return reply.outcome === 'value' && reply.is_worn;
  }

  it('says when keywords would take room from the next', async () => {
    expect(await isWornBy(100)).to.equal(undefined);
    expect(await isWornBy(1000)).to.equal(true);
  });
});

describe('the isolates of an operation', () => {
  interface Counted extends BranchIsolate {
    readonly ended: () => boolean;
  }

  function counted(isRoomy = true): Counted {
    let ended = false;
    const refuse = (): Promise<never> => Promise.reject(new Error('nothing is asked here'));
    return {
      request: refuse,
      loadAndRequest: refuse,
      isRoomy: () => Promise.resolve(isRoomy),
      dispose: () => {
        ended = true;
        return Promise.resolve();
      },
      ended: () => ended,
    };
  }

  const PLACES: HostSlots = { reserve: (wanted) => wanted, release: () => undefined };

  /** Whether none waits to serve again. */
  function isFresh(isolates: BranchIsolates): boolean {
    const fresh = counted();
    return isolates.take(() => fresh) === fresh;
  }

  const VALUE: BranchReply = { outcome: 'value', value: '1,', printed: [] };
  const HARMED: readonly (readonly [string, BranchReply | null])[] = [
    ['no reply', null],
    ['an error', { outcome: 'error', value: '', printed: [] }],
    ['a failure', { outcome: 'failed', value: '', printed: [] }],
    ['a return', { outcome: 'returned', printed: [] }],
    ['a limit', { outcome: 'limit', kind: 'loop_limit_exceeded', message: '', details: {}, printed: [] }],
    ['a value that leaves too much behind', { ...VALUE, is_worn: true }],
  ];

  it('serve again after a value, the last one first', async () => {
    const isolates = branchIsolates(PLACES);
    const [a, b, c] = [counted(), counted(), counted()];
    await isolates.release(a, VALUE);
    await isolates.release(b, { ...VALUE, is_worn: false });
    const open = (): BranchIsolate => c;
    expect([isolates.take(open), isolates.take(open), isolates.take(open)]).to.deep.equal([b, a, c]);
    expect([a, b, c].map((isolate) => isolate.ended())).to.deep.equal([false, false, false]);
  });

  for (const [what, reply] of HARMED) {
    it(`are ended after ${what}`, async () => {
      const isolates = branchIsolates(PLACES);
      const isolate = counted();
      await isolates.release(isolate, reply);
      expect([isFresh(isolates), isolate.ended()]).to.deep.equal([true, true]);
    });
  }

  it('are ended when much of their heap is used', async () => {
    const isolates = branchIsolates(PLACES);
    const isolate = counted(false);
    await isolates.release(isolate, VALUE);
    expect([isFresh(isolates), isolate.ended()]).to.deep.equal([true, true]);
  });

  it('are ended with it, those that come back meanwhile or later too', async () => {
    const isolates = branchIsolates(PLACES);
    const [waiting, coming, late] = [counted(), counted(), counted()];
    await isolates.release(waiting, VALUE);
    const released = isolates.release(coming, VALUE);
    isolates.close();
    await released;
    await isolates.release(late, VALUE);
    expect([isFresh(isolates), waiting.ended(), coming.ended(), late.ended()]).to.deep.equal([true, true, true, true]);
  });

  it('have places of their host that nobody else gets, those of an operation that ended for the next inside the same', () => {
    let free = 5;
    const isolates = branchIsolates({
      reserve(wanted) {
        const input = Math.min(free, wanted);
        free -= input;
        return input;
      },
      release: (count) => {
        free += count;
      },
    });
    expect([isolates.claim(3), isolates.claim(4), isolates.claim(1), free]).to.deep.equal([3, 2, 0, 0]);
    isolates.unclaim(2);
    expect([isolates.claim(1), free]).to.deep.equal([1, 0]);
    isolates.close();
    expect(free).to.equal(5);
  });
});
