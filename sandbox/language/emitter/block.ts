import type { FunctionNode, Node, VariableReference } from '../analyser/ir.ts';
import { constantExpression, isInline } from './constants.ts';
import { emitFunctionFactory, emitFormFunction } from './functions.ts';
import { identifier, stringLiteral } from './text.ts';

/**
 * One block of generated code: the names it takes from outside, its constants, one factory for each function
 * expression, and one function for each top-level form.
 *
 * Functions are made by factories that take the captured values as parameters. That gives every turn of a loop its
 * own captures, and makes a function value nothing but a unit number and a list of values (architecture.md §1.7).
 */
export class Block {
  readonly #name: string;
  #numbers = 0;
  #units = 0;
  readonly #supports = new Map<string, string>();
  readonly #builtins = new Map<string, string>();
  readonly #variables = new Map<string, string>();
  readonly #constants = new Map<unknown, string>();
  readonly #head: string[] = [];
  readonly #factories: string[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** A fresh identifier that reminds of the hint. */
  fresh(hint: string): string {
    this.#numbers += 1;
    return identifier(hint, this.#numbers);
  }

  /** The block's name of a support function; those are taken from the one parameter at the head. */
  support(name: string): string {
    this.#supports.set(name, name);
    return name;
  }

  /** The body of a built-in for calls with this many arguments. */
  builtin(name: string, count: number): string {
    return this.#once(this.#builtins, `${count} ${name}`, name.replace(/^clojure\.core\//, ''), (id) => {
      this.#head.push(`const ${id} = ${this.support('builtinBody')}(${stringLiteral(name)}, ${count});`);
    });
  }

  variable(reference: VariableReference): string {
    const key = `${reference.namespace}/${reference.name}`;
    return this.#once(this.#variables, key, reference.name, (id) => {
      const place = `${stringLiteral(reference.namespace)}, ${stringLiteral(reference.name)}`;
      this.#head.push(`const ${id} = ${this.support('variable')}(${place});`);
    });
  }

  constant(value: unknown): string {
    const writer = { support: (name: string) => this.support(name) };
    if (isInline(value)) return constantExpression(value, writer);
    return this.#once(this.#constants, value, hintOf(value), (id) => {
      this.#head.push(`const ${id} = ${constantExpression(value, writer)};`);
    });
  }

  #once<K>(known: Map<K, string>, key: K, hint: string, declare: (id: string) => void): string {
    const found = known.get(key);
    if (found !== undefined) return found;
    const id = this.fresh(hint);
    known.set(key, id);
    declare(id);
    return id;
  }

  /** Adds the factory of a function expression; answers the factory's identifier. */
  factory(node: FunctionNode): string {
    const unit = this.fresh('unit');
    const make = this.fresh('make');
    const display = node.displayName === null ? 'null' : stringLiteral(node.displayName);
    const { fixed, variadicFrom } = arityFacts(node);
    this.#head.push(
      `const ${unit} = unit(${this.#units}, ${display}, [${fixed.join(', ')}], ${variadicFrom});`,
    );
    this.#units += 1;
    this.#factories.push(emitFunctionFactory(this, node, { unit, make }), `${unit}.make = ${make};`);
    return make;
  }

  /** The whole text: a function body that takes `support` and returns the functions of the top-level forms. */
  text(forms: readonly Node[]): string {
    const functions = forms.map((form) => emitFormFunction(this, form));
    const units = this.#units === 0 ? [] : [`const unit = ${this.support('units')}(${stringLiteral(this.#name)});`];
    const supports = [...this.#supports.keys()].toSorted();
    return [
      '"use strict";',
      ...(supports.length === 0 ? [] : [`const { ${supports.join(', ')} } = support;`]),
      ...units,
      ...this.#head,
      ...this.#factories,
      `return [${functions.join(', ')}];`,
      '',
    ].join('\n');
  }
}

function arityFacts(node: FunctionNode): { fixed: number[]; variadicFrom: number | null } {
  const fixed = node.arities.filter((arity) => arity.rest === null).map((arity) => arity.parameters.length);
  const variadic = node.arities.find((arity) => arity.rest !== null);
  return { fixed: fixed.toSorted((a, b) => a - b), variadicFrom: variadic === undefined ? null : variadic.parameters.length };
}

function hintOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
    ? `k_${value.name}`
    : 'k';
}
