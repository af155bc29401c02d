import { expect } from 'chai';
import { createDocumentReader } from '../documents/document-reader.ts';
import { load, MANIFEST } from '../documents/testing/application-tree.ts';
import { memoryFileSystem } from '../documents/testing/memory-file-system.ts';
import type { LocalCheck } from '../provider-source/installed-provider.ts';
import { checkLocally } from './local-checks.ts';

const LINE = JSON.stringify({ schema_version: 2, request_hash: `sha256:${'a'.repeat(64)}`, response: {} });

function replay(fixtures: string): Readonly<Record<string, unknown>> {
  return { source: 'llm_replay', installation_revision: 'one', fixtures };
}

interface Setting {
  /** Fixture paths of the selected sources, in order. */
  readonly selected: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly now?: () => number;
}

/** Code, alias and hint of what is found. */
async function check({ selected, files = {}, now = () => 0 }: Setting): Promise<string> {
  const install = Object.fromEntries(selected.map((path, index) => [`replay-${String(index)}`, replay(path)]));
  const workflow = Object.keys(install).map((name) => ({ name }));
  const application = await load({ manifest: { ...MANIFEST, providers: { workflow } }, host: { install, limits: { local_preflight_timeout_ms: 100 } } });
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
    now,
    variable: () => undefined,
    declarationsAlone: true,
  });
  if (found === null) return 'ok';
  const { code, subject } = found.diagnostic;
  return [code, subject?.name, `${subject?.occurrence?.destination ?? ''}[${String(subject?.occurrence?.index)}]`, found.hint].join(' | ');
}

describe('audited checks of selected providers (runtime.md §1 step 13)', () => {
  async function run(localCheck: LocalCheck, declarationsAlone: boolean): Promise<string> {
    const application = await load({ manifest: { ...MANIFEST, providers: { workflow: [{ name: 'a' }] } }, host: { install: { a: replay('f') } } });
    if (!application.ok) throw new Error(application.diagnostic.message);
    const found = await checkLocally({
      reader: createDocumentReader(memoryFileSystem({}), '/'),
      hostDirectory: '/etc',
      occurrences: application.value.providers.workflow.map((occurrence) => ({ ...occurrence, provider: { ...occurrence.provider, localCheck } })),
      timeoutMs: 20,
      limits: application.value.limits.values,
      tenant: 'tenant',
    admission: null,
      now: () => performance.now(),
      variable: () => undefined,
      declarationsAlone,
    });
    return found === null ? 'ok' : `${found.diagnostic.code} ${String(found.hint)}`;
  }

  it('look at the machine for a run alone, at declarations for validate too', async () => {
    const failing = (reads: LocalCheck['reads']): LocalCheck => ({ reads, run: async () => ({ code: 'command_not_found', hint: null }) });
    expect([await run(failing('environment'), true), await run(failing('environment'), false)]).to.deep.equal(['ok', 'command_not_found null']);
    expect(await run(failing('declaration'), true)).to.equal('command_not_found null');
  });

  it('that never end are given up', async () => {
    expect(await run({ reads: 'environment', run: () => new Promise(() => undefined) }, false)).to.equal('local_check_timeout null');
  });
});

describe('replay fixtures of an application (runtime.md §1, after step 9)', () => {
  const files = { '/etc/good.jsonl': LINE, '/etc/parts/good.jsonl': LINE, '/etc/bad.jsonl': `\n${LINE}\n{`, '/elsewhere/good.jsonl': LINE };

  it('are read from the directory of the host, or where an absolute path leads', async () => {
    expect(await check({ files, selected: ['good.jsonl', './parts//good.jsonl', '/elsewhere/good.jsonl'] })).to.equal('ok');
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
    expect(await check({ files, selected: ['good.jsonl', 'none', 'bad.jsonl'] })).to.match(/^fixtures_unreadable \| replay-1 \| workflow\[1\] \|/u);
  });

  it('have one budget together', async () => {
    const clock = (step: number): (() => number) => {
      let now = -step;
      return () => (now += step);
    };
    // Three looks for each source, the last of them before its one line: at 99 or 102 of 100.
    expect(await check({ files, selected: ['good.jsonl', 'parts/good.jsonl'], now: clock(16.5) })).to.equal('ok');
    expect(await check({ files, selected: ['good.jsonl', 'parts/good.jsonl'], now: clock(17) })).to.equal('local_check_timeout | replay-1 | workflow[1] | ');
  });
});
