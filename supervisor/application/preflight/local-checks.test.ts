import { expect } from 'chai';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { load, MANIFEST } from '../../documents/testing/application-tree.ts';
import { memoryFileSystem } from '../../documents/testing/memory-file-system.ts';
import type { LocalCheck } from '../../providers/source/installed-provider.ts';
import { hangMs, type CheckClocks } from './check-budget.ts';
import { checkLocally } from './local-checks.ts';

const LINE = JSON.stringify({ schema_version: 2, request_hash: `sha256:${'a'.repeat(64)}`, response: {} });

function replay(fixtures: string): Readonly<Record<string, unknown>> {
  return { source: 'llm_replay', installation_revision: 'one', fixtures };
}

interface Setting {
  /** Fixture paths of the selected sources, in order. */
  readonly selected: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly processorMs?: () => number;
}

const NEVER = new AbortController().signal;
const CLOCKS: CheckClocks = { processorMs: () => 0, startTimer: () => () => undefined };

/** Code, alias and hint of what is found. */
async function check({ selected, files = {}, processorMs = CLOCKS.processorMs }: Setting): Promise<string> {
  const install = Object.fromEntries(selected.map((path, index) => [`replay-${String(index)}`, replay(path)]));
  const workflow = Object.keys(install).map((name) => ({ name }));
  const application = await load({
    manifest: { ...MANIFEST, providers: { workflow } },
    host: { install, limits: { local_preflight_timeout_ms: 100 } },
  });
  if (!application.ok) throw new Error(application.diagnostic.message);
  const { providers, limits, hostDirectory } = application.value;
  if (hostDirectory === null) throw new Error('there is a host');
  const found = await checkLocally({
    reader: createDocumentReader(memoryFileSystem({ '/etc/host.json': '{}', ...files }), '/desk'),
    hostDirectory,
    occurrences: [...providers.workflow, ...providers.mission],
    timeoutMs: limits.values.local_preflight_timeout_ms,
    limits: limits.values,
    tenant: 'tenant',
    admission: null,
    clocks: { ...CLOCKS, processorMs },
    stop: NEVER,
    variable: () => undefined,
    declarationsAlone: true,
  });
  if (found === null) return 'ok';
  const { code, subject } = found.diagnostic;
  return [
    code,
    subject?.name,
    `${subject?.occurrence?.destination ?? ''}[${String(subject?.occurrence?.index)}]`,
    found.advice?.hint,
  ].join(' | ');
}

describe('audited checks of selected providers (runtime.md §1 step 13)', () => {
  const LIMIT_MS = 100;

  interface Checks {
    /** One for each of the selected providers. */
    readonly checks: readonly LocalCheck['run'][];
    readonly clocks?: Partial<CheckClocks>;
    readonly stop?: AbortSignal;
    readonly declarationsAlone?: boolean;
    readonly reads?: LocalCheck['reads'];
  }

  async function run({
    checks,
    clocks = {},
    stop = NEVER,
    declarationsAlone = false,
    reads = 'environment',
  }: Checks): Promise<string> {
    const aliases = checks.map((_, index) => `a${String(index)}`);
    const application = await load({
      manifest: { ...MANIFEST, providers: { workflow: aliases.map((name) => ({ name })) } },
      host: { install: Object.fromEntries(aliases.map((name) => [name, replay('f')])) },
    });
    if (!application.ok) throw new Error(application.diagnostic.message);
    const found = await checkLocally({
      reader: createDocumentReader(memoryFileSystem({}), '/'),
      hostDirectory: '/etc',
      occurrences: application.value.providers.workflow.map((occurrence) => {
        const check = checks[occurrence.index];
        return {
          ...occurrence,
          provider: { ...occurrence.provider, localCheck: check === undefined ? null : { reads, run: check } },
        };
      }),
      timeoutMs: LIMIT_MS,
      limits: application.value.limits.values,
      tenant: 'tenant',
      admission: null,
      clocks: { ...CLOCKS, ...clocks },
      stop,
      variable: () => undefined,
      declarationsAlone,
    });
    return found === null
      ? 'ok'
      : [found.diagnostic.code, found.diagnostic.subject?.name ?? '-', found.advice?.hint].join(' ').trim();
  }

  /** Waits for something else: a thread that starts, a place in a pool, its turn on a busy machine. */
  const waiting =
    (timer: Timer, ms: number): LocalCheck['run'] =>
    async () => {
      await Promise.resolve();
      timer.pass(ms);
      await Promise.resolve();
      return 'passed';
    };
  const using =
    (ms: number): LocalCheck['run'] =>
    async ({ budget }) => {
      budget.spend(ms);
      return 'passed';
    };

  it('look at the machine for a run alone, at declarations for validate too', async () => {
    const failing: Pick<Checks, 'checks'> = { checks: [async () => ({ code: 'command_not_found', hint: null })] };
    expect([await run({ ...failing, declarationsAlone: true }), await run(failing)]).to.deep.equal([
      'ok',
      'command_not_found a0',
    ]);
    expect(await run({ ...failing, declarationsAlone: true, reads: 'declaration' })).to.equal('command_not_found a0');
  });

  it('have a budget of processor time that they use themselves, all together', async () => {
    expect(await run({ checks: [using(50), using(49)] })).to.equal('ok');
    expect(
      await run({
        checks: [
          using(50),
          using(50),
          async () => {
            throw new Error('nothing is begun after it');
          },
        ],
      }),
    ).to.equal('local_check_timeout a1');
  });

  it('may wait for longer than their budget: neighbours that keep the machine busy fail none of them', async () => {
    const timer = new Timer();
    expect(
      await run({
        checks: [waiting(timer, 50 * LIMIT_MS), using(99), waiting(timer, 50 * LIMIT_MS)],
        clocks: timer.clocks,
      }),
    ).to.equal('ok');
    expect(timer.now, 'they did wait').to.equal(100 * LIMIT_MS);
  });

  it('that never end are given up after two minutes, or twelve times their budget, and told so', async () => {
    const timer = new Timer();
    let signal = NEVER;
    const hanging: LocalCheck['run'] = (tools) => {
      ({ signal } = tools);
      return new Promise(() => queueMicrotask(() => timer.pass(120_000)));
    };
    expect(await run({ checks: [hanging], clocks: timer.clocks })).to.equal('local_check_timeout a0');
    expect(signal.aborted).to.equal(true);
    expect([hangMs(LIMIT_MS), hangMs(5000), hangMs(30_000)]).to.deep.equal([120_000, 120_000, 360_000]);
  });

  it('end with the command that is stopped, and leave no timer', async () => {
    const timer = new Timer();
    const stop = new AbortController();
    const stopping: LocalCheck['run'] = () => new Promise(() => queueMicrotask(() => stop.abort('SIGINT')));
    expect(await run({ checks: [stopping], clocks: timer.clocks, stop: stop.signal })).to.equal('internal_error -');
    expect(timer.isSet).to.equal(false);
    expect(await run({ checks: [() => new Promise(() => undefined)], stop: AbortSignal.abort('SIGINT') })).to.equal(
      'internal_error -',
    );
  });
});

