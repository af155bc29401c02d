import type { BuiltinTable } from '../../runtime/builtins/table.ts';
import type { LimitSignal } from '../../runtime/errors.ts';
import type { Effects } from '../../runtime/effects.ts';
import type { LispFunction } from '../../runtime/invoke.ts';
import { UNBOUND, Var } from '../../runtime/values/var.ts';
import type { BundleDefinition, BundleExport } from '../bundle.ts';
import type { DefinitionTables } from '../analyser/surroundings.ts';
import type { CodeBlock } from './code-block.ts';
import { builtinMeta } from './metadata.ts';
import type { PrintStream } from './print-stream.ts';
import type { WrittenDefinitions } from './written-definitions.ts';

/** A loaded component namespace: its variables are `Session.variables`, these are the facts about them. */
export interface LoadedNamespace {
  readonly name: string;
  /** Id of the component that declares it. */
  readonly component: string;
  readonly doc: string | null;
  readonly definitions: ReadonlyMap<string, BundleDefinition>;
}

/** What is kept of a component to say where in it an error was raised. */
export interface LoadedComponent {
  readonly id: string;
  readonly source: string;
  readonly places: string;
  /** Names of its namespaces. */
  readonly namespaces: readonly string[];
}

/** What the code of one isolate acts on, apart from the values it passes around. */
export interface Session {
  readonly builtins: BuiltinTable;
  /** What built-ins with an effect act on. */
  readonly effects: Effects;
  /** The last number that `gensym` got. */
  readonly numbers: { last: number };
  readonly prints: PrintStream;
  /** Sends a capability call to the supervisor: canonical JSON text of name and arguments in, reply text out. */
  callCapability: (text: string) => string;
  /**
   * What the last capability call of this evaluation answered; undefined before the first (runtime.md §6, provenance).
   */
  lastReply: unknown;
  /** `data/<name>`: what was granted, already as values. */
  data: ReadonlyMap<string, unknown>;
  tools: ReadonlySet<string>;
  environment: 'workflow' | 'mission';
  /** `*1 *2 *3`, newest first. */
  history: readonly unknown[];
  /** `*e`: an exception or nil. Its name means something only while `keepsError`. */
  lastError: unknown;
  keepsError: boolean;
  readonly limits: { loops: number };
  readonly namespaces: Map<string, LoadedNamespace>;
  readonly components: Map<string, LoadedComponent>;
  /** Facts of all exports of the attached bundle. */
  exports: readonly BundleExport[];
  /** Texts of the forms that defined them, by qualified name, for `source`. */
  readonly definitionSources: Map<string, string>;
  /** Definitions of the dynamic source that are kept between evaluations, by namespace and name. */
  definitions: DefinitionTables;
  /** The namespace that the next program begins in (language.md §14). */
  current: string;
  /** The last limit before the running code was linked: another one means that it is unwinding (language.md §10). */
  limitBefore: LimitSignal | null;
  /**
   * Where the capability call is that is being made, as contract/call-place.ts reads it. `branchOf`: source of the
   * program whose parallel branch this is. Set by what runs.
   */
  callPlaces: (branchOf: string | null) => string;
  /** Whether parallel branches may have isolates of their own. */
  mayBranch: boolean;
  /** What was written of it last, or it was restored from; null before. */
  written: WeakRef<WrittenDefinitions> | null;
  /** Set when an evaluation was not kept and what it changed was not put back. */
  spent: boolean;
  /** True while components are compiled: tools answer nil (language.md §13). */
  initialising: boolean;
  readonly variables: Map<string, Map<string, Var>>;
  /** Code units by block and number, so that a function written down can be made again. */
  readonly units: Map<string, CodeUnit>;
  /** Generated code of the programs that were linked here, by block: as text until some of it is to be kept. */
  readonly blocks: Map<string, string | CodeBlock>;
}

/** The code of one function expression. */
export interface CodeUnit {
  readonly id: string;
  /** Qualified name for messages and printing; null for a nameless function. */
  readonly name: string | null;
  /** Makes the function from its captured values. */
  readonly make: LispFunction;
}

/** The variable of this name; one without a value is made where there is none. */
export function variableOf(session: Session, namespace: string, name: string): Var {
  let names = session.variables.get(namespace);
  if (names === undefined) {
    names = new Map();
    session.variables.set(namespace, names);
  }
  const known = names.get(name);
  if (known !== undefined) return known;
  const made = new Var(namespace, name, UNBOUND, null);
  names.set(name, made);
  return made;
}

/** The variable of a qualified name. */
export function variableNamed(session: Session, reference: string): Var {
  const slash = reference.indexOf('/');
  return variableOf(session, reference.slice(0, slash), reference.slice(slash + 1));
}

/** The variable of a built-in, which holds its value from the start. */
export function builtinVariable(session: Session, name: string): Var {
  const variable = variableNamed(session, name);
  if (variable.value !== UNBOUND) return variable;
  const builtin = session.builtins.get(name);
  if (builtin === undefined) return variable;
  variable.value = builtin.implementation;
  variable.describeBy(() => builtinMeta(builtin));
  return variable;
}
