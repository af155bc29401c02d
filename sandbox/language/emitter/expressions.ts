import type { Node } from '../analyser/ir.ts';
import { arithmetic, emitComparison } from './arithmetic.ts';
import type { BodyEmitter } from './body.ts';
import { definition } from './definition.ts';
import type { SourcePlace } from './places.ts';
import { isSimple } from '../code-text.ts';
import type { Parting } from './last-uses.ts';
import { operandsOf } from './operands.ts';
import { isPending, makesSeq, walkedArguments, walkedBySupport } from './owned-seqs.ts';

/** What is known of a node as an expression. */
interface Shape {
  /** Needs no statements of its own. */
  readonly expressible: boolean;
  /** Levels of nested JavaScript; a staged node counts as none. */
  readonly height: number;
  /** Kept in a variable of its own, because its expression would nest too deep for the engine's parser. */
  readonly staged: boolean;
}

/** Levels an expression may nest; each source level makes up to three levels of JavaScript. */
const MAXIMUM_HEIGHT = 40;

const STATEMENT: Shape = { expressible: false, height: 0, staged: false };
const LEAF: Shape = { expressible: true, height: 1, staged: false };

function shapeOver(operands: readonly Shape[]): Shape {
  const height = 1 + Math.max(0, ...operands.map((operand) => operand.height));
  const staged = height >= MAXIMUM_HEIGHT;
  return {
    expressible: !staged && operands.every((operand) => operand.expressible),
    height: staged ? 0 : height,
    staged,
  };
}

/** Emits nodes as JavaScript expressions, after statements where a part needs some. */
export class ExpressionEmitter {
  readonly #body: BodyEmitter;
  readonly #shapes = new Map<Node, Shape>();

  constructor(body: BodyEmitter) {
    this.#body = body;
  }

