import type { OccurrenceRule, Operation, Phase, SourceKind } from './vocabulary.ts';

/** Process exit statuses that a diagnostic can decide (runtime.md §1, "Exit status"). */
export type ExitStatus = 2 | 3 | 4 | 5 | 6 | 7 | 70;

/** Which subject a diagnostic may have: none, or a provider in this operation (interface.md §1.7). */
export type SubjectRule = null | { readonly operation: Operation; readonly occurrence: OccurrenceRule };

/** `null`: no source. */
export type SourceRule = SourceKind | null;

/** A text beside the generic one: a pattern for the whole message, and the sources it is bound to, if it is. */
export interface MessageForm {
  readonly pattern: string;
  readonly source?: 'null' | 'runtime';
}

/** All texts that a message may be (interface.md §2.5): readers accept nothing else. */
export interface MessageGrammar {
  /** The text that says no more than the code; always allowed. */
  readonly generic: string;
  readonly forms: readonly MessageForm[];
}

/** What a diagnostic of one code may say (runtime.md §13, documents.md §13, interface.md §2.5 "Errors"). */
export interface CatalogueEntry {
  /** The first is the default. */
  readonly phases: readonly [Phase, ...Phase[]];
  readonly exit: ExitStatus;
  readonly retryable: boolean;
  readonly providerActivity: boolean | 'any';
  readonly subjects: readonly [SubjectRule, ...SubjectRule[]];
  readonly sources: readonly [SourceRule, ...SourceRule[]];
  /** `with_source`: the span may be given when there is a source. */
  readonly span: 'never' | 'with_source';
  readonly path: 'never' | 'allowed';
  /** `never`: entries printed without one (interface.md §2.5). */
  readonly cause: 'never' | 'allowed';
  readonly message: MessageGrammar;
}

/** One fixed text. */
export function text(generic: string): MessageGrammar {
  return { generic, forms: [] };
}

/** A generic text, or one that matches a pattern. */
export function textOr(generic: string, ...forms: readonly (string | MessageForm)[]): MessageGrammar {
  return { generic, forms: forms.map((form) => (typeof form === 'string' ? { pattern: form } : form)) };
}

/** A provider as subject: P(operation, occurrence) of the specification. */
export function provider(operation: Operation, occurrence: OccurrenceRule): SubjectRule {
  return { operation, occurrence };
}

/** What nearly all entries of a phase share; a row states only how it differs. */
export const PLAIN = {
  retryable: false,
  providerActivity: false,
  subjects: [null],
  sources: [null],
  span: 'never',
  path: 'never',
  cause: 'allowed',
} as const satisfies Partial<CatalogueEntry>;

/** The same for phases whose entries are printed in interface.md §2.5: they have no cause. */
export const PRINTED = { ...PLAIN, cause: 'never' } as const satisfies Partial<CatalogueEntry>;
