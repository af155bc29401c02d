import { letters } from '../emitter/text.ts';
import type { JumpTarget, Local } from './ir.ts';

/** A function under analysis: collects the outer locals that its bodies use. */
export interface FunctionScope {
  readonly parent: FunctionScope | null;
  readonly captures: Set<Local>;
}

interface Entry {
  readonly local: Local;
  readonly owner: FunctionScope;
}

/** Names visible at one place of the text. */
export interface Scope {
  readonly parent: Scope | null;
  readonly names: ReadonlyMap<string, Entry>;
}

/** Where a form stands: what it sees, which function it is in, and where `recur` would go. */
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

export function withLocals(context: Context, locals: readonly Local[]): Context {
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

/** The local of this name, recorded as captured by every function between its owner and here; null if none. */
export function resolveLocal(context: Context, name: string): Local | null {
  for (let scope = context.scope; scope !== null; scope = scope.parent) {
    const entry = scope.names.get(name);
    if (entry === undefined) continue;
    for (let at: FunctionScope | null = context.functionScope; at !== null && at !== entry.owner; at = at.parent) {
      at.captures.add(entry.local);
    }
    return entry.local;
  }
  return null;
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

  local(name: string, cell = false): Local {
    return { name, id: this.#identifier(name), cell };
  }

  /** A local whose name no program can write. */
  hidden(hint: string): Local {
    const local = this.local(hint);
    return { ...local, name: `${hint} ${local.id}` };
  }

  jump(locals: Local[]): JumpTarget {
    return { label: this.#identifier('again'), locals, used: false };
  }
}
