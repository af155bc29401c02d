import { createHash } from 'node:crypto';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { EffectiveLimits } from '../../contract/limits/effective.ts';
import type { ExportFact } from '../../contract/sandbox-protocol.ts';

/** Both texts of a mission, at most (runtime.md §4); a larger one refuses the application. */
export const MISSION_TEXT_BYTES = 262_144;

const INVENTORY_VERSION = 3;
const MODEL_CONTEXT_VERSION = 2;

/** Limits that a program in a mission can run into, in the order that both texts show. */
const SHOWN_LIMITS = [
  'evaluation_timeout_ms',
  'parallel_timeout_ms',
  'subordinate_source_bytes',
  'subordinate_source_checks',
  'mission_capability_calls',
  'mission_capability_calls_per_name',
  'capability_argument_bytes',
  'capability_result_bytes',
] as const;

export interface MissionFacts {
  readonly exports: readonly ExportFact[];
  /** `data/<key>` of every key that a program can name, sorted. */
  readonly data: readonly string[];
  readonly limits: EffectiveLimits;
}

/** What a mission offers, for programs: deterministic JSON, keys in the order of runtime.md §4. */
export function missionInventory(facts: MissionFacts): string {
  const exports = promptVisible(facts).map((fact) => ({
    ref: fact.ref,
    kind: fact.kind,
    call: callForm(fact),
    doc: fact.doc,
    effect: fact.effect,
    contract: null,
  }));
  return JSON.stringify({ schema_version: INVENTORY_VERSION, exports, capabilities: [], data: facts.data, limits: shownLimits(facts) });
}

/** The same for a model's prompt: forms to write, sorted by them. */
export function missionModelContext(facts: MissionFacts): string {
  const exports = promptVisible(facts).map((fact) => ({
    kind: fact.kind,
    form: callForm(fact),
    contract: null,
    effect: fact.effect,
    docs: fact.doc,
  }));
  const data = facts.data.map((form) => ({ kind: 'data', form, contract: null, effect: 'read', docs: null }));
  const entries = [...exports, ...data].toSorted((left, right) => compareUtf8(left.form, right.form));
  return JSON.stringify({ schema_version: MODEL_CONTEXT_VERSION, namespaces: [], entries, limits: shownLimits(facts) });
}

export interface TextFacts {
  /** SHA-256, 64 hex digits. */
  readonly hash: string;
  readonly bytes: number;
}

export function textFacts(text: string): TextFacts {
  return { hash: createHash('sha256').update(text).digest('hex'), bytes: Buffer.byteLength(text) };
}

function promptVisible({ exports }: MissionFacts): readonly ExportFact[] {
  const visible = exports.filter(({ visibility }) => visibility === 'prompt');
  return visible.toSorted((left, right) => compareUtf8(callForm(left), callForm(right)));
}

/** A constant is named, a function is called with as many placeholders as its least arity takes. */
function callForm({ ref, kind, arities, variadic_from: variadicFrom }: ExportFact): string {
  if (kind === 'constant') return ref;
  const least = Math.min(...arities, variadicFrom ?? Number.MAX_SAFE_INTEGER);
  const names = Array.from({ length: Number.isSafeInteger(least) && least < 32 ? least : 0 }, (_, index) => ` arg${index + 1}`);
  const rest = variadicFrom === null ? '' : ' ...';
  return `(${ref}${names.join('')}${rest})`;
}

function shownLimits({ limits }: MissionFacts): Readonly<Record<string, number>> {
  return Object.fromEntries(SHOWN_LIMITS.map((name) => [name, limits[name]]));
}
