/**
 * `svc lsp` (cli.md §10, lsp) under many edits: it says of a text that was edited what it says of one that was opened
 * as it is, and every place that it names is one of the text. SVC_EDITOR_EDITS sets how many edits, SVC_EDITOR_SEED
 * which; from 5000 on its memory is held too.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type {
  CompletionList,
  DocumentSymbol,
  Hover,
  Location,
  Position,
  Range,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { LanguageClient } from './language-client.ts';

const EDITS = Number(process.env['SVC_EDITOR_EDITS'] ?? 600);
const SEED = Number(process.env['SVC_EDITOR_SEED'] ?? 7);
/** Edits after which the server is asked for all that it knows. */
const ROUND = 20;
/** Units beyond which a text starts again. */
const MOST_UNITS = 4000;
/** From how many edits on memory is held: before, the engine still compiles; and megabytes that it may grow. */
const LEAK_EDITS = 5000;
const LEAK_MB = 40;

const HELPER = '(ns orders "Orders." {:visibility :prompt})\n\n(defn sum "Adds." [numbers] (reduce + 0 numbers))\n';
const MAIN = `(ns main
  "The workflow."
  (:require [orders :as o]))

(defn- größe "😀 counts." [xs] (count xs))

(defn run
  "Adds up."
  [input]
  (let [total (o/sum (get input "orders"))
        {:keys [a b] :as all} input]
    (cond (nil? a) {:total total, :size (größe all)}
          :else {:total (+ total b) :label "😀 é\\n"})))
`;
const PIECES = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  ';',
  '#',
  '#_',
  "'",
  '\\',
  '^',
  '@',
  '~',
  ' ',
  '\n',
  '\r\n',
  '\r',
  '\t',
  ' x',
  'total',
  'o/',
  ':k',
  '😀',
  'é',
  '\uFEFF',
  '(defn f [a] a)\n',
  '\n(def großes 1)',
  '(let [x 1] x)',
  '(ns main)\n',
  '',
  '',
  '',
];

function manifestOf(folder: string): object {
  const components = [
    { id: 'orders', path: `${folder}orders.clj` },
    { id: 'main', path: `${folder}main.clj`, dependencies: ['orders'] },
  ];
  return { version: 1, workflow: { components, entry: 'main/run' }, input: { value: {} } };
}

/** Numbers that are the same each time (mulberry32). */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Where each line of a text starts. */
function startsOf(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: end }) => index + end.length)];
}

/** No place is between the two units of a line end: one that is meant to be there is before them. */
function outsideLineEnd(text: string, offset: number): number {
  return text[offset - 1] === '\r' && text[offset] === '\n' ? offset - 1 : offset;
}

function placeAt(text: string, offset: number): Position {
  const starts = startsOf(text);
  const line = starts.findLastIndex((start) => start <= offset);
  return { line, character: offset - (starts[line] ?? 0) };
}

/** The offset of a place that has to be one of the text. */
function offsetOf(text: string, { line, character }: Position): number {
  const starts = startsOf(text);
  const start = starts[line];
  if (start === undefined) throw new Error(`there is no line ${String(line)}`);
  const end = starts[line + 1] ?? text.length;
  if (character < 0 || start + character > end) throw new Error(`line ${String(line)} has no ${String(character)}`);
  return start + character;
}

function textIn(text: string, { start, end }: Range): string {
  const [from, to] = [offsetOf(text, start), offsetOf(text, end)];
  if (from > to) throw new Error('a range ends before it starts');
  return text.slice(from, to);
}

function edited(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((one, other) => offsetOf(text, other.range.start) - offsetOf(text, one.range.start))
    .reduce(
      (made, { range, newText }) =>
        made.slice(0, offsetOf(text, range.start)) + newText + made.slice(offsetOf(text, range.end)),
      text,
    );
}

function residentMb(pid: number): number {
  const file = `/proc/${String(pid)}/status`;
  if (!existsSync(file)) return 0;
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) * 1024) / 1e6;
}

