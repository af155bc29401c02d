/** A mission goes on in a living isolate as in a fresh one that restored what was kept (runtime.md §4). */
import { expect } from 'chai';
import { processesNaming } from '../../testing/processes.ts';
import { productGuest, useSandboxUnderTest } from '../../testing/sandbox-under-test.ts';
import { forgetful, openRoom, recording, type Evaluation, type MissionRoom } from './mission-room.ts';

/** Programs of one mission, one after the other; every one looks at what those before it left. */
const SCRIPT: readonly string[] = [
  '(def a 1) (def b [a {:k "v"}]) b',
  '[a b *1 *2 *3]',
  '(defn twice "Doubles." [x] (* 2 x)) (twice a)',
  '(def a 20) (twice a)',
  '(def counter (atom {:n 0})) (def same counter) (swap! counter update :n inc)',
  '(swap! same update :n inc) @counter',
  '(do (swap! counter assoc :lost true) (/ 1 0))',
  '@counter',
  '(do (reset! counter :lost) (fail {:reason "no"}))',
  '[@same (identical? same counter)]',
  '(return (swap! counter assoc :r 1))',
  '[@counter *1]',
  '(defn adder [n] (fn [m] (+ n m))) (def add5 (adder 5)) (add5 1)',
  '(def many (mapv adder (range 5))) (mapv (fn [f] (f 10)) many)',
  '(def lazy (map (fn [i] (swap! counter update :seen (fnil inc 0)) (* i i)) (iterate inc 0))) (take 3 lazy)',
  '[(take 5 lazy) (:seen @counter)]',
  '[(take 5 lazy) (:seen @counter)]',
  '(defmulti area :shape) (defmethod area :square [{:keys [side]}] (* side side)) (defmethod area :default [_] 0) (area {:shape :square :side 3})',
  '(defmethod area :disc [_] 99) [(area {:shape :disc}) (area {:shape :x}) (count (methods area))]',
  '(derive ::cat ::animal) (isa? ::cat ::animal)',
  '[(isa? ::cat ::animal) (parents ::cat)]',
  '(def d (delay (swap! counter update :forced (fnil inc 0)) :done)) :made',
  '[@d @d (:forced @counter)]',
  '[(realized? d) @d (:forced @counter)]',
  '(def ordered (sorted-map-by > 1 :a 3 :c 2 :b)) (into [] ordered)',
  '(into [] (assoc ordered 4 :d))',
  '(def big (zipmap (range 40) (map str (range 40)))) (hash big)',
  '[(hash big) (take 4 big) (count big)]',
  '(def names #{:x "x" \'x 1 2.0 nil}) [(count names) (vec names)]',
  '[(vec names) (contains? names 2.0)]',
  '(def m (with-meta {:a 1} {:from "here"})) (meta m)',
  "[(meta m) (:doc (meta #'twice)) (:arglists (meta #'twice))]",
  '(def fast (memoize (fn [x] (swap! counter update :calls (fnil inc 0)) x))) [(fast 1) (fast 1) (:calls @counter)]',
  '[(fast 1) (fast 1) (:calls @counter)]',
  '(defn fib [n] (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib 15)',
  '(declare later) (defn now [] (later)) (defn later [] :later) (now)',
  '(defn later [] :changed) (now)',
  '(let [hidden (volatile! 1)] (def bump (fn [] (vswap! hidden inc))) (bump))',
  '[(bump) (bump)]',
  '(def ex (try (throw (ex-info "m" {:d 1})) (catch Throwable e e))) [(ex-message ex) (ex-data ex)]',
  '[(ex-message ex) (ex-data ex) (str ex)]',
  '(def r #"a(\\\\d+)") (re-find r "xa12")',
  '[(re-find r "a7") (str r)]',
  '(defprotocol Shape (size [s]) (grown [s n])) (defrecord Block [side] Shape (size [_] (* side side)) (grown [_ n] (->Block (+ side n)))) (def block (->Block 2)) (size block)',
  '(extend-protocol Shape String (size [s] (count s)) nil (size [_] 0)) [block (= block (->Block 2)) (instance? Block block) (size (grown block 1)) (map size ["abc" nil])]',
  '(defn tally [] (let [n (atom 0)] (reify Shape (size [_] @n) (grown [this k] (swap! n + k) this) Object (toString [_] (str "tally " @n))))) (def t (tally)) (size (grown t 3))',
  '[(size (grown t 4)) (str t) (satisfies? Shape t) (size (grown t 0))]',
  '(size :nothing)',
  '(defrecord Block [side]) [(instance? Block block) (= block (->Block 2)) (size block)]',
  '(def ^:dynamic *unit* :cm) (defn unit [] *unit*) [(binding [*unit* :m] (set! *unit* :km) (unit)) (unit)]',
  '(binding [*unit* :m] (return (unit)))',
  '(binding [*unit* :m] (fail (unit)))',
  '[(unit) (binding [*unit* :mm] (unit))]',
  '(def q (into clojure.lang.PersistentQueue/EMPTY (range 4))) (peek (pop q))',
  '[(vec (conj (pop q) 9)) (= q [0 1 2 3])]',
  '(def found (re-matcher #"(?<d>\\\\d)" "1 2 3")) (re-find found)',
  '[(re-find found) (.group found "d") (re-groups found)]',
  '(clojure.pprint/pprint {:block block :rows (vec (range 30))}) (clojure.pprint/print-table [{:a 1 :b "x"}])',
  '(println "seen" data/rows) (last data/rows)',
  '[data/rows 1.0 100000000000000000000 1/2]',
  '(recur-nowhere)',
  '(loop [i 0 acc []] (if (< i 5) (recur (inc i) (conj acc i)) acc))',
  '(source twice)',
  '(doc twice)',
  '(str twice add5 (fn [] 1))',
  '(into {} (map (fn [[k v]] [k (if (fn? v) (v 1) v)])) {:f add5 :n 1})',
  '(with-out-str (print a))',
  '(tool/find {})',
  '[*1 *2 *3]',
];

