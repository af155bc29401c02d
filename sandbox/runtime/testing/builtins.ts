import { builtinTable } from '../builtins/table.ts';
import type { Effects } from '../effects.ts';
import { LimitSignal, LispError } from '../errors.ts';
import { isFunction } from '../invoke.ts';
import { printString } from '../print.ts';
import { EMPTY_HIERARCHY } from '../values/hierarchy.ts';

/** Effects whose output can be read. */
export function testEnvironment(): Effects & { readonly written: string[] } {
  const written: string[] = [];
  let hierarchy: unknown = EMPTY_HIERARCHY;
  let numbers = 0;
  return {
    written,
    write: (text) => {
      written.push(text);
    },
    nextNumber: () => ++numbers,
    get hierarchy() {
      return hierarchy;
    },
    changeHierarchy: (changed) => {
      hierarchy = changed;
    },
    readForm: (text) => text,
    branches: () => null,
  };
}

const table = builtinTable(testEnvironment());

/** Qualified names of all built-ins. */
export function builtinNames(): readonly string[] {
  return table.keys();
}

/** A built-in as a program sees it: a name without a slash is one of clojure.core. */
export function builtinValue(name: string): unknown {
  const found = table.get(name.indexOf('/') > 0 ? name : `clojure.core/${name}`);
  if (found === undefined) throw new TypeError(`no built-in ${name}`);
  return found.implementation;
}

/** Calls a built-in. */
export function call(name: string, ...args: readonly unknown[]): unknown {
  const f = builtinValue(name);
  if (!isFunction(f)) throw new TypeError(`${name} is no function`);
  return f(...args);
}

/** What a call prints as, or the reason and class it ends with. */
export function outcome(action: () => unknown): string {
  try {
    return printString(action());
  } catch (thrown) {
    if (thrown instanceof LispError)
      return `${thrown.reason}/${thrown.className.slice(thrown.className.lastIndexOf('.') + 1)}`;
    if (thrown instanceof LimitSignal) return thrown.kind;
    throw thrown;
  }
}
