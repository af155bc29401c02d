import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { completionOf } from './candidates.ts';
import { namesAround } from './names.ts';

const FIRST = 'cmd-00000000000000000000000001';
const SECOND = 'cmd-00000000000000000000000002';

describe('names for completion', () => {
  let folder: string;
  const write = (path: string, value: unknown): void => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), typeof value === 'string' ? value : JSON.stringify(value));
  };
  const texts = (...words: string[]): readonly string[] =>
    completionOf(words, namesAround(folder)).candidates.map(({ text }) => text);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-names-'));
    write('svc-project.json', {
      kind: 'svc-project',
      application: { path: 'app/svc.json' },
      host: { path: 'svc-host.json' },
      artifacts: { root: '.svc' },
    });
    write('app/svc.json', {
      workflow: { components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj' }] },
      missions: { reader: { components: [{ id: 'domain.api' }] }, writer: {}, 'not a name; rm -rf': {} },
    });
    write('svc-host.json', { install: { files: {}, model: {} } });
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('are those of the project in the working directory, or of the documents that are named', () => {
    expect(texts('repl', '--mission', '')).to.deep.equal(['reader', 'writer']);
    expect(texts('catalog', '')).to.deep.equal(['files', 'model']);
    expect(texts('materialize', 'svc-project.json', '--component', '')).to.deep.equal(['kernel', 'main']);
    expect(texts('materialize', 'app/svc.json', '--target-mission', 'reader', '--component', '')).to.deep.equal([
      'domain.api',
    ]);
    write('other.json', { install: { elsewhere: {} } });
    expect(texts('catalog', '--host-config', 'other.json', '')).to.deep.equal(['elsewhere']);
  });

  it('of runs are those of its artifacts, the newest first', () => {
    write(`.svc/traces/${FIRST}.jsonl`, '');
    write(`.svc/envelopes/${SECOND}.json`, '');
    write('.svc/traces/notes.txt', '');
    utimesSync(join(folder, `.svc/traces/${FIRST}.jsonl`), 1, 1);
    expect(texts('transcript', '')).to.deep.equal([SECOND, FIRST]);
    write(`elsewhere/${FIRST}.private.jsonl`, '');
    expect(texts('transcript', '--traces', 'elsewhere', '')).to.deep.equal([FIRST]);
  });

  it('never are what a grammar does not allow, whatever a document says', () => {
    write('svc-host.json', { install: { '$(touch x)': {}, 'a\tb': {}, A: {}, fine: {} } });
    expect(texts('catalog', '')).to.deep.equal(['fine']);
  });

  it('are none where documents are missing, broken, too large or of another form', () => {
    for (const broken of [
      '',
      '[]',
      'null',
      '{"install":[]}',
      '{"install":{',
      `{"install":{"a":{}},"x":"${'y'.repeat(1_000_000)}"}`,
    ]) {
      write('svc-host.json', broken);
      expect(texts('catalog', ''), broken.slice(0, 20)).to.deep.equal([]);
    }
    rmSync(join(folder, 'svc-project.json'));
    expect(texts('repl', '--mission', '')).to.deep.equal([]);
    expect(texts('transcript', '')).to.deep.equal([]);
    expect(texts('catalog', '--host-config', '.', '')).to.deep.equal([]);
  });
});
