import { charClass } from './char-class.ts';
import { foldAscii, foldedSet, foldUnicode, isLineTerminator, negated } from './char-sets.ts';
import { classEscape, escapedCodePoint } from './escapes.ts';
import { PatternCursor } from './pattern-cursor.ts';
import { type CharTest, type Flags, PatternFault, type PatternNode } from './syntax.ts';

/** Units a pattern may have (functions.md §15). */
const PATTERN_LIMIT = 10_000;
const REPEAT_LIMIT = 2147483647;

export interface ParsedPattern {
  readonly node: PatternNode;
  /** Number of capturing groups. */
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}

const FLAG_LETTERS: Readonly<Record<string, keyof Flags>> = {
  i: 'ignoreCase',
  m: 'multiline',
  s: 'dotAll',
  x: 'comments',
  d: 'unixLines',
  u: 'unicodeCase',
  U: 'unicodeClasses',
};

const LINE_BREAK: PatternNode = {
  kind: 'choice',
  options: [
    { kind: 'sequence', items: [literal(13), literal(10)] },
    { kind: 'set', test: (c) => (c >= 10 && c <= 13) || isLineTerminator(c), literal: null },
  ],
};

function literal(codePoint: number): PatternNode {
  return { kind: 'set', test: (c) => c === codePoint, literal: codePoint };
}

/** Reads a pattern of java.util.regex; raises `PatternFault` where Java refuses it. */
class PatternParser {
  readonly #cursor: PatternCursor;
  #groups = 0;
  readonly #names = new Map<string, number>();

  constructor(text: string) {
    this.#cursor = new PatternCursor(text);
  }

