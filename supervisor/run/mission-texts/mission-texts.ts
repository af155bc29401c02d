import { createHash } from 'node:crypto';
import { ASKS_PERSON, needsApproval, type ApprovalWord } from '../../../contract/approval.ts';
import { worstEffect, type Effect } from '../../../contract/effect.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import { requiredTools } from '../../../contract/requirement.ts';
import { routeNamed } from '../../../contract/routes.ts';
import type { ExportFact, NamespaceFact } from '../../../contract/sandbox-protocol.ts';
import { capabilityForm } from '../../calls/capability-form.ts';
import { exportForm } from './call-forms.ts';
import { shapeOf } from './value-shape.ts';

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

/** What the texts say of a capability. */
export interface CapabilityFacts {
  readonly name: string;
  readonly description: string;
  readonly effect: Effect;
  /** Which of its calls need a person's yes; absent: none. */
  readonly approval?: ApprovalWord;
  readonly isModelVisible: boolean;
  readonly inputSchema: JsonValue;
  /** Null: any JSON. */
  readonly outputSchema: JsonValue;
}

export interface MissionTextFacts {
  readonly exports: readonly ExportFact[];
  readonly namespaces: readonly NamespaceFact[];
  /** Everything that is granted, shown to models or not. */
  readonly capabilities: readonly CapabilityFacts[];
  /** `data/<key>` of every key that a program can name, with its value. */
  readonly data: ReadonlyMap<string, JsonValue>;
  readonly limits: EffectiveLimits;
}

/**
 * What a mission offers, for programs: deterministic JSON, keys in the order of runtime.md §4. The contract of an
 * export is the canonical text of its signature or type.
 */
export function missionInventory(facts: MissionTextFacts): string {
  const exports = promptExports(facts).map(({ fact, form, effect, asks }) => ({
    ref: fact.ref,
    kind: fact.kind,
    call: form,
    doc: fact.doc,
    effect,
    contract: fact.contract ?? null,
    ...(asks ? { approval: ASKS_PERSON } : {}),
  }));
  const capabilities = modelCapabilities(facts).map(({ capability, form }) => ({
    name: capability.name,
    call: form,
    description: capability.description,
    effect: capability.effect,
    input_schema: embedded(capability.inputSchema),
    output_schema: embedded(capability.outputSchema),
    ...(asksPerson(capability) ? { approval: ASKS_PERSON } : {}),
  }));
  return written({
    schema_version: INVENTORY_VERSION,
    exports,
    capabilities,
    data: dataNames(facts),
    limits: shownLimits(facts),
  });
}

/**
 * The same for a model's prompt: forms to write, sorted by them. The contract of a capability is its two schemas, that
 * of a grant its shape.
 */
export function missionModelContext(facts: MissionTextFacts): string {
  const exported = promptExports(facts);
  const entries = [
    ...exported.map(({ fact, form, effect, asks }) => ({
      kind: fact.kind,
      form,
      contract: fact.contract ?? null,
      effect: shownEffect(effect, asks),
      docs: fact.doc,
    })),
    ...modelCapabilities(facts).map(({ capability, form }) => ({
      kind: 'capability',
      form,
      contract: { input_schema: embedded(capability.inputSchema), output_schema: embedded(capability.outputSchema) },
      effect: shownEffect(capability.effect, asksPerson(capability)),
      docs: capability.description,
    })),
    ...dataNames(facts).map((form) => {
      const { type, count, example } = shapeOf(facts.data.get(form) ?? null);
      return { kind: 'data', form, contract: type, effect: 'read', docs: null, count, example };
    }),
  ];
  const sorted = entries.toSorted((left, right) => compareUtf8(left.form, right.form));
  return written({
    schema_version: MODEL_CONTEXT_VERSION,
    namespaces: shownNamespaces(facts, exported),
    entries: sorted,
    limits: shownLimits(facts),
  });
}

/** Where a person is asked, a model had better plan one call for many items. */
function shownEffect(effect: Effect, asks: boolean): string {
  return asks ? `${effect}, ${ASKS_PERSON}` : effect;
}

