import { expect } from 'chai';
import { createDocumentReader } from '../documents/document-reader.ts';
import { load, MANIFEST } from '../documents/testing/application-tree.ts';
import { memoryFileSystem } from '../documents/testing/memory-file-system.ts';
import { checkReplayFixtures } from './replay-fixtures.ts';

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
  const found = await checkReplayFixtures({
    reader: createDocumentReader(memoryFileSystem({ '/etc/host.json': '{}', ...files }), '/desk'),
    hostDirectory,
    occurrences: [...providers.workflow, ...providers.mission],
    timeoutMs: limits.values.local_preflight_timeout_ms,
    now,
  });
  if (found === null) return 'ok';
  const { code, subject } = found.diagnostic;
  return [code, subject?.name, `${subject?.occurrence?.destination ?? ''}[${String(subject?.occurrence?.index)}]`, found.hint].join(' | ');
}

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
    // Two looks for each source, one of them before its one line: the last at 99 or 100 of 100.
    expect(await check({ files, selected: ['good.jsonl', 'parts/good.jsonl'], now: clock(24.75) })).to.equal('ok');
    expect(await check({ files, selected: ['good.jsonl', 'parts/good.jsonl'], now: clock(25) })).to.equal('local_check_timeout | replay-1 | workflow[1] | ');
  });
});
