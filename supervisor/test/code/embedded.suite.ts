/** Sessions of programs in an embedding program (code-mode.md §6). */
import { expect } from 'chai';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { inspect } from 'node:util';
import { z } from 'zod';
import { until } from '../../../conformance/until.ts';
import {
  PreparationError,
  SessionNotOpened,
  type CodeRoom,
  type CodeSessionOptions,
  type EvaluateOptions,
  type Evaluation,
  type RestoreOptions,
  type RunEvent,
  type SealingOptions,
  type SessionTool,
  type Supervisor,
  type SupervisorOptions,
} from '../../api/supervisor.ts';
import { errorOf, openSupervisor, PLAIN_ROOM, tool, valueOf } from './embedded.ts';

const rejectionOf = (requested: Promise<unknown>): Promise<unknown> =>
  requested.then(
    () => null,
    (error: unknown) => error,
  );

describe('a session of programs in an embedding program', () => {
  let supervisor: Supervisor | null = null;
  let folder = '';
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-embedded-')));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    await supervisor?.close();
    supervisor = null;
  });

  async function started(options: SupervisorOptions = {}): Promise<Supervisor> {
    supervisor = await openSupervisor(options);
    return supervisor;
  }

  describe('evaluates', () => {
    it('programs that see each other, and nothing of one that fails', async () => {
      const session = await (await started()).openSession(PLAIN_ROOM);
      expect(await valueOf(session, '(defn twice [x] (* 2 x)) (twice 21)')).to.equal(42);
      expect(await valueOf(session, '(twice (:a data/settings))')).to.equal(2);
      expect(await valueOf(session, '[*1 *2]')).to.deep.equal([2, 42]);
      expect(errorOf(await session.evaluate('(def lost 1) (/ 1 0)')).kind).to.equal('arithmetic_error');
      const unknown = errorOf(await session.evaluate('\n  (inc lost)'));
      expect(unknown).to.include({ kind: 'unbound_var', retryable: false });
      expect([unknown.place, unknown.excerpt]).to.deep.equal([{ line: 2, column: 8 }, '  (inc lost)\n       ^']);
      await session.reset();
      expect(errorOf(await session.evaluate('(twice 1)')).message).to.contain('twice');
    });

    it('to each end that there is (48)', async () => {
      const session = await (await started()).openSession({ tools: { work: tool(() => ({ done: true })) } });
      const value = await session.evaluate('(println "one") (:value (tool/work {}))');
      expect(value).to.deep.include({
        kind: 'value',
        value: { done: true },
        text: '{"done":true}',
        cut: null,
        how: null,
        printed: 'one',
        calls: [{ name: 'work', n: 1, errors: 0 }],
        effects: 'write_possible',
      });
      expect(value).to.have.property('runRef').that.matches(/^cmd-/);
      expect(value).to.have.nested.property('usage.capability_calls').that.deep.equals({ 'mission/work': 1 });
      expect(await session.evaluate('(fail {:why "no"})')).to.deep.include({
        kind: 'failed',
        value: { why: 'no' },
        effects: 'none',
      });
      const waiting = Array.from({ length: 10 }, (_, index) => session.evaluate(`${index}`));
      expect((await Promise.all(waiting)).map((end) => (end.kind === 'refused' ? end.code : end.kind))).to.deep.equal([
        ...Array.from({ length: 9 }, () => 'value'),
        'session_busy',
      ]);
      await session.close();
      expect(await session.evaluate('1')).to.deep.equal({
        kind: 'refused',
        code: 'session_closed',
        retryAfterMs: null,
      });
      await session.close();
    });

    it('numbers as they are asked for, and values as ordinary objects', async () => {
      const session = await (await started()).openSession({});
      const program = '{"n" 9007199254740993 "f" 1.5 "__proto__" {"x" 1}}';
      const exact = await session.evaluate(program, { numbers: 'exact' });
      expect(exact.kind === 'value' && Object(exact.value)).to.have.property('n', 9007199254740993n);
      const plain = await session.evaluate(program);
      const value = plain.kind === 'value' ? Object(plain.value) : null;
      expect(value).to.have.property('n', 9007199254740992);
      expect([Object.getPrototypeOf(value) === Object.prototype, Object.hasOwn(value, '__proto__')]).to.deep.equal([
        true,
        true,
      ]);
      expect(plain).to.have.property('text').that.contains('9007199254740993');
    });

    it('values that are too long as a part of them, the rest for the next program', async () => {
      const session = await (await started()).openSession({});
      const exactly = await session.evaluate('(apply str (repeat 254 "x"))', { valueChars: 256 });
      expect(exactly).to.include({ kind: 'value', cut: null });
      const over = await session.evaluate('(vec (range 20000))', { valueChars: 256 });
      expect(over).to.include({ kind: 'value', value: null });
      expect(over.kind === 'value' && over.text.length).to.be.at.most(256);
      expect(over.kind === 'value' && over.cut)
        .to.have.property('items')
        .that.includes(20000);
      expect(await valueOf(session, '(count *1)')).to.equal(20000);
    });

    it('and tells what was printed, whoever listens (51)', async () => {
      const session = await (await started()).openSession({});
      const lines: string[] = [];
      const end = await session.evaluate('(println "one") (println "two") 3', {
        onPrint: (line) => {
          lines.push(line);
          throw new Error('the listener is mistaken');
        },
      });
      expect([end.kind, lines]).to.deep.equal(['value', ['one', 'two']]);
      const never = await session.evaluate('(println "x") 1', { onPrint: () => new Promise(() => undefined) });
      expect(never.kind).to.equal('value');
      const flood = await session.evaluate('(dotimes [n 5000] (println "line" n))');
      expect(flood.kind === 'value' && flood.printed.length).to.be.at.most(4096);
    });

    it('within its time, and no longer than it is wanted (50)', async () => {
      const acquired = Promise.withResolvers<AbortSignal>();
      const session = await (
        await started()
      ).openSession({
        tools: {
          hang: tool((_, { signal }) => {
            acquired.resolve(signal);
            return new Promise(() => undefined);
          }),
        },
      });
      await valueOf(session, '(def kept 7)');
      expect(errorOf(await session.evaluate('(loop [] (recur))', { timeoutMs: 300 })).kind).to.equal('timeout');
      const computing = new AbortController();
      const loop = session.evaluate('(loop [] (recur))', { signal: computing.signal });
      computing.abort();
      expect(errorOf(await loop).kind).to.equal('cancelled');
      const calling = new AbortController();
      const call = session.evaluate('(def other 1) (tool/hang {})', { signal: calling.signal });
      const signal = await acquired.promise;
      calling.abort();
      const end = await call;
      expect([errorOf(end).kind, signal.aborted]).to.deep.equal(['cancelled', true]);
      expect(end).to.include({ kind: 'error', effects: 'indeterminate' });
      expect(errorOf(await session.evaluate('kept', { signal: AbortSignal.abort() })).kind).to.equal('cancelled');
      expect(await valueOf(session, 'kept')).to.equal(7);
      expect(errorOf(await session.evaluate('other')).kind).to.equal('unbound_var');
    });

    it('nothing further once it is closed, not even what goes on (55)', async () => {
      const called = Promise.withResolvers<void>();
      const own = await started();
      const session = await own.openSession({
        tools: {
          hang: tool(() => {
            called.resolve();
            return new Promise(() => undefined);
          }),
        },
      });
      const going = session.evaluate('(tool/hang {})');
      const next = session.evaluate('1');
      await called.promise;
      expect(own.snapshot().sessions).to.equal(1);
      await session.close();
      expect(errorOf(await going).kind).to.equal('cancelled');
      expect(await next).to.include({ kind: 'refused', code: 'session_closed' });
      expect(own.snapshot().sessions).to.equal(0);
      const closing = new AbortController();
      const other = await own.openSession({}, { signal: closing.signal });
      closing.abort();
      await until('the session is closed', () => (own.snapshot().sessions === 0 ? true : undefined));
      expect((await other.evaluate('1')).kind).to.equal('refused');
    });
  });

  describe('calls tools of the program', () => {
    it('with what they may know, whatever they answer', async () => {
      const keys: string[] = [];
      const cycle: Record<string, unknown> = {};
      cycle['self'] = cycle;
      const session = await (
        await started()
      ).openSession({
        tools: {
          readFacts: tool(
            (input, { signal, callRef, idempotencyKey }) => {
              keys.push(idempotencyKey);
              return { given: input, aborted: signal.aborted, callRef };
            },
            { effect: 'read' },
          ),
          throws: tool(() => {
            throw new Error('there is no such city');
          }),
          rejects: tool(async () => Promise.reject(new Proxy({}, {}))),
          cyclic: tool(() => cycle),
          huge: tool(() => 'x'.repeat(50_000_000)),
          function: tool(() => () => 1),
          nothing: tool(() => undefined),
          proxy: tool(() => new Proxy({}, { get: () => 1 })),
        },
      });
      const facts = await session.evaluate('(:value (tool/read-facts {:a {"b" [1 nil]}}))');
      expect(facts).to.deep.include({
        kind: 'value',
        value: { given: { a: { b: [1, null] } }, aborted: false, callRef: 'capability-1' },
        effects: 'read',
      });
      await session.evaluate('(tool/read-facts {})');
      expect(new Set(keys).size).to.equal(2);
      const errorOf = async (name: string): Promise<unknown> =>
        valueOf(session, `(let [r (tool/${name} {})] [(:status r) (:reason r) (:details r)])`);
      expect(await errorOf('throws')).to.deep.equal(['error', 'domain_error', 'there is no such city']);
      expect(await errorOf('rejects')).to.deep.equal(['error', 'domain_error', null]);
      expect(await errorOf('cyclic')).to.deep.equal(['error', 'invalid_provider_return', null]);
      expect(await errorOf('huge')).to.deep.equal(['error', 'provider_result_limit', null]);
      expect(await errorOf('function')).to.deep.equal(['error', 'invalid_provider_return', null]);
      expect(await errorOf('proxy')).to.deep.equal(['error', 'invalid_provider_return', null]);
      expect(await errorOf('nothing')).to.deep.equal(['ok', null, null]);
    });

    it('whose schemas are of a library, defaults and rules of its own included', async () => {
      const weather = tool(({ city, unit }) => ({ city, unit }), {
        inputSchema: z.object({
          city: z.string().refine((city) => city !== 'Atlantis', 'no such place'),
          unit: z.enum(['c', 'f']).default('c'),
        }),
        outputSchema: z.object({ city: z.string(), unit: z.string() }),
      });
      const session = await (await started()).openSession({ tools: { weather } });
      expect(await valueOf(session, '(:value (tool/weather {:city "Rome"}))')).to.deep.equal({
        city: 'Rome',
        unit: 'c',
      });
      expect(await valueOf(session, '(:reason (tool/weather {:city 3}))')).to.equal('invalid_arguments');
      expect(await valueOf(session, '(:details (tool/weather {:city "Atlantis"}))')).to.equal('no such place');
      const [described] = await session.describe(['weather']);
      expect(described).to.include({ args: '{:city str, :unit? "c"|"f"}', result: '{:city str, :unit str}' });
    });

    const asking = (made: unknown[], requested: unknown[] = []): CodeRoom => ({
      tools: {
        always: tool(() => made.push('always'), { approval: 'always', effect: 'read' }),
        writes: tool(() => made.push('writes'), { approval: 'writes' }),
        reads: tool(() => made.push('reads'), { approval: 'writes', effect: 'read' }),
        some: tool(({ n }) => made.push(n), {
          approval: ({ n }) => {
            requested.push(n);
            if (n === 3) throw new Error('nobody knows');
            return n === 2;
          },
        }),
      },
    });
    const program = `(mapv (fn [{:keys [status reason]}] (or reason status))
      [(tool/always {}) (tool/writes {}) (tool/reads {}) (tool/some {:n 1}) (tool/some {:n 2}) (tool/some {:n 3})])`;

    it('not without a person where the tool asks for one (54)', async () => {
      const [made, requested]: [unknown[], unknown[]] = [[], []];
      const session = await (await started()).openSession(asking(made, requested));
      const unavailable = 'approval_unavailable';
      expect(await valueOf(session, program)).to.deep.equal([
        unavailable,
        unavailable,
        'ok',
        'ok',
        unavailable,
        unavailable,
      ]);
      expect([made, requested]).to.deep.equal([
        ['reads', 1],
        [1, 2, 3],
      ]);
      expect(await valueOf(session, '(:details (tool/always {}))')).to.deep.equal({ how: 'unattended' });
      const { hits } = await session.search('always');
      expect(hits[0]).to.include({ name: 'always', approval: 'asks a person' });
    });

    it('once whoever the session names, or else its supervisor, allows it (54)', async () => {
      const bySupervisor: string[] = [];
      const supervisor = await started({
        approvals: {
          onRequest: async ({ tool: name, arguments: provided }) => {
            bySupervisor.push(`${name} ${provided}`);
            return { decision: 'allow' };
          },
        },
      });
      const made: unknown[] = [];
      const session = await supervisor.openSession(asking(made));
      expect(await valueOf(session, program)).to.deep.equal(['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
      expect(made).to.deep.equal(['always', 'writes', 'reads', 1, 2, 3]);
      expect(bySupervisor).to.deep.equal(['always {}', 'writes {}', 'some {"n":2}', 'some {"n":3}']);
      const own = await supervisor.openSession(asking(made), {
        onApproval: async ({ tool: name }) => ({ decision: 'deny', reason: `no ${name}` }),
      });
      const denied = await valueOf(own, '(select-keys (tool/some {:n 2}) [:reason :details])');
      expect(denied).to.deep.equal({ reason: 'approval_denied', details: { reason: 'no some' } });
      expect([made, bySupervisor].map(({ length }) => length)).to.deep.equal([6, 4]);
    });

    it('nobody is asked about arguments that the tool refuses (54)', async () => {
      const requested: unknown[] = [];
      const session = await (
        await started()
      ).openSession({
        tools: {
          some: tool(() => 1, {
            inputSchema: z.object({ n: z.number().refine((n) => n !== 2, 'not two') }),
            approval: ({ n }) => {
              requested.push(n);
              return true;
            },
          }),
        },
      });
      const reasons = '(mapv :reason [(tool/some {:n "1"}) (tool/some {:n 2}) (tool/some {:n 3})])';
      expect(await valueOf(session, reasons)).to.deep.equal([
        'invalid_arguments',
        'invalid_request',
        'approval_unavailable',
      ]);
      expect(requested).to.deep.equal([3]);
    });
  });

  describe('waits for a person', () => {
    const asks = (made: unknown[]): CodeRoom => ({
      tools: { write: tool(({ n }) => made.push(n), { approval: 'always' }) },
    });
    const waitingIn = (end: Evaluation): Extract<Evaluation, { readonly kind: 'waiting' }> => {
      if (end.kind !== 'waiting') throw new Error(JSON.stringify(end));
      return end;
    };
    const waitsIn = async (made: unknown[], options: SupervisorOptions = {}) =>
      (await started(options)).openSession(asks(made), { onApproval: 'wait' });

    it('and goes on when each question is decided, resumed once or twice', async () => {
      const made: unknown[] = [];
      const session = await waitsIn(made);
      const first = waitingIn(
        await session.evaluate('(def a (tool/write {:n 1})) [(:status a) (:reason (tool/write {:n 2}))]'),
      );
      expect(first.approvals.map(({ tool: name, arguments: provided }) => [name, provided])).to.deep.equal([
        ['write', { n: 1 }],
      ]);
      expect(made).to.deep.equal([]);
      expect(await rejectionOf(session.save({ key: new Uint8Array(32) }))).to.have.property('code', 'session_busy');
      const [one] = first.approvals;
      expect(() => one?.decide(JSON.parse('{"decision":"maybe"}'))).to.throw(TypeError, 'answer.decision');
      expect([one?.decide({ decision: 'allow' }), one?.decide({ decision: 'deny' })]).to.deep.equal([true, false]);
      const second = await first.resume();
      expect(await first.resume()).to.equal(second);
      const { approvals, resume } = waitingIn(second);
      expect(approvals.map(({ arguments: provided }) => provided)).to.deep.equal([{ n: 2 }]);
      approvals[0]?.decide({ decision: 'deny', reason: 'no' });
      const [end, again] = await Promise.all([resume(), resume()]);
      expect(end).to.equal(again);
      expect(end).to.deep.include({ kind: 'value', value: ['ok', 'approval_denied'] });
      expect(made).to.deep.equal([1]);
      expect(await valueOf(session, '(:status a)')).to.equal('ok');
    });

    it('of whom several branches are asked about at once', async () => {
      const made: unknown[] = [];
      const session = await waitsIn(made);
      const { approvals, resume } = waitingIn(
        await session.evaluate('(vec (pmap #(:status (tool/write {:n %})) [1 2 3]))'),
      );
      expect(approvals).to.have.lengthOf(3);
      approvals[0]?.decide({ decision: 'allow', scope: 'tool' });
      for (const { decide } of approvals.slice(1)) decide({ decision: 'allow' });
      expect(await resume()).to.deep.include({ kind: 'value', value: ['ok', 'ok', 'ok'] });
      expect(made).to.have.members([1, 2, 3]);
    });

    it('until the question expires', async () => {
      const made: unknown[] = [];
      // Nothing else waits as long: the test says when the time is over.
      const expiry = 1_234_567;
      const timers = mock.method(globalThis, 'setTimeout');
      try {
        const session = await waitsIn(made, { approvals: { timeoutMs: expiry } });
        const { approvals, resume } = waitingIn(await session.evaluate('(:reason (tool/write {:n 1}))'));
        const set = timers.mock.calls.filter(({ arguments: [, milliseconds] }) => milliseconds === expiry);
        expect(set).to.have.lengthOf(1);
        set[0]?.arguments[0]();
        expect(await resume()).to.deep.include({ kind: 'value', value: 'approval_expired' });
        expect([approvals[0]?.decide({ decision: 'allow' }), made]).to.deep.equal([false, []]);
      } finally {
        timers.mock.restore();
      }
    });

    it('until it is closed, or its program given up', async () => {
      const made: unknown[] = [];
      const session = await waitsIn(made);
      const abort = new AbortController();
      const input = waitingIn(await session.evaluate('(tool/write {:n 1})', { signal: abort.signal }));
      abort.abort();
      expect(errorOf(await input.resume()).kind).to.equal('cancelled');
      const { approvals, resume } = waitingIn(await session.evaluate('(tool/write {:n 2})'));
      await session.close();
      expect(errorOf(await resume()).kind).to.equal('cancelled');
      expect([approvals[0]?.decide({ decision: 'allow' }), made]).to.deep.equal([false, []]);
    });
  });

  describe('says what there is', () => {
    const many = (count: number): CodeRoom => ({
      tools: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `tool${index}_listThings`,
          tool(() => index, {
            description: `Lists things of kind ${index}, with all that is known of them.`,
            inputSchema: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
          }),
        ]),
      ),
    });
    for (const count of [1, 50, 2000])
      it(`in 8192 bytes at most with ${count} tools, and calls the last of them`, async () => {
        const session = await (await started()).openSession(many(count));
        const last = `tool${count - 1}-list-things`;
        const prompt = session.prompt();
        expect(Buffer.byteLength(prompt)).to.be.at.most(8192);
        expect(prompt).to.contain('tool/tool0-list-things');
        if (count < 2000) expect(prompt).to.contain(`tool/${last}`);
        else expect(prompt).to.match(/and \d+ more, which cap\/search finds$/);
        expect(Buffer.byteLength(session.prompt({ maxBytes: 1024 }))).to.be.at.most(1024);
        const { hits, total } = await session.search(last);
        expect([hits[0]?.name, total >= 1]).to.deep.equal([last, true]);
        expect(await valueOf(session, `(:value (tool/${last} {:page 1}))`)).to.equal(count - 1);
        expect(await valueOf(session, `(get-in (cap/search "${last}") ["hits" 0 "name"])`)).to.equal(last);
      });

    it('by words and by names', async () => {
      const session = await (
        await started()
      ).openSession({
        data: { rates: { usd: 1 } },
        components: [{ id: 'sums', source: '(ns sums)\n(defn total "Adds all." [xs] (reduce + xs))\n' }],
        tools: { listPrices: tool(() => [], { description: 'All prices of a shop.' }) },
      });
      expect((await session.search('')).total).to.be.at.least(3);
      expect((await session.search('prices', { in: 'tools', limit: 1 })).hits.map(({ name }) => name)).to.deep.equal([
        'list-prices',
      ]);
      expect((await session.search('rates', { in: 'data' })).hits[0]).to.include({ name: 'data/rates', kind: 'data' });
      const [total, unknown] = await session.describe(['sums/total', 'list-price']);
      expect(total).to.include({ name: 'sums/total', doc: 'Adds all.' });
      expect(unknown).to.deep.include({ name: 'list-price', unknown: true, nearest: ['list-prices'] });
      expect(await valueOf(session, '(sums/total [1 2 (get data/rates "usd")])')).to.equal(4);
      expect(session.prompt()).to.contain('(sums/total').and.to.contain('data/rates');
    });
  });

  describe('leaves', () => {
    it('evidence of each program, a run of its own, and tells of its events (46)', async () => {
      const artifacts = join(folder, 'artifacts');
      const own = await started({ artifacts });
      const events: RunEvent[] = [];
      const session = await own.openSession(PLAIN_ROOM, {
        tenant: 'acme',
        artifacts: { trace: true, inspection: true },
        sessionRef: 'review-1',
        onEvent: (event) => events.push(event),
      });
      const ends = [await session.evaluate('(+ 1 2)'), await session.evaluate('(/ 1 0)')];
      const refs = ends.map((end) => ('runRef' in end ? end.runRef : ''));
      const kinds = ends.map((end) => ('artifacts' in end ? end.artifacts.map(({ kind }) => kind) : []));
      expect(kinds).to.deep.equal([
        ['trace', 'inspection'],
        ['trace', 'inspection'],
      ]);
      expect(readdirSync(join(artifacts, 'acme/traces')).toSorted()).to.deep.equal(
        refs.map((ref) => `${ref}.jsonl`).toSorted(),
      );
      const sessions = refs.map((ref) => {
        return readFileSync(join(artifacts, `acme/traces/${ref}.jsonl`), 'utf8');
      });
      expect(sessions[0]).to.contain('"session":{"id":"review-1","index":1}');
      expect(sessions[1]).to.contain('"session":{"id":"review-1","index":2}');
      await until('both ends are told', () =>
        events.filter(({ event }) => event === 'finished').length === 2 ? true : undefined,
      );
      expect(new Set(events.map(({ runRef }) => runRef))).to.deep.equal(new Set(refs));
    });

    it('its definitions when its isolate goes, and its process with the supervisor', async () => {
      const lost: string[] = [];
      const own = await started({ hosts: 4, onPoolEvent: ({ event }) => lost.push(event) });
      // One idle process at most: each session takes it from the one before.
      const sessions = await Promise.all(Array.from({ length: 6 }, () => own.openSession({})));
      for (const [index, session] of sessions.entries()) await valueOf(session, `(def mine ${index})`);
      for (const [index, session] of sessions.entries()) expect(await valueOf(session, 'mine')).to.equal(index);
      expect(lost.filter((event) => event === 'host_ended').length).to.be.at.least(5);
    });
  });

  describe('is refused', () => {
    it('beyond the bound of the supervisor, and there is room again when one is closed', async () => {
      const own = await started({ limits: { maxSessions: 2 } });
      const first = await own.openSession({});
      await own.openSession({});
      expect(await rejectionOf(own.openSession({})))
        .to.be.instanceOf(SessionNotOpened)
        .with.property('code', 'session_limit');
      await first.close();
      expect((await own.openSession({})).sessionRef).to.match(/^[0-9a-f]{32}$/);
      const requested = await Promise.allSettled(Array.from({ length: 5 }, () => own.openSession({})));
      expect(requested.filter(({ status }) => status === 'fulfilled')).to.deep.equal([]);
    });

    it('the sixty-fifth, where nobody says otherwise', async () => {
      const own = await started();
      const sessions = await Promise.all(Array.from({ length: 64 }, () => own.openSession({})));
      expect(own.snapshot().sessions).to.equal(64);
      expect(await rejectionOf(own.openSession({}))).to.have.property('code', 'session_limit');
      expect(await valueOf(sessions[63] ?? (await own.openSession({})), '(+ 1 1)')).to.equal(2);
    });

    it('with members that say what to use instead', async () => {
      const own = await started();
      for (const [room, options, words] of [
        ['{"import": []}', '{}', /room is a room without import: .*supervisor\.prepare/],
        ['{}', '{"durable": true}', /options is an object without durable: .*session\.save/],
      ] as const)
        expect(await rejectionOf(own.openSession(JSON.parse(room), JSON.parse(options))))
          .to.be.instanceOf(TypeError)
          .with.property('message')
          .that.matches(words);
    });

    it('for a tenant that is none, for another application, and when nothing new is taken', async () => {
      const own = await started({ tenant: (id) => (id === 'acme' ? {} : null) });
      for (const tenant of ['other', '../x', ''])
        expect(await rejectionOf(own.openSession({}, { tenant })), tenant).to.have.property('code', 'tenant_unknown');
      const other = await openSupervisor();
      try {
        const foreign = await other.prepare({
          kind: 'memory',
          files: new Map([
            [
              'svc.json',
              Buffer.from(
                JSON.stringify({
                  version: 1,
                  workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
                  missions: { a: {}, b: {} },
                  input: { value: {} },
                }),
              ),
            ],
            ['main.clj', Buffer.from('(ns main)\n(defn run [input] 1)\n')],
          ]),
        });
        expect(await rejectionOf(own.openSession(foreign, { tenant: 'acme' }))).to.have.property(
          'code',
          'prepared_stale',
        );
        expect(await rejectionOf(other.openSession(foreign)))
          .to.be.instanceOf(TypeError)
          .with.property(
            'message',
            'supervisor.openSession: options.mission is a mission of the application: it declares a, b',
          );
        const session = await other.openSession(foreign, { mission: 'b' });
        expect(await valueOf(session, '(+ 1 1)')).to.equal(2);
      } finally {
        await other.close();
      }
      expect(
        await rejectionOf(own.openSession({ components: [{ id: 'x', source: '(ns x' }] }, { tenant: 'acme' })),
      ).to.be.instanceOf(PreparationError);
      await own.drain();
      expect(await rejectionOf(own.openSession({}, { tenant: 'acme' }))).to.have.property('code', 'draining');
    });

    it('evaluations, as runs are', async () => {
      let suspended = false;
      const own = await started({ tenant: () => ({ suspended }) });
      const session = await own.openSession({}, { tenant: 'acme' });
      suspended = true;
      expect(await session.evaluate('1')).to.deep.equal({ kind: 'refused', code: 'tenant_quota', retryAfterMs: null });
      suspended = false;
      expect(await valueOf(session, '1')).to.equal(1);
      await own.drain();
      expect(await session.evaluate('1')).to.include({ kind: 'refused', code: 'draining' });
    });
  });

  describe('refuses what is not as the types say, naming it', () => {
    /** Wrong values for each member of a type; one that is added to the type has to be added here. */
    type Wrong<T> = { readonly [Name in keyof T]-?: readonly unknown[] };
    const promise = Promise.resolve({});
    const NO_TEXT = ['', 1, null, {}, [], promise];
    const NO_FUNCTION = [1, 'x', null, {}, promise];
    const NO_OBJECT = [1, 'x', null, [], promise, new Map(), true];
    const NO_KEY = ['x'.repeat(32), new Uint8Array(31), [], null];
    const TOOL: Wrong<SessionTool> = {
      description: NO_TEXT,
      inputSchema: [undefined, 1, 'x', null, [], promise, () => ({})],
      outputSchema: [1, 'x', null, [], promise],
      effect: ['', 'unknown', null, true],
      approval: ['', 'ask', null, true, {}],
      idempotent: ['', 0, null],
      execute: [undefined, ...NO_FUNCTION],
    };
    const ROOM: Wrong<CodeRoom> = {
      tools: NO_OBJECT,
      data: NO_OBJECT,
      components: [1, 'x', {}, [1], [{ id: 'x' }], [{ library: '' }], [{ id: 'x', source: 'x', path: 'y' }]],
      limits: [...NO_OBJECT, { unknown_limit: 1 }, { run_duration_ms: '1' }],
    };
    const SESSION: Wrong<CodeSessionOptions> = {
      tenant: [1, null, {}],
      principal: ['', 'x'.repeat(257), 1, null],
      mission: NO_TEXT,
      artifacts: [...NO_OBJECT, { trace: 1 }, { result: true }],
      onEvent: NO_FUNCTION,
      onApproval: NO_FUNCTION,
      signal: [1, 'x', null, {}, promise],
      sessionRef: ['', '../x', 'x'.repeat(129), 1, null],
    };
    const RESTORE: Wrong<RestoreOptions> = { ...SESSION, key: NO_KEY };
    const SEALING: Wrong<SealingOptions> = { key: NO_KEY };
    const EVALUATE: Wrong<EvaluateOptions> = {
      signal: [1, 'x', null, {}],
      onPrint: NO_FUNCTION,
      timeoutMs: [0, 600_001, 1.5, '1', null],
      valueChars: [255, 65_537, null, '256'],
      numbers: ['', 'big', null, 1],
    };

    async function refusesEach<T>(
      wrong: Wrong<T>,
      place: string,
      call: (input: Partial<T>) => Promise<unknown>,
    ): Promise<void> {
      for (const [name, values] of Object.entries<readonly unknown[]>(wrong))
        for (const value of values) {
          const input: Partial<T> = Object({ [name]: value });
          const error = await rejectionOf(call(input));
          expect(error, `${name}: ${inspect(value)}`).to.be.instanceOf(TypeError);
          expect(Object(error).message, inspect(value)).to.contain(`${place}.${name}`);
        }
      const unknown: Partial<T> = Object({ colour: 1 });
      expect(Object(await rejectionOf(call(unknown))).message).to.contain(`${place} has no member colour`);
    }

    it('of a room, and of its tools', async () => {
      const own = await started();
      await refusesEach(ROOM, 'room', async (input) => own.openSession(input));
      const work = tool(() => 1);
      await refusesEach(TOOL, 'room.tools.work', async (input) =>
        own.openSession({ tools: { work: { ...work, ...input } } }),
      );
      const rooms: readonly (readonly [CodeRoom, string])[] = [
        [{ tools: { getA: work, get_a: work } }, 'room.tools.get_a'],
        [{ tools: { ü: work } }, 'room.tools.ü'],
        [{ tools: { capSearch: work } }, 'room.tools.capSearch'],
        [{ tools: { work: { ...work, inputSchema: { type: 'nonsense' } } } }, 'work'],
        [{ data: { a: () => 1 } }, 'room.data.a'],
        [
          { tools: { work: { ...work, inputSchema: Object({ '~standard': { version: 1, vendor: 'old' } }) } } },
          'newer old',
        ],
      ];
      for (const [room, words] of rooms) {
        const error = await rejectionOf(own.openSession(room));
        expect(error, words).to.be.instanceOf(TypeError);
        expect(Object(error).message).to.contain(words);
      }
    });

    it('of the options of each call', async () => {
      const own = await started();
      await refusesEach(SESSION, 'options', async (input) => own.openSession({}, input));
      await refusesEach(RESTORE, 'options', async (input) => own.restoreSession(new Uint8Array(), {}, input));
      const session = await own.openSession({});
      await refusesEach(EVALUATE, 'options', async (input) => session.evaluate('1', input));
      await refusesEach(SEALING, 'options', async (input) => session.save(input));
      const wrong: readonly (() => unknown)[] = [
        () => session.evaluate(Object(1)),
        () => session.evaluate('\ud800'),
        () => session.search('x'.repeat(401)),
        () => session.search('x', { limit: 51 }),
        () => session.search('x', Object({ in: 'core-things' })),
        () => session.describe([]),
        () => session.describe(Array.from({ length: 21 }, () => 'x')),
        () => session.prompt({ maxBytes: 8193 }),
        () => own.restoreSession(Object('bytes'), {}),
        () => own.openSession(Object('x')),
        () => session.save(),
        () => own.restoreSession(new Uint8Array(), {}),
      ];
      for (const [index, call] of wrong.entries())
        expect(await rejectionOf(Promise.resolve().then(call)), `${index}`).to.be.instanceOf(TypeError);
      expect((await session.evaluate('1')).kind satisfies Evaluation['kind']).to.equal('value');
    });
  });
});
