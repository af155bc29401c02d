/** Code mode over standard input and output, as a client starts it (code-mode.md). */
import { expect } from 'chai';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, MODERN, SVC, textOf } from './client.ts';

const FILES = resolve('bin/svc-fs-mcp');

describe('svc code', () => {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-code-')));
    mkdirSync(join(folder, 'notes'));
    writeFileSync(join(folder, 'notes/a.txt'), 'one\ntwo');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function imports(servers: object): string {
    writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    return join(folder, '.mcp.json');
  }

  const notes = (more: object = {}): object => ({
    command: FILES,
    args: ['--root', '${workspaceFolder}/notes', '--include', '*.txt', '--max-write-bytes', '1000'],
    ...more,
  });

  it('speaks each older revision and the current one, and names the newest older one otherwise (1)', async () => {
    const client = new Client(folder, []);
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const { result } = await client.ask('initialize', { protocolVersion: version, capabilities: {} });
      expect(result).to.include({ protocolVersion: version });
    }
    expect((await client.ask('initialize', { protocolVersion: '1999-01-01' })).result).to.include({
      protocolVersion: '2025-11-25',
    });
    expect((await client.ask('server/discover', { _meta: MODERN })).result).to.deep.include({
      supportedVersions: ['2026-07-28'],
    });
    expect((await client.ask('server/discover')).error).to.include({ code: -32_602 });
    expect((await client.ask('tools/list', { _meta: MODERN })).result).to.include({ resultType: 'complete' });
    expect((await client.ask('ping')).result).to.deep.equal({});
    expect((await client.ask('resources/list')).error).to.include({ code: -32_601 });
    expect((await client.send('garbage', null)).error).to.include({ code: -32_700 });
    expect((await client.send('{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', null)).error).to.include({
      code: -32_700,
    });
    expect(await client.end()).to.equal(0);
  });

  it('keeps definitions of a success and nothing of a failure, and forgets them (35, 34, 37)', async () => {
    const client = new Client(folder, []);
    expect(await client.run('```clojure\n(def a 1)\n(+ a 2)\n```')).to.have.deep.nested.property(
      'structuredContent.value',
      3,
    );
    const failed = await client.run('(def a 7)\n(def b 2)\n\t(+ a "🙂" missing)');
    expect(failed).to.include({ isError: true });
    expect(textOf(failed)).to.match(
      /^unbound_var: .*missing.*\(3:11\)\n\t\(\+ a "🙂" missing\)\n\t {9}\^\nno call was made/,
    );
    expect(await client.run('a')).to.have.deep.nested.property('structuredContent.value', 1);
    expect(await client.tool('run', { reset: true })).to.have.nested.property('structuredContent.status', 'ok');
    expect(await client.run('a')).to.include({ isError: true });
    expect(await client.run('1', { value_chars: 1 })).to.include({ isError: true });
    expect(await client.end()).to.equal(0);
  });

  it('shows a value that fits, and of a larger one how much and where the rest is (30, 31)', async () => {
    const client = new Client(folder, []);
    const fits = await client.run('(apply str (repeat 254 "x"))', { value_chars: 256 });
    expect(fits).to.have.deep.nested.property('structuredContent.value', 'x'.repeat(254));
    const over = await client.run('(apply str (repeat 255 "x"))', { value_chars: 256 });
    expect(over).to.have.nested.property('structuredContent.value', null);
    const large = await client.run('(vec (range 20000))');
    expect(large).to.have.deep.nested.property('structuredContent.cut.items[1]', 20_000);
    expect(await client.run('(nth *1 19999)')).to.have.nested.property('structuredContent.value', 19_999);
    const text = await client.run('(apply str (repeat 1000000 "xy"))');
    expect(text).to.have.nested.property('structuredContent.value', null);
    expect(text).to.have.deep.nested.property('structuredContent.cut.characters[1]', 2_000_000);
    expect(text).to.have.nested.property('structuredContent.text').with.length.within(7373, 8192);
    expect(text).to.have.nested.property('structuredContent.how').that.includes('(subs *1 from to)');
    expect(await client.run('[(count *1) (subs *1 1999996 2000000)]')).to.have.deep.nested.property(
      'structuredContent.value',
      [2_000_000, 'xyxy'],
    );
    expect(await client.end()).to.equal(0);
  });

  it('runs programs over imported servers, and asks before one may write (18, 25, 27, 42)', async () => {
    const file = imports({
      notes: notes({ env: { TOKEN: 'secret-of-the-server' } }),
      off: notes({ disabled: true }),
      self: { command: SVC, args: ['code'] },
    });
    const client = new Client(folder, ['--import', file, '--allow', 'notes.read-*']);
    const found = await client.tool('search', { query: 'read text files' });
    expect(found).to.have.deep.nested.property('structuredContent.hits[0].name', 'notes.read-text-file');
    expect(await client.tool('search', { query: 'read text files' })).to.deep.equal(found);
    const unknown = await client.tool('describe', { names: ['notes.red-text-file'] });
    expect(unknown).to.have.deep.nested.property('structuredContent.names[0].nearest', ['notes.read-text-file']);
    const read = await client.run('(get-in (tool/notes.read-text-file {:path "a.txt"}) [:value "items"])');
    expect(read).to.have.deep.nested.property('structuredContent.value', ['one', 'two']);
    const write = await client.run('(:reason (tool/notes.write-text-file {:path "b.txt" :text "x"}))');
    expect(write).to.have.nested.property('structuredContent.status', 'waiting');
    expect(readdirSync(join(folder, 'notes'))).to.deep.equal(['a.txt']);
    expect(await client.end()).to.equal(0);
    expect(client.stderr)
      .to.match(/"off" of .* it is switched off/)
      .and.match(/"self" of .* it starts svc code/);
    expect(client.lines.join('') + client.stderr).not.to.include('secret-of-the-server');
  });

  it('leaves a trace of each run, with its place in the session (46)', async () => {
    const client = new Client(folder, ['--artifacts', join(folder, 'evidence')]);
    await client.run('1');
    await client.run('(missing)');
    expect(await client.end()).to.equal(0);
    const started = readdirSync(join(folder, 'evidence/traces')).map((name) => {
      const [first = ''] = readFileSync(join(folder, 'evidence/traces', name), 'utf8').split('\n');
      const { data }: { readonly data: { readonly session: { readonly id: string; readonly index: number } } } =
        JSON.parse(first);
      return data.session;
    });
    expect(started.map(({ index }) => index)).to.have.members([1, 2]);
    expect(new Set(started.map(({ id }) => id)).size).to.equal(1);
  });

  it('imports nothing where it was started by itself (16)', async () => {
    const client = new Client(folder, ['--import', imports({ notes: notes() })], { SVC_CODE_DEPTH: '1' });
    expect(await client.tool('search', { query: '' })).to.have.deep.nested.property('structuredContent.total', 0);
    expect(await client.end()).to.equal(0);
  });

  it('takes no more than 4800 bytes for instructions and definitions (29)', async () => {
    const client = new Client(folder, []);
    const { result } = await client.ask('initialize', { protocolVersion: '2025-11-25' });
    const list = await client.ask('tools/list');
    const bytes = Buffer.byteLength(`${String(result?.['instructions'])}${JSON.stringify(list.result?.['tools'])}`);
    expect(bytes).to.be.at.most(4800);
    expect(await client.end()).to.equal(0);
  });
});
