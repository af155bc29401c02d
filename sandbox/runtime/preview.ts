import { LispError } from './errors.ts';
import { printString, quotedString } from './print.ts';
import { seq } from './sequence.ts';
import { Atom, Delay, Reduced, Volatile } from './values/atom.ts';
import { Collection } from './values/collection.ts';
import { Eduction } from './values/eduction.ts';
import { Keyword, keyword } from './values/keyword.ts';
import { LazySeq } from './values/lazy-seq.ts';
import { LispMap } from './values/map.ts';
import { Queue } from './values/queue.ts';
import { LispRecord } from './values/record.ts';
import { PREVIEW_CHARACTERS } from './preview-bounds.ts';
import { mapFromEntries } from './values/map-builder.ts';
import { Range } from './values/range.ts';
import { Regex } from './regex/regex.ts';
import { LispSet } from './values/set.ts';
import { LispSymbol, symbol } from './values/symbol.ts';
import { vector, Vector } from './values/vector.ts';

/** What a preview shows at most of a value, beside its characters. */
export interface PreviewBounds {
  /** Of one collection. */
  readonly items: number;
  readonly depth: number;
  readonly nodes: number;
  /** Characters of one string. */
  readonly string: number;
  /** Whether parts that are not computed yet are computed to be shown; else they are left out. */
  readonly realises: boolean;
}

/** Bounds of a preview (language.md §18); the one on characters is the caller's. */
const BOUNDS: PreviewBounds = { items: 16, depth: 4, nodes: 256, string: 256, realises: true };
const INTEGER_DIGITS = 100;
const SAMPLED_KEYS = 6;
const SAMPLED_KEY_CHARACTERS = 32;
const CHAIN_OF_CAUSES = 8;

const LARGE_INTEGER = 10n ** BigInt(INTEGER_DIGITS);
const LARGE_INTEGER_TEXT = '#<large-integer>';
const OPAQUE = '#object[...]';
const CUT = '…';
const MORE = ' ...';
const BARE_MORE = '...';

/** What was left out, in the order in which the notice names it. */
const CAPS = ['items', 'depth', 'nodes', 'string', 'output'] as const;
export type Cap = (typeof CAPS)[number];

/** How much of one collection or string is shown; `total` null: that is not known without computing it. */
export interface Cut {
  readonly shown: number;
  readonly total: number | null;
  readonly unit: 'items' | 'entries' | 'characters';
}

/** A preview with what was left out of it. */
export interface Preview {
  readonly text: string;
  /** In the order of the notice; none: the value is shown whole. */
  readonly caps: readonly Cap[];
  /** The first map that was met, where something was left out. */
  readonly map: LispMap | null;
}

/**
 * A value as bounded, balanced text in the syntax of `pr-str` (language.md §18, "Structural preview"); where something
 * was left out, a comment line behind it says what. At most `characters` UTF-16 units, notice included, hence at most
 * three bytes for each. Realises a lazy seq only as far as it is shown, so it can raise what the program raises.
 */
export function preview(value: unknown, characters: number = PREVIEW_CHARACTERS): string {
  return boundedPreview(value, characters).text;
}

/** As `preview`, with what was left out; `bounds` replace those of language.md §18. */
export function boundedPreview(value: unknown, characters: number, bounds: PreviewBounds = BOUNDS): Preview {
  const whole = new PreviewWriter(characters, bounds);
  whole.write(value);
  if (whole.caps.size === 0) return { text: whole.text, caps: [], map: null };
  const map = whole.firstMap;
  const keys = sampledKeys(map, SAMPLED_KEYS, SAMPLED_KEY_CHARACTERS);
  const notice = noticeOf(whole.caps, keys, characters);
  if (whole.text.length + notice.length <= characters)
    return { text: whole.text + notice, caps: inOrder(whole.caps), map };
  const widest = noticeOf(new Set([...whole.caps, 'output']), keys, characters);
  const shorter = new PreviewWriter(characters - widest.length, bounds);
  shorter.write(value);
  const caps = new Set([...whole.caps, ...shorter.caps]);
  return { text: shorter.text + noticeOf(caps, keys, characters), caps: inOrder(caps), map };
}

/**
 * As much of a value as characters have room for, under the bounds given; where something was left out, a comment line
 * behind it says how much there is, of that of which most is missing: `;; cut: 311 of 20000 items`.
 */
