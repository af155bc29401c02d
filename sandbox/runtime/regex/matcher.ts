import { LimitSignal } from '../errors.ts';
import { isAsciiWord, isLineTerminator, isUnicodeWord } from './char-sets.ts';
import type { Instruction, RegexProgram } from './program.ts';
import type { CharTest, Place } from './syntax.ts';

/** Steps of one matcher: this many, and more per unit of the subject (functions.md §15). */
const BASE_STEPS = 100_000;
const STEPS_PER_UNIT = 100;

/** Kinds of entries on the backtrack stack, below all program indexes. */
const RESTORE = -1;
const RUN = -2;

/**
 * Matches one program against one subject by backtracking with a stack of its own, so that no pattern and no subject
 * can exhaust the host's stack; every step is counted.
 */
export class Matcher {
  readonly #code: readonly Instruction[];
  readonly #program: RegexProgram;
  readonly #text: string;
  #registers: number[];
  /** Triples: program index or kind, then two numbers. */
  readonly #stack: number[] = [];
  #steps: number;
  #previousEnd = 0;

  /** `previousEnd`: where the match before ended, for `\\G`. */
  constructor(program: RegexProgram, text: string, previousEnd = 0) {
    this.#program = program;
    this.#code = program.code;
    this.#text = text;
    this.#registers = [];
    this.#steps = BASE_STEPS + STEPS_PER_UNIT * text.length;
    this.#previousEnd = previousEnd;
  }

  /** Finds the first match at or after an index. */
  find(from: number): boolean {
    const text = this.#text;
    const first = this.#program.firstLiteral;
    for (let at = from; at <= text.length; at++) {
      if (first !== null) {
        at = text.indexOf(first, at);
        if (at === -1) return false;
      }
      if (this.matchAt(at, -1)) return true;
      if (isPair(text, at)) at++;
    }
    return false;
  }

