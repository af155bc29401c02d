import { builtinTable } from '../../runtime/builtins/table.ts';
import type { Environment } from '../../runtime/environment.ts';
import { EMPTY_MAP } from '../../runtime/values/array-map.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { MultiMethod } from '../../runtime/values/multimethod.ts';
import { PrintStream } from './print-stream.ts';
import { readForm } from './read-form.ts';
import type { Session } from './session.ts';

/** The global hierarchy before any `derive`: what `(make-hierarchy)` gives. */
const EMPTY_HIERARCHY = mapFromEntries(['parents', 'descendants', 'ancestors'].flatMap((name) => [keyword(null, name), EMPTY_MAP]));

/** A session without definitions, grants or limits. */
export function newSession(callCapability: (text: string) => string): Session {
  const prints = new PrintStream();
  let number = 0;
  let hierarchy: unknown = EMPTY_HIERARCHY;
  const environment: Environment = {
    write: (text) => prints.write(text),
    nextNumber: () => {
      number += 1;
      return number;
    },
    get hierarchy() {
      return hierarchy;
    },
    changeHierarchy: (changed) => {
      hierarchy = changed;
    },
    readForm,
  };
  return {
    builtins: builtinTable(environment),
    prints,
    callCapability,
    data: new Map(),
    tools: new Set(),
    environment: 'mission',
    history: [],
    limits: { loops: Number.MAX_SAFE_INTEGER },
    namespaces: new Map(),
    exports: [],
    definitions: new Map(),
    initialising: false,
    variables: new Map(),
    units: new Map(),
    makeMultimethod: (facts) => new MultiMethod({ ...facts, call: () => null }),
  };
}
