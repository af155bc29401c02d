import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArguments } from '../parser/parse.ts';
import { argumentDiagnostic } from '../parser/diagnose.ts';
import { buildInput, buildsInput } from './run-input.ts';

const BYTES_MAX = 2_000_000;

describe('an input that a command line builds (first-day.md §1)', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'svc-input-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  const write = (name: string, bytes: string | Uint8Array): void => {
    writeFileSync(join(directory, name), bytes);
  };

  /** The input of `svc run app.json` with these words, or why it has none. */
  async function built(...words: readonly string[]): Promise<unknown> {
    const invocation = parseArguments(['run', 'app.json', ...words], { workingDirectory: directory, isUtf8: true });
    if (invocation.kind === 'rejected') return argumentDiagnostic(invocation.rejection.fault).message;
    if (invocation.kind !== 'command') return invocation.kind;
    if (!buildsInput(invocation.args)) return 'not built';
    const input = await buildInput(invocation.args, new AbortController().signal);
    if (!input.ok) return `${input.diagnostic.code}: ${input.hint}`;
    const read = await input.stream.read(BYTES_MAX + 1);
    return read.ok ? JSON.parse(Buffer.from(read.bytes).toString()) : read.fault;
  }

  it('takes values, as JSON where they are JSON', async () => {
    expect(
      await built(
        '--input',
        'n=5',
        '--input=name=Ada L.',
        '--input',
        'zip=01234',
        '--input',
        'text="5"',
        '--input',
        'e=',
      ),
    ).to.deep.equal({ n: 5, name: 'Ada L.', zip: '01234', text: '5', e: '' });
    expect(await built('--input', 'list=[1,{"a":null}]', '--input', 'a=b=c')).to.deep.equal({
      list: [1, { a: null }],
      a: 'b=c',
    });
  });

  it('takes the text and the JSON of files', async () => {
    write('orders.csv', '\ufeffid,sum\n1,2\n');
    write('rules.json', '{"most": 3}');
    expect(
      await built('--input-text', 'orders=orders.csv', '--input-json', 'rules=rules.json', '--input', 'n=1'),
    ).to.deep.equal({
      orders: 'id,sum\n1,2\n',
      rules: { most: 3 },
      n: 1,
    });
  });

  it('names one document as before', async () => {
    expect(await built('--input', 'input.json')).to.equal('not built');
    expect(await built('--input', './a=b.json')).to.equal('not built');
    expect(await built('--input', '-')).to.equal('not built');
    expect(await built('--input', 'a.json', '--input', 'b.json')).to.equal('option --input may be given only once');
    expect(await built('--input', 'a.json', '--input', 'n=1')).to.equal('option --input may be given only once');
  });

  it('refuses what does not go together', async () => {
    const conflict = 'options --private-input, --input-text exclude each other';
    expect(await built('--private-input', 'a.json', '--input-text', 't=t.txt')).to.equal(conflict);
    const together = 'option --input is not accepted with these arguments';
    expect(await built('--input', 'a.json', '--input-text', 't=t.txt')).to.equal(together);
    expect(await built('--input', 'n=1', '--input', 'n=2')).to.equal('option --input has a value that is not accepted');
    expect(await built('--input', 'n=1', '--input-text', 'n=t.txt')).to.equal(
      'option --input-text is not accepted with these arguments',
    );
    expect(await built('--input-text', 'no-file')).to.equal('option --input-text has a value that is not accepted');
  });

  it('says which file cannot be taken, and why', async () => {
    write('latin.txt', new Uint8Array([0xe4]));
    write('broken.json', '{');
    expect(await built('--input-text', 't=gone.txt')).to.equal(
      'reference_missing: --input-text t=gone.txt: the file cannot be read',
    );
    expect(await built('--input-text', 't=latin.txt')).to.include('latin.txt: the file is not UTF-8');
    expect(await built('--input-json', 't=broken.json')).to.equal(
      'invalid_json: --input-json t=broken.json: the file is not JSON',
    );
  });

  it('takes a file of as many bytes as an input has, and no more', async () => {
    for (const [bytes, isUsed] of [
      [BYTES_MAX - 1, true],
      [BYTES_MAX, true],
      [BYTES_MAX + 1, false],
    ] as const) {
      write('large.txt', Buffer.alloc(bytes, 'x'));
      const line = ['run', 'app.json', '--input-text', 't=large.txt'];
      const invocation = parseArguments(line, { workingDirectory: directory, isUtf8: true });
      if (invocation.kind !== 'command') throw new Error('the line is right');
      expect((await buildInput(invocation.args, new AbortController().signal)).ok).to.equal(isUsed);
    }
  });
});