  /** Whether the whole subject matches. */
  matches(): boolean {
    return this.matchAt(0, this.#text.length);
  }

  /** Whether the subject begins with a match. */
  lookingAt(): boolean {
    return this.matchAt(0, -1);
  }

  /** First unit of a group of the last match, -1 when it took no part. */
  start(group: number): number {
    return this.#registers[2 * group] ?? -1;
  }

  end(group: number): number {
    return this.#registers[2 * group + 1] ?? -1;
  }

  /** Text of a group of the last match, null when it took no part. */
  group(group: number): string | null {
    const start = this.start(group);
    const end = this.end(group);
    return start < 0 || end < 0 ? null : this.#text.slice(start, end);
  }

  get groups(): number {
    return this.#program.groups;
  }

  private matchAt(at: number, requiredEnd: number): boolean {
    this.#registers = Array.from({ length: this.#program.registers }, () => -1);
    this.#stack.length = 0;
    const end = this.run(0, at, requiredEnd);
    if (end < 0) return false;
    this.#registers[0] = at;
    this.#registers[1] = end;
    this.#previousEnd = end;
    return true;
  }

  private spend(steps: number): void {
    this.#steps -= steps;
    if (this.#steps < 0) {
      throw new LimitSignal('regex_limit_exceeded', 'the regular expression took too many steps', {});
    }
  }

  private set(register: number, value: number): void {
    this.#stack.push(RESTORE, register, this.#registers[register] ?? -1);
    this.#registers[register] = value;
  }

  /** Runs from a program index to `accept`; the end position, or -1 with everything undone. */
  private run(from: number, start: number, requiredEnd: number): number {
    const base = this.#stack.length;
    let pc = from;
    let at = start;
    for (;;) {
      this.spend(1);
      const instruction = this.#code[pc];
      if (instruction === undefined) throw new TypeError('a jump out of the program');
      let next = -1;
      switch (instruction.op) {
        case 'set': {
          const width = this.widthOf(instruction.test, at);
          if (width > 0) {
            at += width;
            next = pc + 1;
          }
          break;
        }
        case 'run': {
          const end = this.enterRun(instruction, pc, at);
          if (end >= 0) {
            at = end;
            next = pc + 1;
          }
          break;
        }
        case 'split':
          this.#stack.push(instruction.second, at, 0);
          next = instruction.first;
          break;
        case 'jump':
          next = instruction.to;
          break;
        case 'save':
          this.set(instruction.register, at);
          next = pc + 1;
          break;
        case 'loop-start':
          this.set(instruction.count, 0);
          this.set(instruction.count + 1, -1);
          next = pc + 1;
          break;
        case 'loop':
          next = this.loop(instruction, at);
          break;
        case 'loop-again':
          this.set(instruction.count, (this.#registers[instruction.count] ?? 0) + 1);
          this.set(instruction.count + 1, at);
          next = instruction.body;
          break;
        case 'assert':
          if (this.holds(instruction.where, at)) next = pc + 1;
          break;
        case 'reference': {
          const end = this.matchReference(instruction, at);
          if (end >= 0) {
            at = end;
            next = pc + 1;
          }
          break;
        }
        case 'look':
          if (this.look(instruction, pc, at)) next = instruction.after;
          break;
        case 'atomic': {
          const mark = this.#stack.length;
          const end = this.run(pc + 1, at, -1);
          if (end >= 0) {
            this.dropChoices(mark);
            at = end;
            next = instruction.after;
          }
          break;
        }
        case 'accept':
          if (requiredEnd < 0 || at === requiredEnd) return at;
      }
      if (next >= 0) {
        pc = next;
        continue;
      }
      const resumed = this.backtrack(base);
      if (resumed === null) return -1;
      [pc, at] = resumed;
    }
  }

  /** Goes back to the last choice above `base`: where to go on, or null when there is none. */
  private backtrack(base: number): readonly [number, number] | null {
    const stack = this.#stack;
    while (stack.length > base) {
      const b = stack.pop() ?? 0;
      const a = stack.pop() ?? 0;
      const kind = stack.pop() ?? 0;
      if (kind === RESTORE) this.#registers[a] = b;
      else if (kind >= 0) return [kind, a];
      else {
        const pc = RUN - kind;
        const at = this.resumeRun(pc, a, b);
        if (at >= 0) return [pc + 1, at];
      }
    }
    return null;
  }

  /** Drops the choices above a mark but keeps what must be undone with the surrounding ones. */
  private dropChoices(mark: number): void {
    const stack = this.#stack;
    let top = mark;
    for (let i = mark; i < stack.length; i += 3) {
      if (stack[i] !== RESTORE) continue;
      stack[top] = RESTORE;
      stack[top + 1] = stack[i + 1] ?? 0;
      stack[top + 2] = stack[i + 2] ?? 0;
      top += 3;
    }
    stack.length = top;
  }

  private widthOf(test: CharTest, at: number): number {
    const code = this.#text.codePointAt(at);
    if (code === undefined || !test(code)) return 0;
    return code > 0xffff ? 2 : 1;
  }

  /** Starts a run of one set: greedy takes all it can, lazy the least; leaves a choice behind. */
  private enterRun(run: Instruction & { op: 'run' }, pc: number, start: number): number {
    let at = start;
    let count = 0;
    const wanted = run.lazy ? run.min : run.max;
    let least = run.min === 0 ? start : -1;
    while (count < wanted) {
      const width = this.widthOf(run.test, at);
      if (width === 0) break;
      at += width;
      count++;
      if (count === run.min) least = at;
    }
    this.spend(count);
    if (count < run.min) return -1;
    if (run.lazy) {
      if (count < run.max) this.#stack.push(RUN - pc, at, Math.min(run.max - count, 1e9));
    } else if (at > least) this.#stack.push(RUN - pc, at, least);
    return at;
  }

  /** Goes on with a run: a greedy one gives a character back, a lazy one takes one more. */
  private resumeRun(pc: number, at: number, bound: number): number {
    const run = this.#code[pc];
    if (run === undefined || run.op !== 'run') return -1;
    if (run.lazy) {
      const width = this.widthOf(run.test, at);
      if (width === 0) return -1;
      if (bound > 1) this.#stack.push(RUN - pc, at + width, bound - 1);
      return at + width;
    }
    const back = at - bound >= 2 && isPair(this.#text, at - 2) ? at - 2 : at - 1;
    if (back > bound) this.#stack.push(RUN - pc, back, bound);
    return back;
  }

  /** A round without progress ends the loop, as in Java; it does not fail. */
  private loop(loop: Instruction & { op: 'loop' }, at: number): number {
    const count = this.#registers[loop.count] ?? 0;
    if (count > 0 && this.#registers[loop.count + 1] === at) return loop.exit;
    if (count < loop.min) return loop.body;
    if (count >= loop.max) return loop.exit;
    this.#stack.push(loop.lazy ? loop.body : loop.exit, at, 0);
    return loop.lazy ? loop.exit : loop.body;
  }

  private matchReference(reference: Instruction & { op: 'reference' }, at: number): number {
    const text = this.group(reference.group);
    if (text === null) return -1;
    this.spend(text.length);
    if (reference.fold === null) return this.#text.startsWith(text, at) ? at + text.length : -1;
    const other = this.#text.slice(at, at + text.length);
    if (other.length !== text.length) return -1;
    for (let i = 0; i < text.length; i++) {
      if (reference.fold(text.charCodeAt(i)) !== reference.fold(other.charCodeAt(i))) return -1;
    }
    return at + text.length;
  }

  private look(look: Instruction & { op: 'look' }, pc: number, at: number): boolean {
    const mark = this.#stack.length;
    const found = look.behind ? this.lookBehind(look, pc, at) : this.run(pc + 1, at, -1) >= 0;
    if (!found) return look.negative;
    if (!look.negative) {
      this.dropChoices(mark);
      return true;
    }
    this.undo(mark);
    return false;
  }

  private lookBehind(look: Instruction & { op: 'look' }, pc: number, at: number): boolean {
    const earliest = Math.max(0, at - look.most);
    for (let start = at - look.least; start >= earliest; start--) {
      if (this.run(pc + 1, start, at) >= 0) return true;
    }
    return false;
  }

  private undo(mark: number): void {
    this.dropChoices(mark);
    while (this.#stack.length > mark) {
      const old = this.#stack.pop() ?? 0;
      const register = this.#stack.pop() ?? 0;
      this.#stack.pop();
      this.#registers[register] = old;
    }
  }

  private holds(where: Place, at: number): boolean {
    const text = this.#text;
    const { length } = text;
    switch (where) {
      case 'start':
        return at === 0;
      case 'end':
        return at === length;
      case 'final-end':
        return at === length || isFinalTerminator(text, at);
      case 'final-end-unix':
        return at === length || (at === length - 1 && text.charCodeAt(at) === 10);
      case 'line-start':
        return at < length && (at === 0 || isLineStart(text, at));
      case 'line-start-unix':
        return at < length && (at === 0 || text.charCodeAt(at - 1) === 10);
      case 'line-end':
        return at === length || isLineEnd(text, at);
      case 'line-end-unix':
        return at === length || text.charCodeAt(at) === 10;
      case 'word':
        return isBoundary(text, at, isAsciiWord);
      case 'not-word':
        return !isBoundary(text, at, isAsciiWord);
      case 'unicode-word':
        return isBoundary(text, at, isUnicodeWord);
      case 'not-unicode-word':
        return !isBoundary(text, at, isUnicodeWord);
      case 'previous-end':
        return at === this.#previousEnd;
    }
  }
}

function isPair(text: string, at: number): boolean {
  const code = text.codePointAt(at);
  return code !== undefined && code > 0xffff;
}

/** Before a line terminator that ends the text, not between its CR and LF. */
function isFinalTerminator(text: string, at: number): boolean {
  const { length } = text;
  if (at === length - 2) return text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10;
  if (at !== length - 1 || !isLineTerminator(text.charCodeAt(at))) return false;
  return !(text.charCodeAt(at) === 10 && at > 0 && text.charCodeAt(at - 1) === 13);
}

function isLineStart(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return isLineTerminator(before) && !(before === 13 && text.charCodeAt(at) === 10);
}

function isLineEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isLineTerminator(code) && !(code === 10 && at > 0 && text.charCodeAt(at - 1) === 13);
}

function isBoundary(text: string, at: number, isWord: CharTest): boolean {
  const before = at > 0 && isWord(codeBefore(text, at));
  const after = at < text.length && isWord(text.codePointAt(at) ?? 0);
  return before !== after;
}

function codeBefore(text: string, at: number): number {
  return at >= 2 && isPair(text, at - 2) ? (text.codePointAt(at - 2) ?? 0) : text.charCodeAt(at - 1);
}
