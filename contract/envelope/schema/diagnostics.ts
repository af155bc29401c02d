import {
  CATALOGUE,
  DIAGNOSTIC_CODES,
  type CatalogueEntry,
  type DiagnosticCode,
  type SourceRule,
  type SubjectRule,
} from '../../diagnostics/catalogue.ts';
import { LOGICAL, NAME, POINTER } from '../../diagnostics/grammar.ts';
import { MESSAGE_LENGTH_MAX } from '../../diagnostics/messages/admitted.ts';
import {
  CAUSES,
  DESTINATIONS,
  FIXED_SOURCE_NAMES,
  LOGICAL_SOURCE_KINDS,
  OCCURRENCE_INDEX_MAX,
  OPERATION_OCCURRENCES,
  PATH_LENGTH_MAX,
  PHASES,
  isFixedSourceKind,
  type OccurrenceRule,
  type Operation,
} from '../../diagnostics/vocabulary.ts';
import { RECOVERY_CODES, UNCERTAIN_CODES, UNCLASSIFIED_PHASES } from '../build.ts';
import {
  BOOLEAN,
  COUNT,
  EMPTY,
  NULL,
  anyOf,
  array,
  constant,
  integer,
  object,
  oneOfValues,
  orNull,
  pattern,
  reference,
  type SchemaNode,
} from './nodes.ts';

/** Diagnostics in the schema: the general shape, and one definition for each code that a classified run may report. */

const LOGICAL_LENGTH_MAX = 1024;
/** The one code of the capacity variant (runtime.md §3). */
const CAPACITY: DiagnosticCode = 'limit_capacity_invalid';

const PART_DEFINITIONS = {
  span: orNull(object({ start_byte: COUNT, end_byte: COUNT })),
  path: orNull(pattern(POINTER, PATH_LENGTH_MAX)),
  occurrence: object({ destination: oneOfValues(DESTINATIONS), index: integer(0, OCCURRENCE_INDEX_MAX) }),
  cause: oneOfValues(CAUSES),
} as const;
const SPAN = reference('span');
const PATH = reference('path');
const OCCURRENCE = reference('occurrence');

function occurrence(rule: OccurrenceRule): SchemaNode {
  if (rule === 'null') return NULL;
  return rule === 'object' ? OCCURRENCE : orNull(OCCURRENCE);
}

function subject(operation: Operation, rule: OccurrenceRule): SchemaNode {
  return object({
    kind: constant('provider'),
    name: pattern(NAME),
    operation: constant(operation),
    occurrence: occurrence(rule),
  });
}

function source(kind: Exclude<SourceRule, null>): SchemaNode {
  const name = isFixedSourceKind(kind) ? constant(FIXED_SOURCE_NAMES[kind]) : pattern(LOGICAL, LOGICAL_LENGTH_MAX);
  return object({ kind: constant(kind), name });
}

const ALL_SOURCES = [
  ...Object.entries(FIXED_SOURCE_NAMES).map(([kind, name]) => object({ kind: constant(kind), name: constant(name) })),
  object({ kind: oneOfValues(LOGICAL_SOURCE_KINDS), name: pattern(LOGICAL, LOGICAL_LENGTH_MAX) }),
];

function isOperation(word: string): word is Operation {
  return word in OPERATION_OCCURRENCES;
}

const ALL_SUBJECTS = Object.keys(OPERATION_OCCURRENCES)
  .filter(isOperation)
  .map((operation) => subject(operation, OPERATION_OCCURRENCES[operation]));

const GENERAL_MEMBERS = {
  phase: oneOfValues(PHASES),
  code: oneOfValues(DIAGNOSTIC_CODES),
  message: { type: 'string' },
  source: anyOf([NULL, ...ALL_SOURCES]),
  path: PATH,
  span: SPAN,
  subject: anyOf([NULL, ...ALL_SUBJECTS]),
  notes: { type: 'array' },
  retryable: BOOLEAN,
  provider_activity: BOOLEAN,
};
const CAUSE = { cause: reference('cause') };