export function fillingPreview(value: unknown, characters: number, bounds: PreviewBounds): Preview {
  const whole = new PreviewWriter(characters, bounds);
  whole.write(value);
  if (whole.caps.size === 0) return { text: whole.text, caps: [], map: null };
  // The line is a little longer or shorter for what is shown then: the writer below keeps room for the longest.
  const longest = Math.max(...whole.cuts.map((cut) => sizeLine(cut).length), 0);
  const shorter = new PreviewWriter(characters - longest, bounds);
  shorter.write(value);
  const line = shorter.cuts
    .map(missing)
    .reduce((most, each) => (each.missing > most.missing ? each : most), { missing: -1, line: '' }).line;
  const isRoom = shorter.text.length + line.length <= characters;
  return { text: isRoom ? shorter.text + line : shorter.text, caps: inOrder(shorter.caps), map: whole.firstMap };
}

function missing(cut: Cut): { readonly missing: number; readonly line: string } {
  return { missing: cut.total === null ? Infinity : cut.total - cut.shown, line: sizeLine(cut) };
}

function sizeLine({ shown, total, unit }: Cut): string {
  return total === null
    ? `\n;; cut: ${shown} ${unit}, more are not computed yet`
    : `\n;; cut: ${shown} of ${total} ${unit}`;
}

function inOrder(caps: ReadonlySet<Cap>): readonly Cap[] {
  return CAPS.filter((cap) => caps.has(cap));
}

/** Keys that do not fit beside the value are left out: the value matters more. */
function noticeOf(caps: ReadonlySet<Cap>, keys: readonly string[], characters: number): string {
  const bare = `\n;; truncated: ${inOrder(caps).join(', ')}`;
  const withKeys = keys.length === 0 ? bare : `${bare}; keys: ${keys.join(' ')}`;
  return withKeys.length * 2 <= characters ? withKeys : bare;
}

/** Printed keys of a map, in its order; longer ones are passed over. */
export function sampledKeys(map: LispMap | null, most: number, characters: number): string[] {
  const keys: string[] = [];
  map?.visit((key) => {
    if (typeof key === 'string' || key instanceof Keyword || key instanceof LispSymbol || typeof key === 'number') {
      const text = printString(key);
      if (text.length <= characters) keys.push(text);
    }
    return keys.length === most;
  });
  return keys;
}

/** Writes values while counting nodes and keeping room for everything that still has to be closed. */
class PreviewWriter {
  text = '';
  readonly caps = new Set<Cap>();
  /** Of collections and strings of which a part is shown. */
  readonly cuts: Cut[] = [];
  /** The first map that was met, for the keys of the notice. */
  firstMap: LispMap | null = null;
  readonly #characters: number;
  readonly #bounds: PreviewBounds;
  #nodes = 0;
  #depth = 0;
  /** Units that closing all open brackets takes, each after a mark of what is left out. */
  #reserved = 0;

  constructor(characters: number, bounds: PreviewBounds) {
    this.#characters = characters;
    this.#bounds = bounds;
  }

  /** Writes a value or as much of it as fits; false when none of it does. */
  write(value: unknown): boolean {
    if (this.#nodes >= this.#bounds.nodes) return this.#refuse('nodes');
    this.#nodes += 1;
    if (typeof value === 'string') return this.#string(value);
    if (value instanceof Collection) return this.#collection(value);
    if (value instanceof LispError) return this.#wrapped('#error ', exceptionMap(value), '', '#error {...}');
    if (value instanceof Atom || value instanceof Volatile || value instanceof Reduced) {
      return this.#reference(value.javaName, statusMap('ready', value.value));
    }
    if (value instanceof Delay) return this.#reference(value.javaName, delayMap(value));
    return this.#atom(value);
  }

  #room(): number {
    return this.#characters - this.text.length - this.#reserved;
  }

