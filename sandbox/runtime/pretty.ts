import { refuseEndless } from './endless.ts';
import { memoryExceeded } from './errors.ts';
import { printString, STRING_LIMIT } from './print.ts';
import { visit } from './sequence.ts';
import { Collection } from './values/collection.ts';
import { Eduction } from './values/eduction.ts';
import { LispMap } from './values/map.ts';
import { Queue } from './values/queue.ts';
import { Seq } from './values/seq.ts';
import { LispSet } from './values/set.ts';
import { LispSymbol } from './values/symbol.ts';
import { Vector } from './values/vector.ts';

/** A line has fewer columns than this, as in clojure.pprint (`*print-right-margin*`). */
const COLUMNS = 72;

/** A bracket and what is in it: all of its breaks become new lines, or none. */
interface Block {
  readonly parent: Block | null;
  readonly depth: number;
  /** Column of what is behind the opening bracket, once that is written. */
  indent: number;
  isBroken: boolean;
}

/** A piece of text as it is printed on one line. */
type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly block: Block; readonly text: string }
  /** A space that may become a new line; `at`: where in the whole text on one line the part behind it begins. */
  | { readonly kind: 'break'; readonly block: Block; readonly at: number; until: number };

/** Lists that the reader has a short form for, by their first symbol. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ['quote', "'"],
  ['var', "#'"],
  ['clojure.core/deref', '@'],
  ['clojure.core/unquote', '~'],
]);

class PrettyPrinter {
  readonly #tokens: Token[] = [];
  #length = 0;

  value(value: unknown, parent: Block | null): void {
    const short = value instanceof Seq ? abbreviated(value) : null;
    if (short !== null) {
      this.#text(short.prefix);
      this.value(short.of, parent);
    } else if (!(value instanceof Collection)) this.#text(printString(value));
    else if (value instanceof LispMap) this.#map(value, parent);
    else if (value instanceof Vector) this.#elements('[', value, ']', parent);
    else if (value instanceof LispSet) this.#elements('#{', value, '}', parent);
    else if (value instanceof Queue) this.#elements('<-(', value, ')-<', parent);
    else this.#elements('(', value, ')', parent);
  }

  #text(text: string): void {
    this.#tokens.push({ kind: 'text', text });
    this.#grow(text.length);
  }

  #grow(length: number): void {
    this.#length += length;
    if (this.#length > STRING_LIMIT) throw memoryExceeded('printed text');
  }

  #open(text: string, parent: Block | null): Block {
    const block: Block = { parent, depth: parent === null ? 0 : parent.depth + 1, indent: 0, isBroken: false };
    this.#tokens.push({ kind: 'open', block, text });
    this.#grow(text.length);
    return block;
  }

  #break(block: Block): void {
    this.#grow(1);
    this.#tokens.push({ kind: 'break', block, at: this.#length, until: 0 });
  }

  #elements(open: string, collection: Collection, close: string, parent: Block | null): void {
    const block = this.#open(open, parent);
    let isFirst = true;
    refuseEndless(collection);
    visit(collection, (element) => {
      if (!isFirst) this.#break(block);
      isFirst = false;
      this.value(element, block);
    });
    this.#text(close);
  }

  #map(map: LispMap, parent: Block | null): void {
    const block = this.#open('{', parent);
    let isFirst = true;
    map.visit((key, element) => {
      if (!isFirst) {
        this.#text(',');
        this.#break(block);
      }
      isFirst = false;
      const entry = this.#open('', block);
      this.value(key, entry);
      this.#break(entry);
      this.value(element, entry);
    });
    this.#text('}');
  }

  /** Each break belongs to the text up to the next break of a block around its own. */
  #measure(): void {
    const after: { readonly depth: number; readonly at: number }[] = [];
    for (const token of this.#tokens.toReversed()) {
      if (token.kind !== 'break') continue;
      const { depth } = token.block;
      while ((after.at(-1)?.depth ?? -1) >= depth) after.pop();
      token.until = after.at(-1)?.at ?? this.#length;
      after.push({ depth, at: token.at });
    }
  }

  /** The text with its line ends. */
  finish(): string {
    this.#measure();
    let text = '';
    let column = 0;
    for (const token of this.#tokens) {
      if (token.kind !== 'break') {
        text += token.text;
        const line = token.text.lastIndexOf('\n');
        column = line < 0 ? column + token.text.length : token.text.length - line - 1;
        if (token.kind === 'open') token.block.indent = column;
      } else if (token.block.isBroken || column + token.until - token.at >= COLUMNS) {
        text += `\n${' '.repeat(token.block.indent)}`;
        column = token.block.indent;
        for (let block: Block | null = token.block; block !== null && !block.isBroken; block = block.parent)
          block.isBroken = true;
      } else {
        text += ' ';
        column += 1;
      }
      if (text.length > STRING_LIMIT) throw memoryExceeded('printed text');
    }
    return text;
  }
}

/** `(quote x)` and its like: the prefix of the reader and the form it is before. */
function abbreviated(value: Seq): { readonly prefix: string; readonly of: unknown } | null {
  if (value instanceof Eduction) return null;
  const parts: unknown[] = [];
  visit(value, (element) => parts.push(element) > 2);
  const [head, of] = parts;
  const prefix = head instanceof LispSymbol ? PREFIXES.get(head.text) : undefined;
  return prefix === undefined || parts.length !== 2 ? null : { prefix, of };
}

/** A value as `clojure.pprint/pprint` lays it out, without the last line end. */
export function prettyString(value: unknown): string {
  const printer = new PrettyPrinter();
  printer.value(value, null);
  return printer.finish();
}