  #shapeOf(node: Node): Shape {
    const known = this.#shapes.get(node);
    if (known !== undefined) return known;
    const operands = operandsOf(node);
    if (operands?.length === 0) return LEAF;
    const shape = operands === null ? STATEMENT : shapeOver(operands.map((operand) => this.#shapeOf(operand)));
    this.#shapes.set(node, shape);
    return shape;
  }

  /** True if a node needs no statements of its own. */
  canExpress(node: Node): boolean {
    return this.#shapeOf(node).expressible;
  }

  /** The value of a node; what it needs to run first is pushed as statements. */
  value(node: Node): string {
    const expression = this.#value(node);
    if (!this.#shapeOf(node).staged) return expression;
    const name = this.#body.fresh('a');
    this.#body.push(`const ${name} = ${expression};`);
    return name;
  }

  #value(node: Node): string {
    const { block } = this.#body;
    switch (node.kind) {
      case 'constant':
        return block.constant(node.value);
      case 'local':
        return node.local.cell ? `${node.local.id}.value` : node.local.id;
      case 'variable':
        return `${block.at(node)}${block.support('value')}(${block.variable(node.variable)})`;
      case 'variable-object':
        return block.variable(node.variable);
      case 'builtin':
        return block.builtinValue(node.name);
      case 'function':
        return this.#body.functionValue(node);
      case 'call':
        return this.#call(node);
      case 'builtin-call':
        return this.#builtinCall(node);
      case 'support-call':
        return `${block.at(node)}${definition(node, this) ?? `${block.support(node.name)}(${this.#ownedValues(node.args, walkedBySupport(node.name)).join(', ')})`}`;
      case 'collection':
        return `${block.at(node)}${block.support(node.name)}([${this.values(node.items).join(', ')}])`;
      case 'if':
        if (isTrueConstant(node.test)) return this.value(node.then);
        if (this.canExpress(node)) {
          return `(${this.test(node.test)} ? ${this.value(node.then)} : ${this.value(node.otherwise)})`;
        }
        return this.#throughVariable(node);
      case 'and':
      case 'or':
        return this.canExpress(node) ? this.#logical(node) : this.#logicalStatements(node);
      default:
        return this.#throughVariable(node);
    }
  }

  /** Values of several nodes, evaluated from left to right. */
  values(nodes: readonly Node[]): string[] {
    const lastStatement = nodes.findLastIndex((node) => !this.canExpress(node));
    return nodes.map((node, index) => {
      const expression = this.value(node);
      if (index >= lastStatement || node.kind === 'constant' || node.kind === 'local') return expression;
      const staged = this.#body.fresh('a');
      this.#body.push(`const ${staged} = ${expression};`);
      return staged;
    });
  }

  /** A JavaScript boolean: whether the node's value is neither nil nor false. */
  test(node: Node): string {
    if (node.kind === 'constant') return String(node.value !== null && node.value !== false);
    if ((node.kind === 'and' || node.kind === 'or') && this.canExpress(node)) {
      const operator = node.kind === 'and' ? ' && ' : ' || ';
      return `(${node.operands.map((operand) => this.test(operand)).join(operator)})`;
    }
    if (node.kind === 'if' && this.canExpress(node)) {
      return `(${this.test(node.test)} ? ${this.test(node.then)} : ${this.test(node.otherwise)})`;
    }
    if (node.kind === 'builtin-call') {
      if (node.name === 'clojure.core/not' && node.args[0] !== undefined) return `!(${this.test(node.args[0])})`;
      const direct = emitComparison(node, this);
      if (direct !== null) return direct;
      if (givesBoolean(node.name)) return this.value(node);
    }
    return this.#truthiness(this.value(node));
  }

  /** Makes an expression repeatable: what to evaluate first (or nothing) and the text to repeat. */
  repeatable(expression: string): { readonly first: string | null; readonly again: string } {
    if (isSimple(expression)) return { first: null, again: expression };
    const name = this.#body.temporary();
    return { first: `${name} = ${expression}`, again: name };
  }

  support(name: string): string {
    return this.#body.block.support(name);
  }

  /** What is before a call that may fail, so that its place is known. */
  at(place: SourcePlace): string {
    return this.#body.block.at(place);
  }

  builtin(name: string, count: number): string {
    return this.#body.block.builtin(name, count);
  }

  #truthiness(expression: string): string {
    return `${this.support('truthy')}(${expression})`;
  }

  #throughVariable(node: Node): string {
    const name = this.#body.fresh('t');
    this.#body.push(`let ${name};`);
    this.#body.emit(node, { kind: 'assign', name });
    return name;
  }

  #logical(node: Node & { kind: 'and' | 'or' }): string {
    const operands = [...node.operands];
    const last = operands.pop();
    let text = last === undefined ? (node.kind === 'and' ? 'true' : 'null') : this.value(last);
    for (const operand of operands.toReversed()) {
      const { first, again } = this.repeatable(this.value(operand));
      const test = this.#truthiness(first ?? again);
      text = node.kind === 'and' ? `(${test} ? ${text} : ${again})` : `(${test} ? ${again} : ${text})`;
    }
    return text;
  }

