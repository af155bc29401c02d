import type { VariableReference } from '../analyser/ir.ts';
import { Keyword } from '../../runtime/values/keyword.ts';
import { constantExpression, isInline } from './constants.ts';
import { sourceName } from '../stack.ts';
import { mark, type SourcePlace } from './places.ts';
import { letters, stringLiteral } from '../code-text.ts';

/**
 * One block of generated code: the names it takes from outside, its constants, one factory for each function
 * expression, and one function for each top-level form.
 *
 * Functions are made by factories that take the captured values as parameters. That gives every turn of a loop its
 * own captures, and makes a function value nothing but a unit number and a list of values (design.md §1.7).
 *
 * Names never clash: those of the block contain `_`, locals of the program `$`, temporaries of one function end in a
 * digit, support functions do none of this.
 */
export class Block {
  readonly #name: string;
  /** For each name that is taken the number that its next like gets. */
  readonly #used = new Map<string, number>();
  readonly #supports = new Set<string>();
  readonly #builtins = new Gathered();
  readonly #values = new Gathered();
  readonly #variables = new Map<string, Gathered>();
  readonly #keywords = new Gathered();
  readonly #namespacedKeywords = new Map<string, Gathered>();
  readonly #constants = new Map<unknown, string>();
  readonly #head: string[] = [];
  readonly #factories: string[] = [];
  readonly #forms: string[] = [];

  readonly #marks: boolean;

  /** `marks`: whether the text is to say where in the source its calls are. */
  constructor(name: string, marks: boolean) {
    this.#name = name;
    this.#marks = marks;
  }

  /** The mark of a place, where they are wanted. */
  at(place: SourcePlace): string {
    return this.#marks ? mark(place) : '';
  }

  /** An identifier of the block: this one, or one that begins with it. */
  #fresh(base: string): string {
    let name = base;
    while (this.#used.has(name)) {
      const number = this.#used.get(base) ?? 2;
      this.#used.set(base, number + 1);
      name = `${base.endsWith('_1') ? base.slice(0, -2) : base}_${number}`;
    }
    this.#used.set(name, 2);
    return name;
  }

  /** The block's name of a support function; those are taken from the one parameter at the head. */
  support(name: string): string {
    this.#supports.add(name);
    return name;
  }

  /** The body of a built-in for calls with this many arguments. */
  builtin(name: string, count: number): string {
    return this.#builtins.name(`${withoutCore(name)} ${count}`, () => this.#fresh(`${builtinHint(name)}_${count}`));
  }

  /** A built-in as a value. */
  builtinValue(name: string): string {
    return this.#values.name(withoutCore(name), () => this.#fresh(`a_${builtinHint(name)}`));
  }

  variable({ namespace, name }: VariableReference): string {
    return gatheredUnder(this.#variables, namespace).name(name, () => this.#fresh(`v_${letters(name)}`));
  }

  constant(value: unknown): string {
    if (value instanceof Keyword) return this.#keyword(value);
    if (isInline(value)) return constantExpression(value, this);
    const found = this.#constants.get(value);
    if (found !== undefined) return found;
    const id = this.#fresh('constant_1');
    this.#constants.set(value, id);
    this.#head.push(`const ${id} = ${constantExpression(value, this)};`);
    return id;
  }

  #keyword({ namespace, name }: Keyword): string {
    const gathered = namespace === null ? this.#keywords : gatheredUnder(this.#namespacedKeywords, namespace);
    return gathered.name(name, () => this.#fresh(`k_${letters(name)}`));
  }

  /** An identifier for the factory of a function that is shown as `displayName`. */
  factoryName(displayName: string | null): string {
    return this.#fresh(displayName === null ? 'fn_1' : `f_${letters(displayName.slice(displayName.indexOf('/') + 1))}`);
  }

  /** Adds the factory of a function expression, the text of one statement. */
  addFactory(text: string): void {
    this.#factories.push(text);
  }

  /** What a function prints as: one that is defined as its variable. */
  printName(displayName: string | null): string {
    if (displayName === null) return 'null';
    const slash = displayName.indexOf('/');
    return (
      this.#variables.get(displayName.slice(0, slash))?.find(displayName.slice(slash + 1)) ?? stringLiteral(displayName)
    );
  }

  /** Adds a top-level form, the text of a function. */
  addForm(text: string): void {
    this.#forms.push(text);
  }

  /** The whole text: a function body that takes `support` and returns the functions of the top-level forms. */
  text(): string {
    const lines: string[] = [];
    for (const [namespace, names] of this.#variables)
      lines.push(names.statement(this.support('variables'), [stringLiteral(namespace)]));
    if (this.#values.size > 0) lines.push(this.#values.statement(this.support('builtinValues'), []));
    if (this.#builtins.size > 0) lines.push(this.#builtins.statement(this.support('builtins'), []));
    if (this.#keywords.size > 0) lines.push(this.#keywords.statement(this.support('keywords'), []));
    for (const [namespace, names] of this.#namespacedKeywords)
      lines.push(names.statement(this.support('keywords'), [stringLiteral(namespace)]));
    lines.push(...this.#head);
    if (this.#factories.length > 0)
      lines.push(`const unit = ${this.support('units')}(${stringLiteral(this.#name)});`, ...this.#factories);
    const supports = [...this.#supports].toSorted();
    if (supports.length > 0) lines.unshift(`const { ${supports.join(', ')} } = support;`);
    return [
      '"use strict";',
      ...lines,
      `return [\n${this.#forms.join(',\n')}\n];`,
      `//# sourceURL=${sourceName(this.#name)}`,
    ].join('\n');
  }
}

const CORE = 'clojure.core/';

function withoutCore(name: string): string {
  return name.startsWith(CORE) ? name.slice(CORE.length) : name;
}

/** How built-ins whose names have no letters are called. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['+', 'plus'],
  ['-', 'minus'],
  ['*', 'times'],
  ['/', 'divide'],
  ['=', 'equal'],
  ['==', 'same_number'],
  ['<', 'less'],
  ['>', 'greater'],
  ['<=', 'at_most'],
  ['>=', 'at_least'],
]);

function builtinHint(name: string): string {
  const own = name.slice(name.indexOf('/') + 1);
  return SIGNS.get(own) ?? letters(own);
}

/** Names that one statement at the head of a block declares together. No name of a program contains a space. */
class Gathered {
  readonly #ids = new Map<string, string>();

  get size(): number {
    return this.#ids.size;
  }

  find(key: string): string | undefined {
    return this.#ids.get(key);
  }

  name(key: string, make: () => string): string {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#ids.set(key, made);
    return made;
  }

  statement(from: string, args: readonly string[]): string {
    const names = stringLiteral([...this.#ids.keys()].join(' '));
    return `const [${[...this.#ids.values()].join(', ')}] = ${from}(${[names, ...args].join(', ')});`;
  }
}

function gatheredUnder(groups: Map<string, Gathered>, key: string): Gathered {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const made = new Gathered();
  groups.set(key, made);
  return made;
}
