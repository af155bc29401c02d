import type { Binding, FunctionNode, JumpTarget, Local, Node } from '../analyser/ir.ts';
import type { Block } from './block.ts';
import { emitCase } from './case.ts';
import { ExpressionEmitter, isTrueConstant } from './expressions.ts';
import type { Hint } from '../hints.ts';
import type { LastUses } from './last-uses.ts';
import { emitNumericTurns } from './numeric-loops.ts';
import { emitTry } from './try.ts';

/** Where the value of a node goes. */
export type Destination =
  | { readonly kind: 'return' }
  | { readonly kind: 'assign'; readonly name: string }
  | { readonly kind: 'effect' };

/**
 * Emits the statements of one JavaScript function body. Nodes that JavaScript can write as expressions become
 * expressions (`ExpressionEmitter`); the others become statements that leave their value in the destination.
 */
export class BodyEmitter {
  readonly block: Block;
  readonly expressions: ExpressionEmitter;
  readonly #lines: string[] = [];
  readonly #temporaries: string[] = [];
  readonly #addFunction: (node: FunctionNode) => string;
  readonly lastUses: LastUses;
  /** JavaScript name of the function, where it takes over the seqs that it is given; else null. */
  readonly self: string | null;
  #numbers = 0;

  /** `addFunction` adds the factory of a function expression to the block, and answers its identifier. */
  constructor(
    block: Block,
    { lastUses, self }: { readonly lastUses: LastUses; readonly self: string | null },
    addFunction: (node: FunctionNode) => string,
  ) {
    this.block = block;
    this.lastUses = lastUses;
    this.self = self;
    this.#addFunction = addFunction;
    this.expressions = new ExpressionEmitter(this);
  }

  text(): string {
    const head = this.#temporaries.length === 0 ? [] : [`let ${this.#temporaries.join(', ')};`];
    return [...head, ...this.#lines].join('\n');
  }

  push(line: string): void {
    this.#lines.push(line);
  }

  /** An identifier for use inside this function only. */
  fresh(hint: Hint): string {
    this.#numbers += 1;
    return `${hint}${this.#numbers}`;
  }

  /** A variable of the function for use inside expressions. */
  temporary(): string {
    const name = this.fresh('t');
    this.#temporaries.push(name);
    return name;
  }

  /** Runs `emit` and gives back the statements it made as one text. */
  nested(emit: () => void): string {
    const from = this.#lines.length;
    emit();
    return this.#lines.splice(from).join('\n');
  }

  emit(node: Node, destination: Destination): void {
    switch (node.kind) {
      case 'do':
        this.#emitSequence(node.forms, destination);
        return;
      case 'let':
        for (const binding of node.bindings) this.#emitBinding(binding, 'const');
        this.emit(node.body, destination);
        return;
      case 'letfn':
        this.#emitLetfn(node.bindings);
        this.emit(node.body, destination);
        return;
      case 'loop':
        for (const binding of node.bindings) this.#emitBinding(binding, 'let');
        this.emitJumpBody(node.target, node.body, destination, node);
        return;
      case 'recur':
        this.#emitRecur(node.target, node.args);
        return;
      case 'iterate':
        this.#emitIterate(node);
        this.deliver('null', destination);
        return;
      case 'case':
        emitCase(this, node, destination);
        return;
      case 'try':
        emitTry(this, node, destination);
        return;
      case 'if':
        if (this.expressions.canExpress(node) && destination.kind !== 'effect') break;
        this.#emitIf(node, destination);
        return;
      default:
    }
    this.deliver(this.expressions.value(node), destination);
  }

  /** Hands the value of an expression to the destination. */
  deliver(expression: string, destination: Destination): void {
    if (destination.kind === 'return') this.push(`return ${expression};`);
    else if (destination.kind === 'assign') this.push(`${destination.name} = ${expression};`);
    else if (!/^[A-Za-z0-9_$]+$/.test(expression)) this.push(`${expression};`);
  }

  /** A body in which `recur` names this target. */
  emitJumpBody(
    target: JumpTarget,
    body: Node,
    destination: Destination,
    loop: (Node & { kind: 'loop' }) | null = null,
  ): void {
    if (!target.used) {
      this.emit(body, destination);
      return;
    }
    const turns = this.fresh('turns');
    let isNumeric = false;
    const fast = this.nested(() => {
      isNumeric = loop !== null && emitNumericTurns(this, { loop, destination, turns });
    });
    const text = this.nested(() => {
      this.emit(body, destination);
      if (destination.kind !== 'return') this.push(`break ${target.label};`);
    });
    const start = isNumeric ? '' : `let ${turns} = 0`;
    const place = loop === null ? '' : this.block.at(loop);
    const turning = `for (${start}; ; ${turns} = ${place}${this.block.support('turn')}(${turns})) {\n${text}\n}`;
    if (destination.kind !== 'return')
      this.push(isNumeric ? `${target.label}: {\n${fast}\n${turning}\n}` : `${target.label}: ${turning}`);
    else this.push(isNumeric ? `${fast}\n${turning}` : turning);
  }

  /** Makes the value of any node available as an expression, with statements before it where needed. */
  #emitSequence(forms: readonly Node[], destination: Destination): void {
    forms.forEach((form, index) => {
      this.emit(form, index === forms.length - 1 ? destination : { kind: 'effect' });
    });
  }

