/** Sessions of several tenants in one supervisor, hostile ones among them (code-mode.md §6, "tenants"; 52). */
import { expect } from 'chai';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CodeSession, Supervisor } from '../../api/supervisor.ts';
import { openSupervisor, tool, valueOf } from './embedded.ts';

const SESSIONS = 100;
const TENANTS = 10;
/** Sessions that work at a time: what is held here is what they share, and not how fast a busy machine compiles. */
const AT_ONCE = 5;

/** What one session is, and what its own tools were given. */
interface Opened {
  readonly tenant: string;
  readonly marker: string;
  readonly session: CodeSession;
  readonly seen: unknown[];
}

const WORDS: ReadonlySet<unknown> = new Set(['first', 'looking', 'taken over']);
const FIRST = '(def mine (get-in (tool/note {:text "first"}) [:value "marker"])) (defn own [] mine)';
/** Programs that take what they can get, or change what others may see; what they come to is their own affair. */
const HOSTILE: readonly string[] = [
  '(loop [] (recur))',
  '(loop [all []] (recur (conj all (vec (range 100000)))))',
  '(defn deeper [x] (+ 1 (deeper x))) (deeper 1)',
  '(run! #(println "flood" %) (range 1000000))',
  `(def + -) (def str (fn [& _] "taken over")) (def mine "taken over")`,
  `(in-ns 'clojure.core) (def inc dec) (def str (fn [& _] "taken over"))`,
  `(alter-var-root (resolve 'clojure.core/str) (fn [_] (fn [& _] "taken over")))`,
  `(derive ::taken ::over) (defmulti str identity) (def *1 "taken over")`,
  '(loop [] (tool/note {:text (own)}) (recur))',
  '(dorun (pmap (fn [n] (tool/note {:text (own)})) (range 200))) (loop [] (recur))',
];
/** Programs that look for what is of others. */
const LOOKING: readonly string[] = [
  '(pr-str [*1 *2 *3 mine])',
  `(pr-str (map str (keys (ns-publics 'user))))`,
  '(pr-str (cap/search "marker"))',
  '(pr-str (tool/note {:text "looking"}))',
];

async function forEach<T>(items: readonly T[], work: (item: T, at: number) => Promise<unknown>): Promise<void> {
  const queue = items.entries();
  const takeTurns = async (): Promise<void> => {
    for (const [at, item] of queue) await work(item, at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
}

describe('sessions of several tenants', () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-many-')));
  });
  after(async () => {
    await supervisor?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('share nothing, whatever one of them does, and call nothing once they have ended', async () => {
    const own = (supervisor = await openSupervisor({
      limits: { maxSessions: SESSIONS },
      tenant: () => ({}),
      artifacts: (tenant) => join(folder, tenant),
    }));
    const opened: Opened[] = [];
    for (let index = 0; index < SESSIONS; index += 1) {
      const [tenant, marker] = [`tenant-${index % TENANTS}`, `marker-of-${index}-`];
      const seen: unknown[] = [];
      const note = tool(({ text }) => {
        seen.push(text);
        return { marker };
      });
      const session = await own.openSession(
        { tools: { note } },
        { tenant, artifacts: { trace: true, inspection: true } },
      );
      opened.push({ tenant, marker, session, seen });
    }
    await forEach(opened, ({ session }) => valueOf(session, FIRST));
    const hostile = opened.filter((_, index) => index % 7 === 0);
    await forEach(hostile, async ({ session, marker }, at) => {
      const program = HOSTILE[at % HOSTILE.length] ?? '';
      const end = await session.evaluate(program, { timeoutMs: 500 });
      expect(JSON.stringify(end).replaceAll(marker, ''), program).not.to.include('marker-of-');
    });
    const counts = hostile.map(({ seen }) => seen.length);
    const others = opened.filter((each) => !hostile.includes(each));
    await forEach(others, async ({ session, marker }) => {
      const program = '(tool/note {:text (own)}) [(own) mine (str 1 (+ 1 2)) (inc 1) *1]';
      const [mine, same, text, two, last] = Object.values(Object(await valueOf(session, program)));
      expect([mine, same, text, two]).to.deep.equal([marker, marker, '13', 2]);
      expect(JSON.stringify(last ?? '').replaceAll(marker, '')).not.to.include('marker-of-');
    });
    // Nothing came of a program that was over.
    expect(hostile.map(({ seen }) => seen.length)).to.deep.equal(counts);
    await forEach(hostile, async ({ session, marker }, at) => {
      const end = await session.evaluate(LOOKING[at % LOOKING.length] ?? '');
      expect(JSON.stringify(end).replaceAll(marker, '')).not.to.include('marker-of-');
    });
    for (const { marker, seen } of opened)
      expect(seen.filter((text) => text !== marker && !WORDS.has(text))).to.deep.equal([]);
    await Promise.all(opened.map(({ session }) => session.close()));
    const noted = opened.map(({ seen }) => seen.length);
    await own.close();
    expect(opened.map(({ seen }) => seen.length)).to.deep.equal(noted);
    expect(readdirSync(folder)).to.have.members(Array.from({ length: TENANTS }, (_, index) => `tenant-${index}`));
    for (const tenant of readdirSync(folder)) {
      const foreign = opened.filter((each) => each.tenant !== tenant);
      const files = readdirSync(join(folder, tenant), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
        .join('');
      expect(files).to.include('"run-stopped"');
      expect(foreign.filter(({ marker }) => files.includes(marker)).map(({ marker }) => marker)).to.deep.equal([]);
    }
  });
});
