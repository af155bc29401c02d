import type { ParsedPattern } from './parser.ts';
import type { CharTest, Place, PatternNode } from './syntax.ts';

/** One instruction of the matcher. Targets are indexes into the program. */
export type Instruction =
  | { readonly op: 'set'; readonly test: CharTest }
  | { readonly op: 'run'; readonly test: CharTest; readonly min: number; readonly max: number; readonly lazy: boolean }
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'save'; readonly register: number }
  | { readonly op: 'loop-start'; readonly count: number }
  | {
      readonly op: 'loop';
      readonly count: number;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
      readonly body: number;
      readonly exit: number;
    }
  | { readonly op: 'loop-again'; readonly count: number; readonly body: number }
  | { readonly op: 'assert'; readonly where: Place }
  | { readonly op: 'reference'; readonly group: number; readonly fold: ((codePoint: number) => number) | null }
  | {
      readonly op: 'look';
      readonly behind: boolean;
      readonly negative: boolean;
      readonly least: number;
      readonly most: number;
      readonly after: number;
    }
  | { readonly op: 'atomic'; readonly after: number }
  | { readonly op: 'accept' };

export interface RegexProgram {
  readonly code: readonly Instruction[];
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  /** Registers: two per group (0 is the whole match), then two per loop. */
  readonly registers: number;
  /** The character every match starts with, or null. */
  readonly firstLiteral: string | null;
}

/** Least and greatest number of units a node can match. */
function widths(node: PatternNode): readonly [number, number] {
  switch (node.kind) {
    case 'set':
      return [1, 2];
    case 'sequence':
      return node.items.map(widths).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
    case 'choice': {
      const all = node.options.map(widths);
      return [Math.min(...all.map(([least]) => least)), Math.max(...all.map(([, most]) => most))];
    }
    case 'group':
    case 'atomic':
      return widths(node.body);
    case 'repeat': {
      const [least, most] = widths(node.body);
      return [least * node.min, most === 0 ? 0 : most * node.max];
    }
    case 'reference':
      return [0, Infinity];
    case 'empty':
    case 'look':
    case 'assert':
      return [0, 0];
  }
}

class Assembler {
  readonly code: Instruction[] = [];
  registers: number;

  constructor(groups: number) {
    this.registers = 2 * (groups + 1);
  }

  emit(instruction: Instruction): number {
    return this.code.push(instruction) - 1;
  }

  /** Reserves a place that is filled when its targets are known. */
  reserve(): number {
    return this.emit({ op: 'accept' });
  }

  node(node: PatternNode): void {
    switch (node.kind) {
      case 'empty':
        return;
      case 'set':
        this.emit({ op: 'set', test: node.test });
        return;
      case 'sequence':
        for (const item of node.items) this.node(item);
        return;
      case 'choice':
        this.choice(node.options);
        return;
      case 'group':
        this.emit({ op: 'save', register: 2 * node.index });
        this.node(node.body);
        this.emit({ op: 'save', register: 2 * node.index + 1 });
        return;
      case 'repeat':
        this.repeat(node);
        return;
      case 'atomic': {
        const at = this.reserve();
        this.node(node.body);
        this.emit({ op: 'accept' });
        this.code[at] = { op: 'atomic', after: this.code.length };
        return;
      }
      case 'look': {
        const at = this.reserve();
        this.node(node.body);
        this.emit({ op: 'accept' });
        const [least, most] = widths(node.body);
        this.code[at] = {
          op: 'look',
          behind: node.behind,
          negative: node.negative,
          least,
          most,
          after: this.code.length,
        };
        return;
      }
      case 'assert':
        this.emit({ op: 'assert', where: node.where });
        return;
      case 'reference':
        this.emit({ op: 'reference', group: node.group, fold: node.fold });
    }
  }

  choice(options: readonly PatternNode[]): void {
    const exits: number[] = [];
    options.forEach((option, i) => {
      if (i === options.length - 1) {
        this.node(option);
        return;
      }
      const split = this.reserve();
      this.node(option);
      exits.push(this.reserve());
      this.code[split] = { op: 'split', first: split + 1, second: this.code.length };
    });
    for (const exit of exits) this.code[exit] = { op: 'jump', to: this.code.length };
  }

  repeat({ body, min, max, lazy }: PatternNode & { kind: 'repeat' }): void {
    if (body.kind === 'set') {
      this.emit({ op: 'run', test: body.test, min, max, lazy });
      return;
    }
    const count = this.registers;
    this.registers += 2;
    this.emit({ op: 'loop-start', count });
    const loop = this.reserve();
    const again = this.emit({ op: 'loop-again', count, body: this.code.length + 1 });
    this.node(body);
    this.emit({ op: 'jump', to: loop });
    this.code[loop] = { op: 'loop', count, min, max, lazy, body: again, exit: this.code.length };
  }
}

function firstLiteral(node: PatternNode): string | null {
  switch (node.kind) {
    case 'set':
      return node.literal === null ? null : String.fromCodePoint(node.literal);
    case 'sequence':
      return node.items[0] === undefined ? null : firstLiteral(node.items[0]);
    case 'group':
    case 'atomic':
      return firstLiteral(node.body);
    case 'repeat':
      return node.min > 0 ? firstLiteral(node.body) : null;
    default:
      return null;
  }
}

/** The matcher's program for a parsed pattern. */
export function assemble({ node, groups, names }: ParsedPattern): RegexProgram {
  const assembler = new Assembler(groups);
  assembler.node(node);
  assembler.emit({ op: 'accept' });
  return { code: assembler.code, groups, names, registers: assembler.registers, firstLiteral: firstLiteral(node) };
}