  #emitBinding(binding: Binding, keyword: 'const' | 'let'): void {
    const { local, value } = binding;
    if (this.expressions.canExpress(value)) {
      const declared = this.lastUses.cleared.has(local) ? 'let' : keyword;
      this.push(`${declared} ${local.id} = ${this.expressions.value(value)};`);
    } else {
      this.push(`let ${local.id};`);
      this.emit(value, { kind: 'assign', name: local.id });
    }
    this.#clearAfter(binding);
  }

  #clearAfter(at: Binding | Node): void {
    for (const local of this.lastUses.clearedAfter.get(at) ?? []) this.push(`${local.id} = null;`);
  }

  #emitLetfn(bindings: readonly Binding[]): void {
    const cell = this.block.support('cell');
    for (const { local } of bindings) this.push(`const ${local.id} = ${cell}();`);
    for (const { local, value } of bindings) this.push(`${local.id}.value = ${this.expressions.value(value)};`);
  }

  #emitIf(node: Node & { kind: 'if' }, destination: Destination): void {
    if (isTrueConstant(node.test)) {
      this.emit(node.then, destination);
      return;
    }
    const test = this.expressions.test(node.test);
    const then = this.nested(() => this.emit(node.then, destination));
    const otherwise = this.nested(() => this.emit(node.otherwise, destination));
    this.push(
      otherwise.trim() === '' ? `if (${test}) {\n${then}\n}` : `if (${test}) {\n${then}\n} else {\n${otherwise}\n}`,
    );
  }

  #emitRecur(target: JumpTarget, args: readonly Node[]): void {
    const changed: { readonly local: Local; readonly expression: string }[] = [];
    const values = this.expressions.values(args);
    target.locals.forEach((local, index) => {
      const expression = values[index];
      if (expression !== undefined && expression !== local.id) changed.push({ local, expression });
    });
    // Up to the last value that names a variable assigned before it, values are computed before any is assigned.
    const last = changed.findLastIndex(({ expression }, index) =>
      changed.some(({ local }, at) => at < index && expression.includes(local.id)),
    );
    const staged = changed.map(({ local, expression }, index) => {
      if (index >= last) return `${local.id} = ${expression};`;
      const name = this.fresh('next');
      this.push(`const ${name} = ${expression};`);
      return `${local.id} = ${name};`;
    });
    for (const assignment of [
      ...staged.slice(Math.max(last, 0), last + 1),
      ...staged.slice(0, Math.max(last, 0)),
      ...staged.slice(last + 1),
    ])
      this.push(assignment);
    this.push('continue;');
  }

  #emitIterate(node: Node & { kind: 'iterate' }): void {
    const at = this.fresh('at');
    const go = this.fresh('go');
    const { block } = this;
    const start = this.expressions.value(node.source);
    const text = this.nested(() => {
      this.push(`const ${node.local.id} = ${at}.first();`);
      if (!node.stops) {
        this.emit(node.body, { kind: 'effect' });
        return;
      }
      this.push(`let ${go};`);
      this.emit(node.body, { kind: 'assign', name: go });
      this.push(`if (${go} === false) break;`);
    });
    const step = `${at} = ${block.at(node)}${block.support('next')}(${at})`;
    const begin = `let ${at} = ${block.at(node)}${block.support('seq')}(${start});`;
    const isCleared = this.lastUses.clearedAfter.has(node);
    if (isCleared) this.push(begin);
    this.#clearAfter(node);
    this.push(`for (${isCleared ? ';' : begin} ${at} !== null; ${step}) {\n${text}\n}`);
  }

  /** The expression that makes a function value. */
  functionValue(node: FunctionNode): string {
    return `${this.#addFunction(node)}(${node.captures.map((local) => local.id).join(', ')})`;
  }
}
