/** `svc lsp` (cli.md §10, lsp): a language server, by a client of its protocol. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  CancellationTokenSource,
  ResponseError,
  type CompletionList,
  type Diagnostic,
  type DocumentSymbol,
  type Hover,
  type Location,
  type SignatureHelp,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { start } from '../cli/program.ts';
import { until } from '../until.ts';
import { LanguageClient, placeOf } from './language-client.ts';

const MAIN = `(ns main
  "The workflow."
  (:require [orders :as o]))

(defn run
  "Adds up."
  [input]
  (let [total (o/sum (get input "orders"))]
    {:total total}))
`;
const ORDERS = `(ns orders "Orders." {:visibility :prompt})

(defn sum
  "The sum of numbers."
  {:signature "(numbers [:int]) -> :int"}
  [numbers]
  (reduce + 0 numbers))
`;
const MANIFEST = {
  version: 1,
  workflow: {
    components: [
      { id: 'orders', path: 'orders.clj' },
      { id: 'main', path: 'main.clj', dependencies: ['orders'] },
    ],
    entry: 'main/run',
  },
  input: { value: { orders: [1] } },
};
const FILES = { 'svc.json': MANIFEST, 'main.clj': MAIN, 'orders.clj': ORDERS };

function wordsOf(message: Diagnostic['message']): string {
  return typeof message === 'string' ? message : message.value;
}

/** The code of the error that a request ends with. */
async function codeOf(requested: Promise<unknown>): Promise<number | null> {
  return requested.then(
    () => null,
    (thrown: unknown) => (thrown instanceof ResponseError ? thrown.code : null),
  );
}

