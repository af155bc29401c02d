import { foldAscii, foldedSet, foldUnicode, isLineTerminator, negated, property, shorthand } from './char-sets.ts';
import { type CharTest, type Flags, NO_FLAGS, PatternFault, type RegexNode } from './syntax.ts';

/** Units a pattern may have (functions.md §15). */
const PATTERN_LIMIT = 10_000;
const REPEAT_LIMIT = 2147483647;
/** Groups and classes inside each other: the parser and the assembler recurse, on whatever stack the caller left. */
const DEPTH_LIMIT = 500;

export interface ParsedPattern {
  readonly node: RegexNode;
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

const CONTROL: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };

const LINE_BREAK: RegexNode = {
  kind: 'choice',
  options: [
    { kind: 'sequence', items: [literal(13), literal(10)] },
    { kind: 'set', test: (c) => (c >= 10 && c <= 13) || isLineTerminator(c), literal: null },
  ],
};

function literal(codePoint: number): RegexNode {
  return { kind: 'set', test: (c) => c === codePoint, literal: codePoint };
}

/** Reads a pattern of java.util.regex; raises `PatternFault` where Java refuses it. */
class PatternParser {
  readonly #text: string;
  #at = 0;
  #flags: Flags = NO_FLAGS;
  #groups = 0;
  #depth = 0;
  /** End of a `\Q…\E` stretch under way, or -1. */
  #quotedUntil = -1;
  readonly #names = new Map<string, number>();

  constructor(text: string) {
    this.#text = text;
  }