/** A wall clock that is moved by hand, with the one timer that checks set. */
class Timer {
  now = 0;
  #due: { readonly at: number; readonly fire: () => void } | null = null;
  readonly clocks: Pick<CheckClocks, 'startTimer'> = {
    startTimer: (ms, fire) => {
      this.#due = { at: this.now + ms, fire };
      return () => {
        this.#due = null;
      };
    },
  };

  get isSet(): boolean {
    return this.#due !== null;
  }

  pass(ms: number): void {
    this.now += ms;
    if (this.#due !== null && this.#due.at <= this.now) this.#due.fire();
  }
}

describe('replay fixtures of an application (runtime.md §1, after step 9)', () => {
  const files = {
    '/etc/good.jsonl': LINE,
    '/etc/parts/good.jsonl': LINE,
    '/etc/bad.jsonl': `\n${LINE}\n{`,
    '/elsewhere/good.jsonl': LINE,
  };

  it('are read from the directory of the host, or where an absolute path leads', async () => {
    expect(await check({ files, selected: ['good.jsonl', './parts//good.jsonl', '/elsewhere/good.jsonl'] })).to.equal(
      'ok',
    );
    expect(await check({ files, selected: ['elsewhere/good.jsonl'] })).to.equal(
      'fixtures_unreadable | replay-0 | workflow[0] | the fixture file breaks the rule: readable',
    );
  });

  it('tell rule and line to people, and nothing of what stands there', async () => {
    expect(await check({ files, selected: ['bad.jsonl'] })).to.equal(
      'fixtures_unreadable | replay-0 | workflow[0] | the fixture file breaks the rule: json, line 3',
    );
    expect(await check({ files: { '/etc/a': '' }, selected: ['a'] })).to.equal(
      'fixtures_unreadable | replay-0 | workflow[0] | the fixture file breaks the rule: empty',
    );
  });

  it('are told in order of the declarations', async () => {
    expect(await check({ files, selected: ['good.jsonl', 'none', 'bad.jsonl'] })).to.match(
      /^fixtures_unreadable \| replay-1 \| workflow\[1\] \|/u,
    );
  });

  it('have one budget together', async () => {
    const clock = (step: number): (() => number) => {
      let now = -step;
      return () => (now += step);
    };
    // Four looks for each source, three of them differences: at its beginning, before its one line and at its end.
    const looks = (step: number): Promise<string> =>
      check({ files, selected: ['good.jsonl', 'parts/good.jsonl'], processorMs: clock(step) });
    expect(await looks(24.5)).to.equal('ok');
    expect(await looks(25)).to.equal('local_check_timeout | replay-1 | workflow[1] | ');
  });
});
