import { builtinTable } from '../../runtime/builtins/table.ts';
import { refuseOuter } from '../../runtime/branch.ts';
import type { Effects } from '../../runtime/effects.ts';
import { EMPTY_HIERARCHY } from '../../runtime/values/hierarchy.ts';
import { USER_NAMESPACE } from '../analyser/surroundings.ts';
import { LANGUAGE_AREAS } from '../builtins/rows.ts';
import { inIsolates } from './branches.ts';
import { PrintStream } from './print-stream.ts';
import { readForm } from './read-form.ts';
import type { Session } from './session.ts';

/** A session without definitions, grants or limits; capability calls need a bridge. */
export function newSession(): Session {
  const prints = new PrintStream();
  const numbers = { last: 0 };
  let hierarchy: unknown = EMPTY_HIERARCHY;
  const effects: Effects = {
    write: (text) => prints.write(text),
    nextNumber: () => {
      numbers.last += 1;
      return numbers.last;
    },
    get hierarchy() {
      return hierarchy;
    },
    changeHierarchy: (changed) => {
      refuseOuter(0, 'The global hierarchy');
      hierarchy = changed;
    },
    readForm,
    branches: (shared, calls) => inIsolates(session, shared, calls),
  };
  const session: Session = {
    builtins: builtinTable(effects, LANGUAGE_AREAS),
    effects,
    numbers,
    prints,
    callCapability: () => {
      throw new TypeError('no capability can be called before a guest is created');
    },
    lastReply: undefined,
    data: new Map(),
    tools: new Set(),
    environment: 'mission',
    history: [],
    lastError: null,
    keepsError: false,
    limits: { loops: Number.MAX_SAFE_INTEGER },
    namespaces: new Map(),
    components: new Map(),
    exports: [],
    current: USER_NAMESPACE,
    definitions: new Map(),
    definitionSources: new Map(),
    limitBefore: null,
    written: null,
    spent: false,
    initialising: false,
    variables: new Map(),
    units: new Map(),
    blocks: new Map(),
    mayBranch: false,
    callPlaces: () => '[]',
  };
  return session;
}