  parse(): ParsedPattern {
    if (this.#text.length > PATTERN_LIMIT) this.fail('Pattern is too long');
    const node = this.choice();
    if (this.#at < this.#text.length) this.fail("Unmatched closing ')'");
    return { node, groups: this.#groups, names: this.#names };
  }

  fail(message: string): never {
    throw new PatternFault(message, this.#at);
  }

  peek(): string {
    return this.#text.charAt(this.#at);
  }

  eat(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  /** The next code point, consumed. */
  codePoint(): number {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined) return this.fail('Unexpected end of pattern');
    this.#at += code > 0xffff ? 2 : 1;
    return code;
  }

  /** White space and comments under `(?x)`. */
  skipComments(): void {
    if (!this.#flags.comments || this.#quotedUntil !== -1) return;
    for (;;) {
      const unit = this.peek();
      if (unit !== '' && ' \t\n\u000b\f\r'.includes(unit)) this.#at++;
      else if (unit === '#') {
        while (this.#at < this.#text.length && !isLineTerminator(this.#text.charCodeAt(this.#at))) this.#at++;
      } else return;
    }
  }

  /** Enters and leaves `\Q…\E`; answers whether the next unit is quoted. */
  quoted(): boolean {
    for (;;) {
      if (this.#quotedUntil !== -1) {
        if (this.#at < this.#quotedUntil) return true;
        this.#at = Math.min(this.#text.length, this.#quotedUntil + 2);
        this.#quotedUntil = -1;
      }
      this.skipComments();
      if (!this.#text.startsWith('\\Q', this.#at)) return false;
      this.#at += 2;
      const end = this.#text.indexOf('\\E', this.#at);
      this.#quotedUntil = end === -1 ? this.#text.length : end;
    }
  }

  enter(): void {
    this.#depth++;
    if (this.#depth > DEPTH_LIMIT) this.fail(`Groups nested deeper than ${DEPTH_LIMIT} are not supported here`);
  }

  choice(): RegexNode {
    const options = [this.sequence()];
    while (!this.quoted() && this.eat('|')) options.push(this.sequence());
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  sequence(): RegexNode {
    const items: RegexNode[] = [];
    for (;;) {
      const quoted = this.quoted();
      const unit = this.peek();
      if (unit === '' || (!quoted && (unit === '|' || unit === ')'))) break;
      const atom = quoted ? this.literalSet(this.codePoint()) : this.atom();
      if (atom !== null) items.push(this.quantified(atom));
    }
    return { kind: 'sequence', items };
  }

  quantified(atom: RegexNode): RegexNode {
    if (this.quoted()) return atom;
    const bounds = this.bounds();
    if (bounds === null) return atom;
    const [min, max] = bounds;
    const lazy = this.eat('?');
    const node: RegexNode = { kind: 'repeat', body: atom, min, max, lazy };
    return !lazy && this.eat('+') ? { kind: 'atomic', body: node } : node;
  }

  bounds(): readonly [number, number] | null {
    if (this.eat('*')) return [0, Infinity];
    if (this.eat('+')) return [1, Infinity];
    if (this.eat('?')) return [0, 1];
    if (this.peek() !== '{') return null;
    const written = /^\{(\d+)(,?)(\d*)\}/.exec(this.#text.slice(this.#at, this.#at + 30));
    if (written === null) return this.fail('Illegal repetition');
    const [all, low = '0', comma = '', high = ''] = written;
    const min = Number(low);
    const max = high !== '' ? Number(high) : comma === '' ? min : Infinity;
    if (comma === '' && high !== '') return this.fail('Illegal repetition');
    if (max < min || min > REPEAT_LIMIT) return this.fail('Illegal repetition range');
    this.#at += all.length;
    return [min, max];
  }

  /** One atom; null for a flag group, which puts out nothing. */
  atom(): RegexNode | null {
    const unit = this.peek();
    switch (unit) {
      case '(':
        return this.group();
      case '[':
        this.#at++;
        return { kind: 'set', test: this.charClass(), literal: null };
      case '.':
        this.#at++;
        return { kind: 'set', test: this.dot(), literal: null };
      case '^':
        this.#at++;
        if (!this.#flags.multiline) return { kind: 'assert', where: 'start' };
        return { kind: 'assert', where: this.#flags.unixLines ? 'line-start-unix' : 'line-start' };
      case '$':
        this.#at++;
        if (this.#flags.multiline) return { kind: 'assert', where: this.#flags.unixLines ? 'line-end-unix' : 'line-end' };
        return { kind: 'assert', where: this.#flags.unixLines ? 'final-end-unix' : 'final-end' };
      case '*':
      case '+':
      case '?':
        return this.fail(`Dangling meta character '${unit}'`);
      case '{':
        return this.fail('Illegal repetition');
      case '\\':
        this.#at++;
        return this.escape();
      default:
        return this.literalSet(this.codePoint());
    }
  }

  dot(): CharTest {
    if (this.#flags.dotAll) return () => true;
    return this.#flags.unixLines ? (c) => c !== 10 : negated(isLineTerminator);
  }

  literalSet(codePoint: number): RegexNode {
    if (!this.#flags.ignoreCase) return literal(codePoint);
    return { kind: 'set', test: foldedSet((c) => c === codePoint, this.#flags), literal: null };
  }

  group(): RegexNode | null {
    this.#at++;
    this.enter();
    const outer = this.#flags;
    const node = this.groupBody();
    this.#depth--;
    if (node !== null) {
      this.quoted();
      if (!this.eat(')')) this.fail('Unclosed group');
      this.#flags = outer;
    }
    return node;
  }

  groupBody(): RegexNode | null {
    if (!this.eat('?')) return this.capture();
    if (this.eat(':')) return this.choice();
    if (this.eat('>')) return { kind: 'atomic', body: this.choice() };
    if (this.eat('=')) return { kind: 'look', behind: false, negative: false, body: this.choice() };
    if (this.eat('!')) return { kind: 'look', behind: false, negative: true, body: this.choice() };
    if (this.eat('<=')) return { kind: 'look', behind: true, negative: false, body: this.choice() };
    if (this.eat('<!')) return { kind: 'look', behind: true, negative: true, body: this.choice() };
    if (this.eat('<')) return this.namedCapture();
    return this.flagGroup();
  }

  capture(): RegexNode {
    this.#groups++;
    const index = this.#groups;
    return { kind: 'group', index, body: this.choice() };
  }

  namedCapture(): RegexNode {
    const name = this.groupName();
    if (this.#names.has(name)) this.fail(`Named capturing group <${name}> is already defined`);
    this.#names.set(name, this.#groups + 1);
    return this.capture();
  }

  groupName(): string {
    const found = /^([A-Za-z][A-Za-z0-9]*)>/.exec(this.#text.slice(this.#at, this.#at + 300));
    if (found === null || found[1] === undefined) return this.fail('named capturing group is missing trailing \'>\'');
    this.#at += found[0].length;
    return found[1];
  }

  /** `(?i)` sets flags to the end of the group around, `(?i:…)` inside its own. */
  flagGroup(): RegexNode | null {
    let flags = this.#flags;
    let on = true;
    for (;;) {
      const unit = this.peek();
      const flag = FLAG_LETTERS[unit];
      if (unit === '-' && on) on = false;
      else if (flag !== undefined) {
        flags = { ...flags, [flag]: on };
        if (flag === 'unicodeClasses') flags = { ...flags, unicodeCase: on };
      } else if (unit === ')' || unit === ':') break;
      else this.fail('Unknown inline modifier');
      this.#at++;
    }
    this.#flags = flags;
    if (this.eat(')')) return null;
    this.#at++;
    return this.choice();
  }

  escape(): RegexNode {
    const unit = this.peek();
    switch (unit) {
      case 'b':
      case 'B': {
        if (this.#text.startsWith('b{', this.#at)) this.fail('\\b{…} is not supported here');
        this.#at++;
        const unicode = this.#flags.unicodeClasses;
        if (unit === 'b') return { kind: 'assert', where: unicode ? 'unicode-word' : 'word' };
        return { kind: 'assert', where: unicode ? 'not-unicode-word' : 'not-word' };
      }
      case 'A':
        this.#at++;
        return { kind: 'assert', where: 'start' };
      case 'z':
        this.#at++;
        return { kind: 'assert', where: 'end' };
      case 'Z':
        this.#at++;
        return { kind: 'assert', where: this.#flags.unixLines ? 'final-end-unix' : 'final-end' };
      case 'G':
        this.#at++;
        return { kind: 'assert', where: 'previous-end' };
      case 'R':
        this.#at++;
        return LINE_BREAK;
      case 'k': {
        this.#at++;
        if (!this.eat('<')) this.fail("\\k is not followed by '<' for named capturing group");
        const name = this.groupName();
        const group = this.#names.get(name);
        if (group === undefined) return this.fail(`named capturing group <${name}> does not exist`);
        return this.reference(group);
      }
      default:
        if (unit >= '1' && unit <= '9') return this.numberedReference();
        return this.escapedSet();
    }
  }

  /** Further digits belong to a reference as long as that group is already open or closed. */
  numberedReference(): RegexNode {
    let group = Number(this.peek());
    this.#at++;
    while (/[0-9]/.test(this.peek()) && group * 10 + Number(this.peek()) <= this.#groups) {
      group = group * 10 + Number(this.peek());
      this.#at++;
    }
    return this.reference(group);
  }

  reference(group: number): RegexNode {
    const fold = this.#flags.ignoreCase ? (this.#flags.unicodeCase ? foldUnicode : foldAscii) : null;
    return { kind: 'reference', group, fold };
  }

  escapedSet(): RegexNode {
    const test = this.classEscape();
    if (test !== null) return { kind: 'set', test, literal: null };
    return this.literalSet(this.escapedCodePoint());
  }

  /** `\d`, `\p{…}` and their like; null when the escape means one character. */
  classEscape(): CharTest | null {
    const unit = this.peek();
    const short = shorthand(unit, this.#flags);
    if (short !== null) {
      this.#at++;
      return short;
    }
    if (unit !== 'p' && unit !== 'P') return null;
    this.#at++;
    const written = /^(?:\{([^}]*)\}|([A-Za-z]))/.exec(this.#text.slice(this.#at, this.#at + 100));
    if (written === null) return this.fail('Unclosed character family');
    this.#at += written[0].length;
    const name = written[1] ?? written[2] ?? '';
    const test = property(name, this.#flags);
    if (test === null) return this.fail(`Unknown character property name {${name}}, or not supported here`);
    return unit === 'p' ? test : negated(test);
  }

  escapedCodePoint(): number {
    const unit = this.peek();
    const control = CONTROL[unit];
    if (control !== undefined) {
      this.#at++;
      return control;
    }
    if (unit === '0') return this.digits(/^0([0-3]?[0-7]{1,2})/, 8, 'Illegal octal escape sequence');
    if (unit === 'x') return this.digits(/^x(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/, 16, 'Illegal hexadecimal escape sequence');
    if (unit === 'u') return this.unicodeEscape();
    if (unit === 'c') {
      this.#at++;
      return this.codePoint() ^ 64;
    }
    if (/[A-Za-z]/.test(unit)) return this.fail(`Illegal/unsupported escape sequence: \\${unit}`);
    return this.codePoint();
  }

  digits(shape: RegExp, radix: number, message: string): number {
    const written = shape.exec(this.#text.slice(this.#at, this.#at + 12));
    const value = Number.parseInt(written?.[1] ?? written?.[2] ?? 'x', radix);
    if (written === null || !(value <= 0x10ffff)) return this.fail(message);
    this.#at += written[0].length;
    return value;
  }

  /** `\uhhhh`; two that make a surrogate pair are one character. */
  unicodeEscape(): number {
    const high = this.digits(/^u([0-9a-fA-F]{4})/, 16, 'Illegal Unicode escape sequence');
    const pair = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(this.#text.slice(this.#at, this.#at + 6));
    if (high < 0xd800 || high > 0xdbff || pair === null) return high;
    this.#at += 6;
    return 0x10000 + ((high - 0xd800) << 10) + (Number.parseInt(pair[1] ?? '', 16) - 0xdc00);
  }

  /** A bracketed class after its `[`. */
  charClass(): CharTest {
    this.enter();
    const negative = this.eat('^');
    const operands: CharTest[][] = [[]];
    for (let started = false; ; started = true) {
      const quoted = this.quoted();
      if (this.#at >= this.#text.length) this.fail('Unclosed character class');
      if (quoted) {
        operands.at(-1)?.push(this.classMember());
        continue;
      }
      if (started && this.eat(']')) break;
      if (this.eat('&&')) operands.push([]);
      else if (this.eat('[')) operands.at(-1)?.push(this.charClass());
      else operands.at(-1)?.push(this.classMember());
    }
    this.#depth--;
    const parts = operands.filter((members) => members.length > 0).map(union);
    const all: CharTest = parts.length === 1 && parts[0] !== undefined ? parts[0] : (c) => parts.every((part) => part(c));
    return negative ? negated(all) : all;
  }

  /** One character, range or escape inside brackets. */
  classMember(): CharTest {
    const escaped = this.#quotedUntil === -1 && this.eat('\\');
    if (escaped) {
      const test = this.classEscape();
      if (test !== null) return test;
    }
    const low = escaped ? this.escapedCodePoint() : this.codePoint();
    if (this.#quotedUntil !== -1 || !this.isRange()) return foldedSet((c) => c === low, this.#flags);
    this.#at++;
    const high = this.eat('\\') ? this.escapedCodePoint() : this.codePoint();
    if (high < low) this.fail('Illegal character range');
    return foldedSet((c) => c >= low && c <= high, this.#flags);
  }

  isRange(): boolean {
    if (this.peek() !== '-') return false;
    const after = this.#text.charAt(this.#at + 1);
    return after !== '' && after !== ']' && after !== '[' && !this.#text.startsWith('&&', this.#at + 1);
  }
}

function union(members: readonly CharTest[]): CharTest {
  const [only] = members;
  return members.length === 1 && only !== undefined ? only : (c) => members.some((member) => member(c));
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