  #refuse(cap: Cap): false {
    this.caps.add(cap);
    return false;
  }

  #append(text: string): boolean {
    if (text.length > this.#room()) return this.#refuse('output');
    this.text += text;
    return true;
  }

  #string(value: string): boolean {
    const shown = cutText(value, this.#bounds.string);
    if (shown.length < value.length) this.caps.add('string');
    const whole = shown.length < value.length ? cutString(shown) : quotedString(shown);
    if (whole.length > this.#room()) return this.#shorterString(shown, value.length);
    if (shown.length < value.length) this.#noteCut(shown.length, value.length, 'characters');
    return this.#append(whole);
  }

  #noteCut(shown: number, total: number | null, unit: Cut['unit']): void {
    this.cuts.push({ shown, total, unit });
  }

  /** As many characters as fit between the quotes; escapes make a character longer than itself. */
  #shorterString(value: string, total: number): boolean {
    this.caps.add('output');
    const room = this.#room();
    let shown = cutText(value, Math.max(0, room - cutString('').length));
    while (shown !== '' && cutString(shown).length > room) shown = cutText(shown, shown.length - 1);
    if (shown === '') return false;
    this.#noteCut(shown.length, total, 'characters');
    return this.#append(cutString(shown));
  }

  #atom(value: unknown): boolean {
    if (typeof value === 'bigint' && (value >= LARGE_INTEGER || value <= -LARGE_INTEGER))
      return this.#append(LARGE_INTEGER_TEXT);
    const text = printString(value);
    const limit = Math.min(this.#bounds.string, this.#room());
    if (text.length <= limit) return this.#append(text);
    this.caps.add(text.length > this.#bounds.string ? 'string' : 'output');
    if (value instanceof Regex) return this.#append('#"…"');
    if (value instanceof Keyword || value instanceof LispSymbol) {
      return limit > 1 && this.#append(cutText(text, limit - CUT.length) + CUT);
    }
    return text.startsWith('#object[') ? this.#append(OPAQUE) : this.#refuse('output');
  }

  #collection(value: Collection): boolean {
    if (value instanceof LispMap) this.firstMap ??= value;
    const [open, close] = bracketsOf(value);
    if (this.#depth >= this.#bounds.depth && !isKnownEmpty(value)) {
      this.caps.add('depth');
      return this.#append(open + BARE_MORE + close);
    }
    if (!this.#open(open, close)) return false;
    if (value instanceof LispMap) this.#entries(value);
    else this.#elements(value);
    this.#close(close);
    return true;
  }

  #reference(className: string, map: LispMap): boolean {
    return this.#wrapped(`#object[${className} `, map, ']', OPAQUE);
  }

  /** A value of which a map between two fixed texts is to be seen, or the short text where that has no room. */
  #wrapped(before: string, map: LispMap, after: string, short: string): boolean {
    const reserved = after.length;
    if (before.length + '{'.length + MORE.length + '}'.length + reserved > this.#room()) {
      this.caps.add('output');
      return this.#append(short);
    }
    this.text += before;
    this.#reserved += reserved;
    const found = this.firstMap;
    this.#collection(map);
    this.firstMap = found;
    this.#reserved -= reserved;
    this.text += after;
    return true;
  }

  #open(open: string, close: string): boolean {
    const closing = MORE.length + close.length;
    if (open.length + closing > this.#room()) return this.#refuse('output');
    this.text += open;
    this.#reserved += closing;
    this.#depth += 1;
    return true;
  }

  #close(close: string): void {
    this.#depth -= 1;
    this.#reserved -= MORE.length + close.length;
    this.text += close;
  }

  /** The mark of what was left out; its room was kept when the bracket was opened. */
  #leaveOut(written: number): void {
    this.text += written === 0 ? BARE_MORE : MORE;
  }

  #entries(map: LispMap): void {
    let written = 0;
    map.visit((key, value) => {
      if (written === this.#bounds.items) this.caps.add('items');
      else if (this.#entry(written === 0 ? '' : ', ', key, value)) {
        written += 1;
        return false;
      }
      this.#leaveOut(written);
      this.#noteCut(written, map.count, 'entries');
      return true;
    });
  }

  /** Both or nothing of an entry, so that a map always shows whole pairs. */
  #entry(separator: string, key: unknown, value: unknown): boolean {
    const start = this.text;
    if (this.#append(separator) && this.write(key) && this.#append(' ') && this.write(value)) return true;
    this.text = start;
    return false;
  }

  #elements(collection: Collection): void {
    let written = 0;
    const element = (item: unknown): boolean => {
      const start = this.text;
      if (this.#append(written === 0 ? '' : ' ') && this.write(item)) {
        written += 1;
        return true;
      }
      this.text = start;
      return false;
    };
    if (
      !walk(collection, element, this.#bounds, () => {
        this.caps.add('items');
      })
    ) {
      this.#leaveOut(written);
      this.#noteCut(written, knownCount(collection), 'items');
    }
  }
}

/** Elements that are counted where they have to be walked over. */
const MOST_COUNTED = 1_000_000;