  parse(): ParsedPattern {
    if (this.#cursor.text.length > PATTERN_LIMIT) this.#cursor.fail('Pattern is too long');
    const node = this.choice();
    if (this.#cursor.at < this.#cursor.text.length) this.#cursor.fail("Unmatched closing ')'");
    return { node, groups: this.#groups, names: this.#names };
  }

  choice(): PatternNode {
    const options = [this.sequence()];
    while (!this.#cursor.quoted() && this.#cursor.eat('|')) options.push(this.sequence());
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  sequence(): PatternNode {
    const items: PatternNode[] = [];
    for (;;) {
      const quoted = this.#cursor.quoted();
      const unit = this.#cursor.peek();
      if (unit === '' || (!quoted && (unit === '|' || unit === ')'))) break;
      const atom = quoted ? this.literalSet(this.#cursor.codePoint()) : this.atom();
      if (atom !== null) items.push(this.quantified(atom));
    }
    return { kind: 'sequence', items };
  }

  quantified(atom: PatternNode): PatternNode {
    if (this.#cursor.quoted()) return atom;
    const bounds = this.bounds();
    if (bounds === null) return atom;
    const [min, max] = bounds;
    const lazy = this.#cursor.eat('?');
    const node: PatternNode = { kind: 'repeat', body: atom, min, max, lazy };
    return !lazy && this.#cursor.eat('+') ? { kind: 'atomic', body: node } : node;
  }

  bounds(): readonly [number, number] | null {
    if (this.#cursor.eat('*')) return [0, Infinity];
    if (this.#cursor.eat('+')) return [1, Infinity];
    if (this.#cursor.eat('?')) return [0, 1];
    if (this.#cursor.peek() !== '{') return null;
    const written = this.#cursor.take(/^\{(\d+)(,?)(\d*)\}/, 30);
    if (written === null) return this.#cursor.fail('Illegal repetition');
    const [, low = '0', comma = '', high = ''] = written;
    const min = Number(low);
    const max = high !== '' ? Number(high) : comma === '' ? min : Infinity;
    if (comma === '' && high !== '') return this.#cursor.fail('Illegal repetition');
    if (max < min || min > REPEAT_LIMIT) return this.#cursor.fail('Illegal repetition range');
    return [min, max];
  }

  /** One atom; null for a flag group, which puts out nothing. */
  atom(): PatternNode | null {
    const unit = this.#cursor.peek();
    switch (unit) {
      case '(':
        return this.group();
      case '[':
        this.#cursor.at++;
        return { kind: 'set', test: charClass(this.#cursor), literal: null };
      case '.':
        this.#cursor.at++;
        return { kind: 'set', test: this.dot(), literal: null };
      case '^':
        this.#cursor.at++;
        if (!this.#cursor.flags.multiline) return { kind: 'assert', where: 'start' };
        return { kind: 'assert', where: this.#cursor.flags.unixLines ? 'line-start-unix' : 'line-start' };
      case '$':
        this.#cursor.at++;
        if (this.#cursor.flags.multiline)
          return { kind: 'assert', where: this.#cursor.flags.unixLines ? 'line-end-unix' : 'line-end' };
        return { kind: 'assert', where: this.#cursor.flags.unixLines ? 'final-end-unix' : 'final-end' };
      case '*':
      case '+':
      case '?':
        return this.#cursor.fail(`Dangling meta character '${unit}'`);
      case '{':
        return this.#cursor.fail('Illegal repetition');
      case '\\':
        this.#cursor.at++;
        return this.escape();
      default:
        return this.literalSet(this.#cursor.codePoint());
    }
  }

  dot(): CharTest {
    if (this.#cursor.flags.dotAll) return () => true;
    return this.#cursor.flags.unixLines ? (c) => c !== 10 : negated(isLineTerminator);
  }

  literalSet(codePoint: number): PatternNode {
    if (!this.#cursor.flags.ignoreCase) return literal(codePoint);
    return { kind: 'set', test: foldedSet((c) => c === codePoint, this.#cursor.flags), literal: null };
  }

  group(): PatternNode | null {
    this.#cursor.at++;
    this.#cursor.enter();
    const outer = this.#cursor.flags;
    const node = this.groupBody();
    this.#cursor.leave();
    if (node !== null) {
      this.#cursor.quoted();
      if (!this.#cursor.eat(')')) this.#cursor.fail('Unclosed group');
      this.#cursor.flags = outer;
    }
    return node;
  }

  groupBody(): PatternNode | null {
    if (!this.#cursor.eat('?')) return this.capture();
    if (this.#cursor.eat(':')) return this.choice();
    if (this.#cursor.eat('>')) return { kind: 'atomic', body: this.choice() };
    if (this.#cursor.eat('=')) return { kind: 'look', behind: false, negative: false, body: this.choice() };
    if (this.#cursor.eat('!')) return { kind: 'look', behind: false, negative: true, body: this.choice() };
    if (this.#cursor.eat('<=')) return { kind: 'look', behind: true, negative: false, body: this.choice() };
    if (this.#cursor.eat('<!')) return { kind: 'look', behind: true, negative: true, body: this.choice() };
    if (this.#cursor.eat('<')) return this.namedCapture();
    return this.flagGroup();
  }

  capture(): PatternNode {
    this.#groups++;
    const index = this.#groups;
    return { kind: 'group', index, body: this.choice() };
  }

  namedCapture(): PatternNode {
    const name = this.groupName();
    if (this.#names.has(name)) this.#cursor.fail(`Named capturing group <${name}> is already defined`);
    this.#names.set(name, this.#groups + 1);
    return this.capture();
  }

  groupName(): string {
    const [, name] = this.#cursor.take(/^([A-Za-z][A-Za-z0-9]*)>/, 300) ?? [];
    return name ?? this.#cursor.fail("named capturing group is missing trailing '>'");
  }

  /** `(?i)` sets flags to the end of the group around, `(?i:…)` inside its own. */
  flagGroup(): PatternNode | null {
    let flags = this.#cursor.flags;
    let on = true;
    for (;;) {
      const unit = this.#cursor.peek();
      const flag = FLAG_LETTERS[unit];
      if (unit === '-' && on) on = false;
      else if (flag !== undefined) {
        flags = { ...flags, [flag]: on };
        if (flag === 'unicodeClasses') flags = { ...flags, unicodeCase: on };
      } else if (unit === ')' || unit === ':') break;
      else this.#cursor.fail('Unknown inline modifier');
      this.#cursor.at++;
    }
    this.#cursor.flags = flags;
    if (this.#cursor.eat(')')) return null;
    this.#cursor.at++;
    return this.choice();
  }

  escape(): PatternNode {
    const unit = this.#cursor.peek();
    switch (unit) {
      case 'b':
      case 'B': {
        if (this.#cursor.text.startsWith('b{', this.#cursor.at)) this.#cursor.fail('\\b{…} is not supported here');
        this.#cursor.at++;
        const unicode = this.#cursor.flags.unicodeClasses;
        if (unit === 'b') return { kind: 'assert', where: unicode ? 'unicode-word' : 'word' };
        return { kind: 'assert', where: unicode ? 'not-unicode-word' : 'not-word' };
      }
      case 'A':
        this.#cursor.at++;
        return { kind: 'assert', where: 'start' };
      case 'z':
        this.#cursor.at++;
        return { kind: 'assert', where: 'end' };
      case 'Z':
        this.#cursor.at++;
        return { kind: 'assert', where: this.#cursor.flags.unixLines ? 'final-end-unix' : 'final-end' };
      case 'G':
        this.#cursor.at++;
        return { kind: 'assert', where: 'previous-end' };
      case 'R':
        this.#cursor.at++;
        return LINE_BREAK;
      case 'k': {
        this.#cursor.at++;
        if (!this.#cursor.eat('<')) this.#cursor.fail("\\k is not followed by '<' for named capturing group");
        const name = this.groupName();
        const group = this.#names.get(name);
        if (group === undefined) return this.#cursor.fail(`named capturing group <${name}> does not exist`);
        return this.reference(group);
      }
      default:
        if (unit >= '1' && unit <= '9') return this.numberedReference();
        return this.escapedSet();
    }
  }

  /** Further digits belong to a reference as long as that group is already open or closed. */
  numberedReference(): PatternNode {
    let group = Number(this.#cursor.peek());
    this.#cursor.at++;
    while (/[0-9]/.test(this.#cursor.peek()) && group * 10 + Number(this.#cursor.peek()) <= this.#groups) {
      group = group * 10 + Number(this.#cursor.peek());
      this.#cursor.at++;
    }
    return this.reference(group);
  }

  reference(group: number): PatternNode {
    const fold = this.#cursor.flags.ignoreCase ? (this.#cursor.flags.unicodeCase ? foldUnicode : foldAscii) : null;
    return { kind: 'reference', group, fold };
  }

  escapedSet(): PatternNode {
    const test = classEscape(this.#cursor);
    if (test !== null) return { kind: 'set', test, literal: null };
    return this.literalSet(escapedCodePoint(this.#cursor));
  }
}

/** The parsed form of a pattern, or the fault in it. */
export function parsePattern(text: string): ParsedPattern | PatternFault {
  try {
    return new PatternParser(text).parse();
  } catch (thrown) {
    if (thrown instanceof PatternFault) return thrown;
    throw thrown;
  }
}
