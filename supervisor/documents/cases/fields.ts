import { DIAGNOSTIC_CODES } from '../../../contract/diagnostics/codes.ts';
import { CASE_NAME, RELATIVE_PATH, TAG } from '../fields/patterns.ts';
import {
  anyJson,
  boolean,
  freeObject,
  integer,
  list,
  listed,
  number,
  object,
  oneOfValues,
  optional,
  required,
  text,
  type Decoded,
} from '../fields/shape.ts';

const path = text(1024, RELATIVE_PATH);

/** What a run has to come to; all members hold, or the case fails. */
const EXPECTED = object({
  value: optional(anyJson),
  matches: optional(anyJson),
  schema: optional(freeObject),
  error: optional(oneOfValues(...DIAGNOSTIC_CODES)),
  program: optional(text(65_536)),
  max_cost_usd: optional(number(0, 1_000_000)),
  max_turns: optional(integer(0, 1_000_000)),
});

const CASE = object({
  $schema: optional(text(2048)),
  name: required(text(200, CASE_NAME)),
  input: optional(freeObject),
  input_file: optional(path),
  fixtures: optional(path),
  live: optional(boolean),
  expect: required(EXPECTED),
  repeat: optional(integer(1, 1000)),
  model: optional(text(256)),
  tags: optional(list(text(64, TAG), 32, { unique: 'checked' })),
});

/** A file of cases, `tests/*.json` (first-day.md §2): one case, or a list of them. */
export const CASES = listed(CASE, 10_000);

export type CaseDocument = Decoded<typeof CASE>;
export type Expected = Decoded<typeof EXPECTED>;