/** Codes that a classified run can report: found after the inert phases, or again with provider activity. */
export function isClassifiedCode(code: DiagnosticCode): boolean {
  const { phases, providerActivity } = CATALOGUE[code];
  if (code === CAPACITY) return false;
  return providerActivity === 'any' || phases.some((phase) => !UNCLASSIFIED_PHASES.includes(phase));
}

const CLASSIFIED_CODES = DIAGNOSTIC_CODES.filter(isClassifiedCode);

/** Effects found wrong after acquisition (runtime.md §3): without provider activity the run has no class. */
function activity(code: DiagnosticCode, entry: CatalogueEntry): SchemaNode {
  if (entry.phases.includes('application')) return constant(true);
  return entry.providerActivity === 'any' ? BOOLEAN : constant(entry.providerActivity);
}

function message(entry: CatalogueEntry, rule: SourceRule): SchemaNode {
  const form = rule === null ? 'null' : 'runtime';
  const patterns = entry.message.forms
    .filter((candidate) => candidate.source === undefined || candidate.source === form)
    .map((candidate) => pattern(candidate.pattern, MESSAGE_LENGTH_MAX));
  return anyOf([constant(entry.message.generic), ...patterns]);
}

function subjectOf(rule: SubjectRule): SchemaNode {
  return rule === null ? NULL : subject(rule.operation, rule.occurrence);
}

/** One alternative for each source, since texts and spans depend on it. */
function classified(code: DiagnosticCode): SchemaNode {
  const entry = CATALOGUE[code];
  return anyOf(
    entry.sources.map((rule) =>
      object(
        {
          phase: oneOfValues(entry.phases),
          code: constant(code),
          message: message(entry, rule),
          source: rule === null ? NULL : source(rule),
          path: entry.path === 'allowed' ? PATH : NULL,
          span: entry.span === 'with_source' && rule !== null ? SPAN : NULL,
          subject: anyOf(entry.subjects.map(subjectOf)),
          notes: EMPTY,
          retryable: constant(entry.retryable),
          provider_activity: activity(code, entry),
        },
        entry.cause === 'allowed' ? CAUSE : {},
      ),
    ),
  );
}

const byCode = (codes: readonly DiagnosticCode[]): SchemaNode =>
  anyOf(codes.map((code) => reference(`diagnostic_${code}`)));

export const GENERAL = reference('diagnostic');
export const CLASSIFIED = reference('classified_diagnostic');
export const EXECUTION_DIAGNOSTIC = reference('execution_diagnostic');
export const RECOVERY = byCode(RECOVERY_CODES);
export const UNCERTAIN = byCode(UNCERTAIN_CODES);

/** The general shape with some members narrowed. */
export function general(narrowed: Readonly<Record<string, SchemaNode>> = {}): SchemaNode {
  return object({ ...GENERAL_MEMBERS, ...narrowed }, CAUSE);
}

export const DIAGNOSTIC_DEFINITIONS: Readonly<Record<string, SchemaNode>> = {
  ...PART_DEFINITIONS,
  diagnostic: general(),
  unclassified_diagnostic: general({
    phase: oneOfValues(UNCLASSIFIED_PHASES),
    code: oneOfValues(
      DIAGNOSTIC_CODES.filter(
        (code) => code !== CAPACITY && CATALOGUE[code].phases.some((phase) => UNCLASSIFIED_PHASES.includes(phase)),
      ),
    ),
    provider_activity: constant(false),
  }),
  capacity_diagnostic: general({ phase: constant('application'), code: constant(CAPACITY) }),
  classified_diagnostic: byCode(CLASSIFIED_CODES),
  execution_diagnostic: byCode(CLASSIFIED_CODES.filter((code) => CATALOGUE[code].phases.includes('execution'))),
  ...Object.fromEntries(CLASSIFIED_CODES.map((code) => [`diagnostic_${code}`, classified(code)])),
};

/** A list of at most `maximum` diagnostics that a classified run may carry. */
export function classifiedList(maximum: number): SchemaNode {
  return array(CLASSIFIED, { maxItems: maximum });
}
