import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROGRAM } from '../cli/program.ts';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
type Answer = Readonly<Record<string, unknown>>;

describe('svc-fs-mcp, the server of text files beside svc (cli.md §9)', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-files-'));
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Tells a server the requests, then that there are no more; what it answers, by number, and how it ended. */
  const exchange = async (
    argv: readonly string[],
    requests: readonly (readonly [string, Answer])[],
  ): Promise<{ readonly answers: readonly Answer[]; readonly status: number | null; readonly stderr: string }> => {
    const child = spawn(join(dirname(PROGRAM), 'svc-fs-mcp'), [...argv], { stdio: ['pipe', 'pipe', 'pipe'] });
    const answers: Answer[] = [];
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = new Promise<number | null>((done) => {
      child.once('close', done);
    });
    // One that did not start reads nothing.
    child.stdin.on('error', () => undefined);
    requests.forEach(([method, params], index) =>
      child.stdin.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: index + 1, method, params: { ...params, _meta: META } })}\n`,
      ),
    );
    if (requests.length === 0) child.stdin.end();
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result, error } = Object(JSON.parse(line));
      answers[id - 1] = result ?? error;
      if (Object.keys(answers).length === requests.length) child.stdin.end();
    }
    return { answers, status: await ended, stderr };
  };
  const call = (name: string, input: Answer): readonly [string, Answer] => ['tools/call', { name, arguments: input }];

  it('is discovered, and offers to write only where it may', async () => {
    for (const [argv, names] of [
      [[], ['read_text_file']],
      [
        ['--max-write-bytes', '9'],
        ['read_text_file', 'write_text_file'],
      ],
    ] as const) {
      const {
        answers: [discovered, listed],
        status,
      } = await exchange(
        ['--root', folder, ...argv],
        [
          ['server/discover', {}],
          ['tools/list', {}],
        ],
      );
      expect(discovered).to.deep.include({ resultType: 'complete', supportedVersions: ['2026-07-28'] });
      expect(Object(listed).tools.map(({ name }: { name: string }) => name)).to.deep.equal(names);
      expect(status).to.equal(0);
    }
  });

  it('reads page by page, and writes', async () => {
    const { answers } = await exchange(
      ['--root', folder, '--max-write-bytes', '9'],
      [
        call('read_text_file', { path: 'a.txt', max_lines: 1 }),
        call('read_text_file', { path: 'a.txt', cursor: 'line-1' }),
        call('write_text_file', { path: 'b.txt', text: 'new' }),
      ],
    );
    const [first, second, written] = answers.map((answer) => Object(answer['structuredContent']));
    expect(first).to.deep.include({ items: ['one'], next_cursor: 'line-1' });
    expect(second).to.deep.include({ items: ['two'], next_cursor: null, snapshot_hash: first.snapshot_hash });
    expect(written).to.deep.equal({ path: 'b.txt', bytes: 3 });
    expect(readFileSync(join(folder, 'b.txt'), 'utf8')).to.equal('new');
  });

  it('tells what it refuses as an answer of the tool, without a path of the machine', async () => {
    const { answers } = await exchange(
      ['--root', folder, '--include', '*.txt', '--max-write-bytes', '3'],
      [
        call('read_text_file', { path: '../a.txt' }),
        call('read_text_file', { path: 'none.txt' }),
        call('read_text_file', { path: 'a.md' }),
        call('write_text_file', { path: 'b.txt', text: 'four' }),
      ],
    );
    expect(answers.map(({ isError }) => isError)).to.deep.equal([true, true, true, true]);
    expect(JSON.stringify(answers)).to.not.include(folder);
  });

  it('follows no link, also inside its folder, and keeps the rights of what it writes', async () => {
    mkdirSync(join(folder, 'public'));
    symlinkSync('..', join(folder, 'public/up'));
    writeFileSync(join(folder, 'public/b.txt'), 'b');
    chmodSync(join(folder, 'public/b.txt'), 0o640);
    const { answers } = await exchange(
      ['--root', folder, '--include', 'public/**', '--max-write-bytes', '3'],
      [
        call('read_text_file', { path: 'public/up/a.txt' }),
        call('write_text_file', { path: 'public/up/a.txt', text: 'new' }),
        call('write_text_file', { path: 'public/b.txt', text: 'new' }),
      ],
    );
    expect(answers.map(({ isError = false }) => isError)).to.deep.equal([true, true, false]);
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).to.equal('one\ntwo');
    expect(statSync(join(folder, 'public/b.txt')).mode & 0o777).to.equal(0o640);
  });

  it('does not start without a folder', async () => {
    for (const argv of [
      [],
      ['--root', ''],
      ['--root', join(folder, 'none')],
      ['--root', folder, '--max-write-bytes', '0'],
    ]) {
      const { status, stderr, answers } = await exchange(argv, []);
      expect({ status, answers }).to.deep.equal({ status: 2, answers: [] });
      expect(stderr).to.match(/^error: --.*\nusage: svc-fs-mcp --root/);
    }
  });
});
