import type { Hint } from '../hints.ts';
import { letters } from '../code-text.ts';
import type { HiddenLocal, JumpTarget, Local, NamedLocal } from './ir.ts';

/** A function under analysis: collects the outer locals that its bodies use. */
export interface FunctionScope {
  readonly parent: FunctionScope | null;
  readonly captures: Set<Local>;
}

interface Entry {
  readonly local: NamedLocal;
  readonly owner: FunctionScope;
}

/** A value that a form hands on to the forms inside it without a name. */
export interface UnnamedValue {
  readonly local: HiddenLocal;
  readonly owner: FunctionScope;
}

/** Names visible at one place of the text. */
export interface Scope {
  readonly parent: Scope | null;
  readonly names: ReadonlyMap<string, Entry>;
}

/** Where a form is: what it sees, which function it is in, and where `recur` would go. */
export interface Context {
  readonly scope: Scope | null;
  readonly functionScope: FunctionScope;
  /** Target of a `recur` in this place; null where it is no tail position. */
  readonly jump: JumpTarget | null;
  /** True only for forms of the program or component itself. */
  readonly topLevel: boolean;
}

export function rootContext(): Context {
  return { scope: null, functionScope: { parent: null, captures: new Set() }, jump: null, topLevel: true };
}

/** The same place seen from an operand: no tail position, not top level. */
export function operandOf(context: Context): Context {
  return context.jump === null && !context.topLevel ? context : { ...context, jump: null, topLevel: false };
}

/** The same place one level down: still a tail position, but no longer top level. */
export function inner(context: Context): Context {
  return context.topLevel ? { ...context, topLevel: false } : context;
}

/** The same place with more names; of two equal ones the later counts. */
export function withLocals(context: Context, locals: readonly NamedLocal[]): Context {
  const names = new Map(locals.map((local) => [local.name, { local, owner: context.functionScope }]));
  return { ...context, scope: { parent: context.scope, names } };
}

export function enterFunction(context: Context): Context {
  return {
    scope: context.scope,
    functionScope: { parent: context.functionScope, captures: new Set() },
    jump: null,
    topLevel: false,
  };
}

/** Names of the locals that are visible, inner ones first. */
export function localNames({ scope }: Context): readonly string[] {
  const names: string[] = [];
  for (let at = scope; at !== null; at = at.parent) names.push(...at.names.keys());
  return names;
}

/** The local of this name, recorded as captured by every function between its owner and here; null if none. */
export function resolveLocal(context: Context, name: string): NamedLocal | null {
  const entry = entryNamed(context, name);
  if (entry === null) return null;
  capture(context, entry);
  return entry.local;
}

/** Whether a local of this name is visible here. */
export function isLocal(context: Context, name: string): boolean {
  return entryNamed(context, name) !== null;
}

/** The local of a value that is handed on, recorded as captured like one that is named. */
export function resolveUnnamed(context: Context, unnamed: UnnamedValue): HiddenLocal {
  capture(context, unnamed);
  return unnamed.local;
}

function entryNamed(context: Context, name: string): Entry | null {
  for (let scope = context.scope; scope !== null; scope = scope.parent) {
    const entry = scope.names.get(name);
    if (entry !== undefined) return entry;
  }
  return null;
}

function capture(context: Context, { local, owner }: Entry | UnnamedValue): void {
  for (let at: FunctionScope | null = context.functionScope; at !== null && at !== owner; at = at.parent)
    at.captures.add(local);
}

/** Makes locals and jump labels whose identifiers are unique in one top-level form. */
export class LocalNames {
  readonly #numbers = new Map<string, number>();

  /** Begins a top-level form, whose names nothing outside it sees. */
  restart(): void {
    this.#numbers.clear();
  }

  #identifier(hint: string): string {
    const base = letters(hint);
    const number = (this.#numbers.get(base) ?? 0) + 1;
    this.#numbers.set(base, number);
    return number === 1 ? `${base}$` : `${base}$${number}`;
  }

  named(name: string, cell = false): NamedLocal {
    return { kind: 'named', name, id: this.#identifier(name), cell };
  }

  hidden(hint: Hint): HiddenLocal {
    return { kind: 'hidden', id: this.#hiddenIdentifier(hint), cell: false };
  }

  /** The JavaScript name of a function; one without a name gets one for people who read the code. */
  functionIdentifier(name: string | null): string {
    return name === null ? this.#hiddenIdentifier('fn') : this.#identifier(name);
  }

  jump(locals: Local[]): JumpTarget {
    return { label: this.#hiddenIdentifier('again'), locals, used: false };
  }

  #hiddenIdentifier(hint: Hint): string {
    return this.#identifier(hint);
  }
}