  #logicalStatements(node: Node & { kind: 'and' | 'or' }): string {
    const name = this.#body.fresh('t');
    this.#body.push(`let ${name};`);
    const nest = (index: number): void => {
      const operand = node.operands[index];
      if (operand === undefined) return;
      this.#body.emit(operand, { kind: 'assign', name });
      if (index + 1 === node.operands.length) return;
      const test = this.#truthiness(name);
      const rest = this.#body.nested(() => nest(index + 1));
      this.#body.push(`if (${node.kind === 'and' ? test : `!${test}`}) {\n${rest}\n}`);
    };
    nest(0);
    return name;
  }

  #call(node: Node & { kind: 'call' }): string {
    const { block } = this.#body;
    const at = block.at(node);
    if (node.callee.kind === 'variable') {
      const input = node.args.some((arg) => this.#giving(arg) !== null) ? this.#body.temporary() : null;
      const found = `${at}${block.support('fn')}(${block.variable(node.callee.variable)})`;
      const callee = this.#calleeBefore(node.args, input === null ? found : `(${input} = ${found})`);
      return `${callee}${at}(${this.#argumentValues(node.args, input).join(', ')})`;
    }
    if (node.callee.kind === 'function') {
      if (node.args.some((arg) => this.#giving(arg) !== null) && node.args.every((arg) => this.canExpress(arg))) {
        const input = this.#body.temporary();
        const made = this.value(node.callee);
        return `(${input} = ${made})${at}(${this.#argumentValues(node.args, input).join(', ')})`;
      }
      const [callee = '', ...args] = this.values([node.callee, ...node.args]);
      // The engine names a call by the callee where that is an identifier, by the parenthesis elsewhere.
      return isSimple(callee) ? `${at}${callee}(${args.join(', ')})` : `${callee}${at}(${args.join(', ')})`;
    }
    const callee = this.#calleeBefore(node.args, `${at}${block.support('callable')}(${this.value(node.callee)})`);
    return `${callee}${at}(${this.values(node.args).join(', ')})`;
  }

  /**
   * What is called is looked up, and may be no function, before its arguments are evaluated, also where these need
   * statements.
   */
  #calleeBefore(args: readonly Node[], callee: string): string {
    if (args.every((arg) => this.canExpress(arg))) return callee;
    const staged = this.#body.fresh('a');
    this.#body.push(`const ${staged} = ${callee};`);
    return staged;
  }

  #builtinCall(node: Node & { kind: 'builtin-call' }): string {
    const fast = emitComparison(node, this) ?? arithmetic(node, this);
    if (fast !== null) return fast;
    return `${this.at(node)}${this.builtin(node.name, node.args.length)}(${this.#ownedValues(node.args, walkedArguments(node.name, node.args.length)).join(', ')})`;
  }

  /** How the last use of the value here lets go, where it is one. */
  #parting(arg: Node): Parting | null {
    const parting = this.#body.lastUses.partings.get(arg) ?? null;
    return parting === 'own-received' && this.#body.self === null ? null : parting;
  }

  /** What says that an argument of a function is a seq which nothing else looks at; null for any other. */
  #giving(arg: Node): 'give' | 'passOn' | null {
    const parting = this.#parting(arg);
    if (parting === 'own-received') return 'passOn';
    return parting === 'own' || makesSeq(arg) ? 'give' : null;
  }

  /** Values of the arguments of a function; `to` names it where it is given a seq. */
  #argumentValues(args: readonly Node[], to: string | null): string[] {
    const values = this.values(args);
    if (to === null) return values;
    return values.map((text, index) => {
      const arg = args[index];
      const giving = arg === undefined ? null : this.#giving(arg);
      if (giving === null) return text;
      return `${this.support(giving)}(${text}, ${to}${giving === 'give' ? '' : `, ${this.#body.self ?? ''}`})`;
    });
  }

  /** Values of arguments; seqs that only the call looks at, and that it walks once, are its own. */
  #ownedValues(args: readonly Node[], walked: (index: number) => boolean): string[] {
    return this.values(args).map((text, index) => {
      const arg = args[index];
      if (arg === undefined || !walked(index)) return text;
      const parting = this.#parting(arg);
      if (parting === 'move') return this.#moved(arg, text);
      if (parting === 'own-received') return this.#mine(text);
      return parting === 'own' || makesSeq(arg) ? `${this.support('own')}(${text})` : text;
    });
  }

  #mine(text: string): string {
    const mine = `${this.support('mine')}(${text}, ${this.#body.self ?? ''})`;
    return this.#body.lastUses.isBrief ? `(${isPending(text)} ? ${mine} : ${text})` : mine;
  }

  /**
   * Another seq in place of one that the caller lets go. An only argument that is a variable is read from where it is,
   * so that nothing else holds it when that variable is cleared.
   */
  #moved(arg: Node, text: string): string {
    const moved = this.support('moved');
    const before = this.support('before');
    if (arg.kind === 'local') return `${before}(${moved}(${text}), ${text} = null)`;
    const temporary = this.#body.temporary();
    return `${before}(${moved}(${temporary} = ${text}), ${temporary} = null)`;
  }
}

/** The test of a last `:else`. */
export function isTrueConstant(test: Node): boolean {
  return test.kind === 'constant' && test.value !== null && test.value !== false;
}

/** Built-ins of clojure.core whose names end in a question mark answer true or false, and nothing else. */
function givesBoolean(name: string): boolean {
  return name.startsWith('clojure.core/') && name.endsWith('?');
}