function asksPerson({ approval = 'never', effect }: CapabilityFacts): boolean {
  return needsApproval(approval, effect);
}

export interface TextFacts {
  /** SHA-256, 64 hex digits. */
  readonly hash: string;
  readonly bytes: number;
}

export function textFacts(text: string): TextFacts {
  return { hash: createHash('sha256').update(text).digest('hex'), bytes: Buffer.byteLength(text) };
}

interface ShownExport {
  readonly fact: ExportFact;
  readonly form: string;
  readonly effect: Effect;
  /** Whether it can reach a tool that a person is asked about. */
  readonly asks: boolean;
}

function promptExports({ exports, capabilities }: MissionTextFacts): readonly ShownExport[] {
  const effects = new Map(capabilities.map(({ name, effect }) => [name, effect]));
  const visible = exports.filter(({ visibility }) => visibility === 'prompt');
  const asking = new Set(capabilities.filter(asksPerson).map(({ name }) => name));
  const shown = visible.map((fact) => ({
    fact,
    form: exportForm(fact),
    effect: reachedEffect(fact, effects),
    asks: requiredTools(fact).some((name) => asking.has(name)),
  }));
  return shown.toSorted((left, right) => compareUtf8(left.form, right.form));
}

/** The worst of what an export is itself and of every capability that it can reach; one that is absent is unknown. */
function reachedEffect(fact: ExportFact, granted: ReadonlyMap<string, Effect>): Effect {
  const reached = requiredTools(fact).map((name) => granted.get(name) ?? ownEffect(name) ?? 'unknown');
  return worstEffect([fact.effect, ...reached]) ?? fact.effect;
}

/** Of a route that every mission has without a provider; null for every other name. */
function ownEffect(name: string): Effect | null {
  const route = routeNamed(name);
  return route === undefined || route.effect === 'missions' || !route.environments.includes('mission')
    ? null
    : route.effect;
}

interface ShownCapability {
  readonly capability: CapabilityFacts;
  readonly form: string;
}

function modelCapabilities({ capabilities }: MissionTextFacts): readonly ShownCapability[] {
  const shown = capabilities
    .filter(({ isModelVisible }) => isModelVisible)
    .map((capability) => ({ capability, form: capabilityForm(capability) }));
  return shown.toSorted((left, right) => compareUtf8(left.form, right.form));
}

/** Namespaces with a text of their own and an export that is shown. */
function shownNamespaces({ namespaces }: MissionTextFacts, exported: readonly ShownExport[]) {
  const prefixes = new Set(exported.map(({ fact }) => fact.ref.slice(0, fact.ref.indexOf('/'))));
  const shown = namespaces
    .filter(({ name, doc }) => doc !== null && prefixes.has(name))
    .map(({ name, doc }) => ({ namespace: name, doc }));
  return shown.toSorted((left, right) => compareUtf8(left.namespace, right.namespace));
}

function dataNames({ data }: MissionTextFacts): readonly string[] {
  return [...data.keys()].toSorted(compareUtf8);
}

function shownLimits({ limits }: MissionTextFacts): Readonly<Record<string, number>> {
  return Object.fromEntries(SHOWN_LIMITS.map((name) => [name, limits[name]]));
}

/** A schema is in the text as canonical JSON, with the order and the number classes of its own. */
class EmbeddedJson {
  readonly text: string;

  constructor(value: JsonValue) {
    this.text = canonicalJson(value);
  }
}

function embedded(value: JsonValue): EmbeddedJson | null {
  return value === null ? null : new EmbeddedJson(value);
}

type Written = string | number | null | EmbeddedJson | readonly Written[] | { readonly [key: string]: Written };

/** Texts that come from documents and components may hold anything that a string can. */
function written(value: Written): string {
  if (value instanceof EmbeddedJson) return value.text;
  if (value === null || typeof value !== 'object')
    return JSON.stringify(typeof value === 'string' ? value.toWellFormed() : value);
  if (isList(value)) return `[${value.map(written).join(',')}]`;
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${written(member)}`)
    .join(',')}}`;
}

function isList(value: object): value is readonly Written[] {
  return Array.isArray(value);
}