describe('svc lsp (cli.md §10, lsp)', () => {
  let directory = '';
  let client: LanguageClient;
  beforeEach(async () => {
    directory = makeWorkDirectory(FILES);
    ({ client } = await LanguageClient.start(directory));
  });
  afterEach(() => {
    client.child.kill('SIGKILL');
    client.connection.dispose();
    removeWorkDirectory(directory);
  });

  it('says nothing of an application that is right, and ends with 0', async () => {
    await client.open('main.clj', MAIN);
    expect(await client.diagnosticsOf('main.clj')).to.deep.equal([]);
    expect(await client.end()).to.equal(0);
  });

  it('says what svc validate says, at its places', async () => {
    const broken = MAIN.replace('{:total total}', '{:total totl :a (nope 1)}');
    writeFileSync(join(directory, 'main.clj'), broken);
    const ended = await start({ argv: ['validate', 'svc.json'], directory }).ended;
    await client.open('main.clj', broken);
    const [first, second, ...others] = await client.diagnosticsOf('main.clj');
    expect(others).to.deep.equal([]);
    expect(first?.range.start).to.deep.equal(placeOf(broken, 'totl'));
    expect(first?.range.end).to.deep.equal({ line: 8, character: 16 });
    expect(second?.range.start).to.deep.equal(placeOf(broken, 'nope'));
    expect(ended.stderr).to.include(`${String(first?.code)}:`);
    for (const { message } of [first, second].filter((one) => one !== undefined))
      for (const line of wordsOf(message).split('\n')) expect(ended.stderr).to.include(line);
  });

  it('says what is wrong with a manifest and a host document', async () => {
    const manifest = JSON.stringify({ ...MANIFEST, inptu: {} }, null, 2);
    await client.open('svc.json', manifest);
    const [fault] = await client.diagnosticsOf('svc.json');
    expect(fault?.code).to.equal('schema_violation');
    expect(fault?.range.start).to.deep.equal(placeOf(manifest, '"inptu"'));
    const host = '{ "$schema": "urn:svc:schema:host:1", "install": { "a": { "source": "nowhere" } } }';
    await client.open('svc-host.json', host);
    expect(await client.diagnosticsOf('svc-host.json')).to.have.length.greaterThan(0);
  });

  it('believes what is typed, not what is saved, also of other files', async () => {
    await client.open('main.clj', MAIN);
    await client.diagnosticsOf('main.clj');
    await client.open('orders.clj', ORDERS.replace('defn sum', 'defn add'));
    await client.diagnosticsOf('orders.clj');
    // The other file is looked at in its own time.
    await until('a fault of the other file', async () =>
      (await client.saidOf('main.clj')).some(({ message }) => wordsOf(message).includes('orders/sum'))
        ? true
        : undefined,
    );
    await client.connection.sendNotification('textDocument/didClose', {
      textDocument: { uri: client.uri('orders.clj') },
    });
    await client.change('main.clj', MAIN);
    expect(await client.diagnosticsOf('main.clj')).to.deep.equal([]);
  });

  it('looks again at a file that changed on disk', async () => {
    await client.open('main.clj', MAIN);
    await client.diagnosticsOf('main.clj');
    writeFileSync(join(directory, 'orders.clj'), '(ns orders (');
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: client.uri('orders.clj'), type: 2 }],
    });
    expect(await client.saidOf('orders.clj')).to.have.length(1);
  });

  it('completes, explains, and helps with calls', async () => {
    await client.open('main.clj', MAIN);
    await client.diagnosticsOf('main.clj');
    const at = (text: string, shift: number): { line: number; character: number } => {
      const { line, character } = placeOf(MAIN, text);
      return { line, character: character + shift };
    };
    const { items } = await client.ask<CompletionList>('completion', 'main.clj', at('o/sum', 2));
    expect(items.map(({ label }) => label)).to.deep.equal(['o/sum']);
    const hover = await client.ask<Hover>('hover', 'main.clj', at('o/sum', 3));
    expect(JSON.stringify(hover.contents)).to.include('The sum of numbers.').and.include('(sum numbers)');
    const help = await client.ask<SignatureHelp>('signatureHelp', 'main.clj', at('(get', 0));
    expect(help.signatures[0]?.label).to.equal('(o/sum numbers)');
  });

  it('finds definitions in this file, in others and in libraries, and what refers to them', async () => {
    await client.open('main.clj', MAIN);
    await client.diagnosticsOf('main.clj');
    const definition = async (text: string): Promise<Location> =>
      client.ask<Location>('definition', 'main.clj', placeOf(MAIN, text));
    expect((await definition('total}')).range.start).to.deep.equal(placeOf(MAIN, 'total ('));
    const found = await definition('o/sum');
    expect(found).to.deep.include({ uri: client.uri('orders.clj') });
    expect(found.range.start).to.deep.equal(placeOf(ORDERS, 'sum'));
    const references = await client.ask<Location[]>('references', 'main.clj', placeOf(MAIN, 'o/sum'), {
      context: { includeDeclaration: true },
    });
    expect(references.map(({ uri }) => uri).toSorted()).to.deep.equal([
      client.uri('main.clj'),
      client.uri('orders.clj'),
    ]);
  });

  it('renames a local, and says why it renames nothing else', async () => {
    await client.open('main.clj', MAIN);
    const edit = await client.ask<WorkspaceEdit>('rename', 'main.clj', placeOf(MAIN, 'total ('), { newName: 'all' });
    expect(edit.changes?.[client.uri('main.clj')]).to.have.length(2);
    const refused = await client.ask('rename', 'main.clj', placeOf(MAIN, 'run'), { newName: 'all' }).then(
      () => '',
      (thrown: unknown) => String(thrown),
    );
    expect(refused).to.include('only locals and private definitions');
  });

  it('lays out, and lists what is defined', async () => {
    const text = '(ns main)\n(defn f [x]\n(g x))\n(defn h [] 1)\n';
    await client.open('main.clj', text);
    const edits = await client.ask<TextEdit[]>('formatting', 'main.clj', undefined, {
      options: { tabSize: 2, insertSpaces: true },
    });
    expect(edits.map(({ newText }) => newText)).to.deep.equal(['  ']);
    const range = { start: { line: 3, character: 0 }, end: { line: 3, character: 3 } };
    expect(await client.ask('rangeFormatting', 'main.clj', undefined, { range, options: {} })).to.deep.equal([]);
    const symbols = await client.ask<DocumentSymbol[]>('documentSymbol', 'main.clj');
    expect(symbols.map(({ name }) => name)).to.deep.equal(['main', 'f', 'h']);
  });

  it('completes and explains documents by their schemas', async () => {
    const text = '{\n  "version": 1,\n  "work"\n}\n';
    await client.open('svc.json', text);
    const { items } = await client.ask<CompletionList>('completion', 'svc.json', { line: 2, character: 7 });
    expect(items.map(({ label }) => label)).to.include('workflow');
    const whole = JSON.stringify(MANIFEST, null, 2);
    await client.change('svc.json', whole);
    const hover = await client.ask<Hover | null>('hover', 'svc.json', placeOf(whole, 'workflow'));
    expect(JSON.stringify(hover)).to.match(/[a-z]{4}/);
  });

  it('counts in UTF-16 units', async () => {
    const text = '(ns main)\n(defn run [input] (let [é😀 1] [é😀 nope]))\n';
    await client.open('main.clj', text);
    const [fault] = await client.diagnosticsOf('main.clj');
    expect(fault?.range.start).to.deep.equal({ line: 1, character: text.split('\n')[1]?.indexOf('nope') });
  });

  it('counts in bytes of UTF-8 where the editor prefers them', async () => {
    const second = await LanguageClient.start(directory, { general: { positionEncodings: ['utf-8', 'utf-16'] } });
    try {
      expect(second.initialized.capabilities.positionEncoding).to.equal('utf-8');
      const line = '(defn run [input] (let [é😀 1] [é😀 nope]))';
      await second.client.open('main.clj', `(ns main)\n${line}\n`);
      const before = Buffer.byteLength(line.slice(0, line.indexOf('nope')));
      const [fault] = await second.client.diagnosticsOf('main.clj');
      expect(fault?.range.start).to.deep.equal({ line: 1, character: before });
      await second.client.change('main.clj', 'input', {
        start: { line: 1, character: before },
        end: { line: 1, character: before + 4 },
      });
      expect(await second.client.diagnosticsOf('main.clj')).to.deep.equal([]);
    } finally {
      expect(await second.client.end()).to.equal(0);
    }
  });

  it('refuses a text of more than 2000000 bytes, and takes one of that many', async () => {
    const filled = (bytes: number): string => `(ns main)\n${';'.repeat(bytes - 10)}`;
    await client.open('large.clj', filled(2_000_001));
    expect((await client.diagnosticsOf('large.clj')).map(({ message }) => message)).to.deep.equal([
      'This text is not looked at: it has more than 2000000 bytes, or too much is open.',
    ]);
    expect(await client.ask('documentSymbol', 'large.clj')).to.equal(null);
    for (const bytes of [2_000_000, 1_999_999]) {
      await client.change('large.clj', filled(bytes));
      expect(await client.diagnosticsOf('large.clj')).to.deep.equal([]);
    }
  });

  it('bears hostile texts', async () => {
    const texts = [
      '('.repeat(100_000),
      '"'.repeat(99_999),
      '#'.repeat(5000),
      '^'.repeat(5000),
      '(ns \u0000)',
      '\uD800',
      '(let [a',
      `(ns a (:require ${'['.repeat(300)}))`,
    ];
    for (const [index, text] of texts.entries()) {
      const name = `h${String(index)}.clj`;
      await client.open(name, text);
      await client.diagnosticsOf(name);
      for (const method of ['completion', 'hover', 'signatureHelp', 'definition', 'documentSymbol'])
        await client.ask(method, name, { line: 0, character: 4 });
    }
    await client.open('svc.json', '['.repeat(100_000));
    await client.diagnosticsOf('svc.json');
    expect(await client.end()).to.equal(0);
  });

  it('bears addresses that are none, and answers of them', async () => {
    for (const uri of ['untitled:Untitled-1', 'file:///%zz', 'file://host/a.clj', 'no address']) {
      const textDocument = { uri, languageId: 'svc-lisp', version: 1, text: '(defn f [a] a)' };
      await client.connection.sendNotification('textDocument/didOpen', { textDocument });
      const symbols = await client.connection.sendRequest<DocumentSymbol[]>('textDocument/documentSymbol', {
        textDocument: { uri },
      });
      expect(symbols.map(({ name }) => name)).to.deep.equal(['f']);
    }
    expect(await client.ask('hover', 'not-open.clj', { line: 0, character: 0 })).to.equal(null);
    expect(await client.end()).to.equal(0);
  });

  it('misses a component whose file is deleted, and finds it again', async () => {
    const manifest = JSON.stringify(MANIFEST, null, 2);
    await client.open('svc.json', manifest);
    expect(await client.diagnosticsOf('svc.json')).to.deep.equal([]);
    const notifyChange = async (type: number): Promise<void> =>
      client.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: client.uri('orders.clj'), type }],
      });
    rmSync(join(directory, 'orders.clj'));
    await notifyChange(3);
    await until('the fault', async () => ((await client.saidOf('svc.json')).length > 0 ? true : undefined));
    writeFileSync(join(directory, 'orders.clj'), ORDERS);
    await notifyChange(1);
    await until('no fault', async () => ((await client.saidOf('svc.json')).length === 0 ? true : undefined));
  });

  it('takes line ends of Windows and a byte order mark for what they are', async () => {
    const text = MAIN.replace('{:total total}', '{:total totl}').replaceAll('\n', '\r\n');
    await client.open('main.clj', text);
    const [fault] = await client.diagnosticsOf('main.clj');
    expect(fault?.range).to.deep.equal({ start: { line: 8, character: 12 }, end: { line: 8, character: 16 } });
    await client.change('main.clj', `\uFEFF${MAIN}`);
    writeFileSync(join(directory, 'main.clj'), `\uFEFF${MAIN}`);
    const ended = await start({ argv: ['validate', 'svc.json'], directory }).ended;
    expect(await client.diagnosticsOf('main.clj')).to.have.length(ended.status === 0 ? 0 : 1);
  });

  it('gives up a request that is cancelled, and refuses those after shutdown', async () => {
    await client.open('main.clj', MAIN);
    const source = new CancellationTokenSource();
    const requested = client.connection.sendRequest(
      'textDocument/documentSymbol',
      documentOf('main.clj'),
      source.token,
    );
    source.cancel();
    expect(await codeOf(requested)).to.equal(-32_800);
    await client.connection.sendRequest('shutdown');
    expect(await codeOf(client.ask('documentSymbol', 'main.clj'))).to.equal(-32_600);
    await client.connection.sendNotification('exit');
    expect(await until('its end', () => client.child.exitCode ?? undefined)).to.equal(0);
  });

  function documentOf(name: string): object {
    return { textDocument: { uri: client.uri(name) } };
  }

  it('ends when a message has no end, with 1', async () => {
    const ended = new Promise<number | null>((resolve) => {
      client.child.once('exit', resolve);
    });
    client.child.stdin?.write('Content-Length: 99999999999\r\n\r\n');
    expect(await ended).to.equal(1);
  });

  it('ends with its parent', async () => {
    const program = process.env['SVC_PROGRAM'] ?? 'svc';
    const script = `exec 3<&0; ${JSON.stringify(program)} lsp <&3 & echo $!; wait`;
    const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'], cwd: directory });
    let said = '';
    parent.stdout.on('data', (text: Buffer) => (said += text.toString()));
    const pid = await until('the process id', () => (/^\d+\n/.test(said) ? Number.parseInt(said, 10) : undefined));
    const params = { processId: parent.pid, rootUri: null, capabilities: {} };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    parent.stdin.write(`Content-Length: ${String(body.length)}\r\n\r\n${body}`);
    await until('the answer', () => (said.includes('serverInfo') ? true : undefined));
    // Its input stays open: only the process id tells.
    parent.kill('SIGKILL');
    await until('its end', () => {
      try {
        process.kill(pid, 0);
        return undefined;
      } catch {
        return true;
      }
    });
    parent.stdin.destroy();
  });
});
