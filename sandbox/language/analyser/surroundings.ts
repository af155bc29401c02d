import type { RequiredNames } from '../../../contract/sandbox-protocol.ts';
import type { BuiltinTable } from '../../runtime/builtins/table.ts';

/** What the analyser knows of a definition it may refer to. */
export interface Definition {
  readonly name: string;
  readonly kind: 'function' | 'constant' | 'multimethod' | 'record' | 'protocol' | 'declared';
  readonly isPrivate: boolean;
  /** Null where calls cannot be checked before running. */
  readonly arities: { readonly fixed: readonly number[]; readonly variadicFrom: number | null } | null;
}

/** The namespace of a program that names none (language.md §14). */
export const USER_NAMESPACE = 'user';

/** Definitions by namespace and name. */
export type DefinitionTables = ReadonlyMap<string, ReadonlyMap<string, Definition>>;

/** Another namespace that the text may refer to by its name. */
export interface ForeignNamespace {
  readonly name: string;
  readonly definitions: ReadonlyMap<string, Definition>;
}

/** Everything outside a text that its names may mean. */
export interface AnalysisContext {
  readonly kind: 'program' | 'component';
  readonly builtins: BuiltinTable;
  /** Namespaces that may be referred to: exports of the bundle, or of direct dependencies. */
  readonly namespaces: ReadonlyMap<string, ForeignNamespace>;
  /** Names callable as `tool/<name>`; null where any is admitted (components declare, the destination grants). */
  readonly tools: ReadonlySet<string> | null;
  /** Names of the granted `data/<name>`, for advice. */
  readonly data?: readonly string[];
  /** Whether `*e` is the last error; absent: it is no name. */
  readonly hasLastError?: boolean;
  /** The namespace that the text begins in. */
  readonly current: string;
  /** What earlier forms of a session required; absent: nothing. */
  readonly required?: RequiredNames;
  /** Definitions kept from earlier evaluations, by namespace. */
  readonly definitions: DefinitionTables;
}