describe('svc lsp under edits (cli.md §10, lsp)', () => {
  let directory = '';
  let client: LanguageClient;
  let text = MAIN;
  beforeEach(async () => {
    text = MAIN;
    directory = makeWorkDirectory({
      'svc.json': manifestOf(''),
      'orders.clj': HELPER,
      'main.clj': MAIN,
      'copy/svc.json': manifestOf(''),
      'copy/orders.clj': HELPER,
      'copy/main.clj': MAIN,
    });
    ({ client } = await LanguageClient.start(directory));
  });
  afterEach(() => {
    client.child.kill('SIGKILL');
    client.connection.dispose();
    removeWorkDirectory(directory);
  });

  async function edit(next: (below: number) => number): Promise<void> {
    if (text.length > MOST_UNITS || next(200) === 0) {
      text = next(3) === 0 ? MAIN.replaceAll('\n', '\r\n') : MAIN;
      await client.change('main.clj', text);
      return;
    }
    const start = outsideLineEnd(text, next(text.length + 1));
    const end = outsideLineEnd(text, Math.min(text.length, start + (next(4) === 0 ? next(40) : next(3))));
    const piece = PIECES[next(PIECES.length)] ?? '';
    const range = { start: placeAt(text, start), end: placeAt(text, end) };
    await client.change('main.clj', piece, range);
    text = text.slice(0, start) + piece + text.slice(end);
  }

  /** The same text, opened as it is, has the same faults and definitions, and they are where it has them. */
  async function compareWithCopy(): Promise<void> {
    const found = await client.diagnosticsOf('main.clj');
    const symbols = await client.ask<DocumentSymbol[]>('documentSymbol', 'main.clj');
    await client.open('copy/main.clj', text);
    expect(found).to.deep.equal(await client.diagnosticsOf('copy/main.clj'));
    expect(symbols).to.deep.equal(await client.ask('documentSymbol', 'copy/main.clj'));
    await client.close('copy/main.clj');
    for (const { range } of found) textIn(text, range);
    for (const { name, range, selectionRange } of symbols) {
      expect(textIn(text, range)).to.include(textIn(text, selectionRange));
      const written = textIn(text, selectionRange);
      expect(name.replace(/^(?:->|map->)/, '')).to.equal(written.replace(/^(?:->|map->)/, ''));
    }
  }

  async function askAt(at: Position): Promise<void> {
    const { items } = await client.ask<CompletionList>('completion', 'main.clj', at);
    const [first] = items;
    if (first?.textEdit !== undefined && 'range' in first.textEdit) textIn(text, first.textEdit.range);
    const hover = await client.ask<Hover | null>('hover', 'main.clj', at);
    if (hover?.range !== undefined) textIn(text, hover.range);
    await client.ask('signatureHelp', 'main.clj', at);
    const definition = await client.ask<Location | null>('definition', 'main.clj', at);
    if (definition?.uri === client.uri('main.clj')) expect(textIn(text, definition.range)).to.not.equal('');
    for (const { uri, range } of await client.ask<Location[]>('references', 'main.clj', at, {
      context: { includeDeclaration: true },
    }))
      if (uri === client.uri('main.clj')) expect(textIn(text, range)).to.not.equal('');
    await renameAt(at);
  }

  /** A name is renamed in all its places, or none; each holds the name before. */
  async function renameAt(at: Position): Promise<void> {
    const requested = client.ask<WorkspaceEdit | null>('rename', 'main.clj', at, { newName: 'renamed' });
    const refused = (thrown: unknown): null => {
      // -32600: it says why it is not renamed.
      expect(thrown).to.have.property('code', -32_600);
      return null;
    };
    const edits = (await requested.catch(refused))?.changes?.[client.uri('main.clj')] ?? [];
    const names = new Set(edits.map(({ range }) => textIn(text, range).replace(/^:?(?:.*\/)?/, '')));
    expect([...names]).to.have.length.at.most(1);
  }

  async function layOut(): Promise<void> {
    const ask = async (): Promise<TextEdit[] | null> =>
      client.ask('formatting', 'main.clj', undefined, { options: { tabSize: 2, insertSpaces: true } });
    const edits = await ask();
    if (edits === null || edits.length === 0) return;
    const laidOut = edited(text, edits);
    for (const { range, newText } of edits) await client.change('main.clj', newText, range);
    text = laidOut;
    expect(await ask()).to.deep.equal([]);
  }

  it(`says the same of a text after ${String(EDITS)} edits as of a fresh one`, async function () {
    this.timeout(Math.max(120_000, EDITS * 200));
    const next = numbersFrom(SEED);
    await client.open('main.clj', text);
    let warm = 0;
    for (let count = 1; count <= EDITS; count += 1) {
      await edit(next);
      if (count % ROUND !== 0) continue;
      await compareWithCopy();
      await askAt(placeAt(text, next(text.length + 1)));
      if (next(3) === 0) await layOut();
      if (count * 4 >= EDITS && warm === 0) warm = residentMb(client.child.pid ?? 0);
    }
    const after = residentMb(client.child.pid ?? 0);
    if (EDITS >= LEAK_EDITS) expect(after - warm, `${String(warm)} MB, then ${String(after)}`).to.be.below(LEAK_MB);
    expect(await client.end()).to.equal(0);
  });
});
