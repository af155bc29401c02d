import { APPROVAL_WORDS } from '../../../../contract/approval.ts';
import type { HostRule } from '../../../../contract/diagnostics/messages/documents.ts';
import {
  boolean,
  defaulted,
  EMPTY_OBJECT,
  integer,
  list,
  object,
  oneOfValues,
  optional,
  required,
  text,
  unidentified,
} from '../../fields/shape.ts';
import { NAME, NO_NUL } from '../../fields/patterns.ts';

/** What installations of several sources have alike (documents.md §7). */

export const name = text(128, NAME);
export const hostPath = text(4096, NO_NUL);
const dataClass = oneOfValues('normal', 'private_inspection');

/** The operator's own counter of behaviour: pins compare configuration, not this (documents.md §10). */
export const revision = unidentified(required(name));

/**
 * Which calls a person is asked about (approvals.md §1). Without a default, so that what was configured before keeps
 * its digest.
 */
export const approval = optional(oneOfValues(...APPROVAL_WORDS));

export const dataPolicy = {
  data_class: defaulted(dataClass, 'normal'),
  accepts_data: defaulted(list(dataClass, 2, { minimum: 1, unique: 'checked', set: true }), ['normal']),
} as const;

export function ceiling(standard: number, minimum: number, maximum: number) {
  return defaulted(integer(minimum, maximum), standard);
}

export const guarantees = object({ tokens: required(boolean), cost_currency: required(oneOfValues('USD', null)) });

export const replayCeilings = defaulted(
  object({
    max_entries: ceiling(10000, 1, 10000),
    max_result_bytes: ceiling(1048576, 1, 1048576),
    max_calls: ceiling(2048, 1, 2048),
  }),
  EMPTY_OBJECT,
);

/** A rule that the schema cannot say, and a publishable place in the document. */
export interface SourceFault {
  readonly rule: HostRule;
  readonly path: string;
  /** The same place with its real keys; absent: those of the path. */
  readonly keys?: readonly string[];
  readonly remedy?: string;
}

/** Fixtures lie below the host document, or at an absolute path. */
export function* fixturesFaults({ fixtures }: { readonly fixtures: string }): Iterable<SourceFault> {
  if (leavesDirectory(fixtures)) yield { rule: 'fixtures_path_unsafe', path: '/fixtures' };
}

export function leavesDirectory(path: string): boolean {
  return !path.startsWith('/') && path.split('/').includes('..');
}