const NO_TIME = { duration_ms: 0 };

async function play(
  room: MissionRoom,
  options: Readonly<Record<string, unknown>> = {},
): Promise<readonly Evaluation[]> {
  const records: Evaluation[] = [];
  for (const source of SCRIPT) records.push({ ...(await room.evaluate(source, options)), ...NO_TIME });
  await room.kernel.close();
  return records;
}

describe('what a mission keeps', () => {
  const built = useSandboxUnderTest(productGuest, { startsFor: 'test', isolatesPerHost: 3 });
  const hosts = (): Promise<readonly number[]> => processesNaming(built.options.guestImage);

  for (const options of [{}, { observation_chars: 300 }]) {
    it(`is the same in a living isolate and in a fresh one, program by program ${JSON.stringify(options)}`, async () => {
      const [living, fresh] = [
        await play(openRoom(built.sandbox), options),
        await play(openRoom(forgetful(built.sandbox)), options),
      ];
      for (const [index, record] of living.entries()) expect(fresh[index], SCRIPT[index]).to.deep.equal(record);
      const outcomes = living.map(({ outcome }) => outcome);
      expect(outcomes).to.include.members(['continued', 'returned', 'failed', 'evaluation_error']);
      expect(outcomes.filter((outcome) => outcome === 'continued').length).to.be.greaterThan(40);
    });
  }

  it('takes the same bytes both ways', async () => {
    const sizes = await Promise.all(
      [built.sandbox, forgetful(built.sandbox)].map(async (one) => {
        const room = openRoom(one);
        await play(room);
        return room.kernel.counts().memories;
      }),
    );
    expect(sizes[1]).to.deep.equal(sizes[0]);
    expect(sizes[0]?.[0]?.memory_bytes).to.be.greaterThan(1000);
  });

  it('survives the death of the host between two evaluations, a megabyte of it included', async () => {
    const written: string[] = [];
    const room = openRoom(
      recording(built.sandbox, ({ definitions, is_unchanged }) =>
        written.push(is_unchanged === true ? 'unchanged' : definitions),
      ),
    );
    await room.evaluate(
      '(def pad (clojure.string/join (repeat 210 "y"))) (def rows (mapv (fn [i] {:id i :name (str "row " i pad)}) (range 5000))) (def f (fn [] (count rows))) nil',
    );
    expect(room.kernel.counts().memories[0]?.memory_bytes).to.be.within(1_000_000, 2_000_000);
    await room.evaluate('(def a 1)');
    await room.evaluate('(def a 2)');
    for (const pid of await hosts()) process.kill(pid, 'SIGKILL');
    expect(await room.evaluate('(return [(f) (:id (last rows)) a])')).to.deep.include({
      outcome: 'returned',
      value: '[5000,4999,2]',
    });
    await room.evaluate('(def a 1)');
    expect(written).to.have.length(5);
    expect(written[3]).to.equal('unchanged');
    expect(written[4] === written[1], 'a restored continuation is written again as the same bytes').to.equal(true);
  });

  it('survives a kill in the middle of an evaluation, which is told as a full memory', async () => {
    const room = openRoom(built.sandbox, {
      call: async () => {
        for (const pid of await hosts()) process.kill(pid, 'SIGKILL');
        return '{"reply":"value","value":1}';
      },
    });
    await room.evaluate('(def a (atom 1)) (swap! a inc)');
    expect(await room.evaluate('(do (swap! a inc) (def b 2) (tool/find {}) :never)')).to.deep.include({
      outcome: 'evaluation_error',
      kind: 'memory_exceeded',
      continuation_effect: 'preserved',
    });
    expect(await room.evaluate('[@a *1]')).to.deep.include({ outcome: 'continued', value: '[2,2]' });
    expect(await room.evaluate('b')).to.deep.include({ reason: 'unbound_var' });
  });

  it('survives programs that take all memory or all time', async () => {
    const room = openRoom(built.sandbox, { limits: { evaluation_timeout_ms: 10_000 } });
    await room.evaluate('(def kept 1)');
    expect(await room.evaluate('(loop [] (recur))')).to.include({
      outcome: 'evaluation_error',
      kind: 'timeout',
      'retryable?': true,
    });
    expect(await room.evaluate('(loop [all []] (recur (conj all (vec (range 1000)))))', {}))
      .to.have.property('kind')
      .that.is.oneOf(['memory_exceeded', 'timeout']);
    expect(await room.evaluate('(defn deep [n] (+ 1 (deep n))) (deep 1)')).to.include({ kind: 'memory_exceeded' });
    expect(await room.evaluate('[kept *1]')).to.deep.include({ value: '[1,"#\'user/kept"]' });
  });

  it('a commit that is too large is refused whole', async () => {
    const room = openRoom(built.sandbox, { limits: { evaluation_memory_bytes: 2000, evaluation_history_bytes: 300 } });
    await room.evaluate('(def a (atom [1])) @a');
    expect(await room.evaluate('(swap! a conj 2) (def big (vec (range 5000))) 1')).to.include({
      outcome: 'memory_exceeded',
      continuation_effect: 'preserved',
    });
    expect(await room.evaluate('(swap! a conj 3) (vec (range 5000))')).to.include({ outcome: 'history_exceeded' });
    expect(await room.evaluate('[@a *1]')).to.deep.include({ outcome: 'continued', value: '[[1],[1]]' });
    expect(await room.evaluate('big')).to.include({ reason: 'unbound_var' });
  });

  it('a check sees what is kept, restored or living, and changes nothing', async () => {
    for (const one of [built.sandbox, forgetful(built.sandbox)]) {
      const room = openRoom(one);
      await room.evaluate('(def known 1)');
      expect(await room.check('(inc known)')).to.include({ outcome: 'valid' });
      expect(await room.check('(def made known) (inc unknown)')).to.have.nested.property(
        'diagnostic.kind',
        'unbound_var',
      );
      expect(await room.evaluate('made')).to.include({ reason: 'unbound_var' });
      expect(await room.evaluate('[known *1]')).to.deep.include({ outcome: 'continued', value: '[1,"#\'user/known"]' });
    }
  });
});