/** How many elements it has; null where that is not known without computing any. */
function knownCount(collection: Collection): number | null {
  if (collection instanceof LispMap || collection instanceof LispSet || collection instanceof Vector)
    return collection.count;
  if (collection instanceof Eduction) return null;
  let at: unknown = collection;
  for (let count = 0; count < MOST_COUNTED; count += 1) {
    if (at instanceof Range) return Number.isFinite(at.count) ? count + at.count : null;
    if (at instanceof LazySeq && !at.forced) return null;
    const cells = seq(at);
    if (cells === null) return count;
    at = cells.rest();
  }
  return null;
}

/** Shows up to `items` elements; false when some are left out. A lazy rest is left out unseen. */
function walk(
  collection: Collection,
  show: (item: unknown) => boolean,
  { items, realises }: PreviewBounds,
  onItems: () => void,
): boolean {
  if (!realises && collection instanceof Eduction) {
    onItems();
    return false;
  }
  if (collection instanceof LispSet || collection instanceof Vector || collection instanceof Eduction) {
    let shown = 0;
    return !collectionVisit(collection, (item) => {
      if (shown === items) onItems();
      else if (show(item)) {
        shown += 1;
        return false;
      }
      return true;
    });
  }
  let at: unknown = collection;
  for (let shown = 0; shown < items; shown += 1) {
    if (!realises && at instanceof LazySeq && !at.forced) break;
    const cells = seq(at);
    if (cells === null) return true;
    if (!show(cells.first())) return false;
    at = cells.rest();
  }
  if (isKnownEnd(at)) return true;
  onItems();
  return false;
}

function collectionVisit(collection: LispSet | Vector | Eduction, visitor: (item: unknown) => boolean): boolean {
  if (!(collection instanceof Vector)) return collection.visit(visitor);
  for (let i = 0; i < collection.count; i += 1) if (visitor(collection.at(i))) return true;
  return false;
}

/** Whether nothing follows, as far as that is known without computing anything. */
function isKnownEnd(rest: unknown): boolean {
  if (rest instanceof LazySeq && !rest.forced) return false;
  if (rest instanceof Range && rest.lazy) return false;
  return seq(rest) === null;
}

function isKnownEmpty(value: Collection): boolean {
  if (value instanceof LispMap || value instanceof LispSet || value instanceof Vector) return value.count === 0;
  return !(value instanceof Eduction) && isKnownEnd(value);
}

function bracketsOf(value: Collection): readonly [open: string, close: string] {
  if (value instanceof Vector) return ['[', ']'];
  if (value instanceof LispRecord) return [`#${value.type.name}{`, '}'];
  if (value instanceof LispMap) return ['{', '}'];
  if (value instanceof Queue) return ['#object[clojure.lang.PersistentQueue (', ')]'];
  return value instanceof LispSet ? ['#{', '}'] : ['(', ')'];
}

function cutString(shown: string): string {
  return `${quotedString(shown).slice(0, -1)}${CUT}"`;
}

/** The first units of a text; a surrogate pair stays together. */
function cutText(text: string, units: number): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? Math.max(0, units - 1) : Math.max(0, units));
}

const STATUS = keyword(null, 'status');
const VALUE = keyword(null, 'val');
const CAUSE = keyword(null, 'cause');
const DATA = keyword(null, 'data');
const VIA = keyword(null, 'via');
const TYPE = keyword(null, 'type');
const MESSAGE = keyword(null, 'message');

function statusMap(status: string, value: unknown): LispMap {
  return mapFromEntries([STATUS, keyword(null, status), VALUE, value]);
}

function delayMap({ body, value, failure }: Delay): LispMap {
  if (failure !== null) return statusMap('failed', failure);
  return body === null ? statusMap('ready', value) : statusMap('pending', null);
}

/** The members that `#error` shows, as values. */
function exceptionMap(error: LispError): LispMap {
  const chain = [error];
  for (let { cause } = error; cause instanceof LispError && chain.length < CHAIN_OF_CAUSES; { cause } = cause)
    chain.push(cause);
  const root = chain.at(-1) ?? error;
  const via = chain.map(({ className, message, data }) =>
    mapFromEntries([
      TYPE,
      symbol(null, className),
      ...(message === null ? [] : [MESSAGE, message]),
      ...(data === null ? [] : [DATA, data]),
    ]),
  );
  return mapFromEntries([CAUSE, root.message, ...(root.data === null ? [] : [DATA, root.data]), VIA, vector(via)]);
}
