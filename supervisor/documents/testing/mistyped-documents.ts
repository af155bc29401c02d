import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { mistypings } from '../../../contract/names/testing/mistypings.ts';
import { CASES } from '../cases/fields.ts';
import { ruleDiagnostic } from '../diagnostics.ts';
import { check } from '../fields/check.ts';
import { matches } from '../fields/patterns.ts';
import type { EnumShape, ObjectShape, Shape, TextShape } from '../fields/shape.ts';
import { tableFaults } from '../fields/table-faults.ts';
import { GATEWAY } from '../gateway/fields.ts';
import { HOST } from '../host/fields.ts';
import type { LocatedFault } from '../located-fault.ts';
import { MANIFEST } from '../manifest/fields.ts';
import { OVERRIDE } from '../override/fields.ts';
import { PROJECT } from '../project/fields.ts';

/** The table of fields of each kind of document. */
export const TABLES: Readonly<Record<string, Shape>> = {
  manifest: MANIFEST,
  project: PROJECT,
  host: HOST,
  gateway: GATEWAY,
  override: OVERRIDE,
  cases: CASES,
};

/** What a person reads about a document, the first fault first. */
export function faultsOf(shape: Shape, document: unknown): readonly LocatedFault[] {
  const json = jsonFromPlain(document);
  if (json === undefined) throw new Error('a sample is JSON');
  return tableFaults(check(shape, json), (violation) => ruleDiagnostic('project_schema_invalid', 'project', violation));
}

/** A document in which one name is mistyped: of a member, or of a value that is one of a closed list. */
export interface MistypedDocument {
  /** Where the name is, without the name itself. */
  readonly above: readonly string[];
  readonly name: string;
  readonly typed: string;
  readonly kind: 'member' | 'value';
  /** Names of which it is one. */
  readonly names: readonly string[];
  readonly document: unknown;
}

/** Names of a list that has so many are mistyped twice each, and not at every letter. */
const LONG_LIST = 32;

/** Texts of which one has the form that a pattern asks for. */
const TEXTS = [
  'main',
  'main/run',
  'lib/main.clj',
  '/a',
  `sha256:${'0'.repeat(64)}`,
  '2026-01-31T12:00:00Z',
  'NAME',
  'http://proxy.example:3128',
  'openai:gpt-5',
  '1',
  '0.01',
  'workflow/main',
  'https://a.example',
];

/** Every document with one mistyped name, of a table of fields: together they hold each member and each named value. */
export function mistypedDocuments(shape: Shape): readonly MistypedDocument[] {
  const mistyping = new Mistyping();
  return samplesOf(shape).flatMap((value) => [
    ...mistyping.in({ shape, value, above: [], replaced: (other) => other }),
  ]);
}

/** Values that together hold each branch and, in each object, every member. */
export function samplesOf(shape: Shape): readonly unknown[] {
  switch (shape.kind) {
    case 'text':
      return [textFor(shape)];
    case 'integer':
      return [shape.minimum];
    case 'number':
      return [shape.maximum];
    case 'boolean':
      return [true];
    case 'enum':
      return shape.values;
    case 'list': {
      const items = samplesOf(shape.items);
      return shape.items.kind === 'enum' && shape.unique === 'no' ? items.map((item) => [item]) : [items];
    }
    case 'map': {
      const key = TEXTS.find((text) => matches(shape.keys, text));
      if (key === undefined) throw new Error(`no text is ${shape.keys.words}`);
      return samplesOf(shape.values).map((value) => ({ [key]: value }));
    }
    case 'object':
      return objectsOf(shape);
    case 'choice':
      return shape.branches.flatMap(samplesOf);
    case 'either':
      return [...samplesOf(shape.text), ...samplesOf(shape.object)];
    case 'listed':
      return samplesOf(shape.item);
    case 'free':
      return [{}];
    case 'any':
      return [1];
  }
}

function textFor({ pattern }: TextShape): string {
  const text = pattern === null ? 'text' : TEXTS.find((one) => matches(pattern, one));
  if (text === undefined) throw new Error(`no text is ${pattern?.words ?? ''}`);
  return text;
}

/** As many as the member with the most samples has. */
function objectsOf({ fields }: ObjectShape): readonly unknown[] {
  const members = Object.entries(fields).map(([name, { shape }]) => ({ name, samples: samplesOf(shape) }));
  const count = Math.max(1, ...members.map(({ samples }) => samples.length));
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(members.map(({ name, samples }) => [name, samples[Math.min(at, samples.length - 1)]])),
  );
}

/** A value of a table, what it is checked as, and where it is. */
interface Sample {
  readonly shape: Shape;
  readonly value: unknown;
  readonly above: readonly string[];
  /** The document with something else in its place. */
  readonly replaced: (value: unknown) => unknown;
}

/** Walks through samples; each member of a table, and each named value, is mistyped once. */
class Mistyping {
  readonly #seen = new Map<Shape, Set<string>>();

  *in({ shape, value, above, replaced }: Sample): Iterable<MistypedDocument> {
    switch (shape.kind) {
      case 'enum':
        yield* this.#value(shape, { value, above, replaced });
        break;
      case 'list':
        if (Array.isArray(value))
          for (const [at, item] of value.entries())
            yield* this.in({
              shape: shape.items,
              value: item,
              above: [...above, String(at)],
              replaced: (other) => replaced(value.with(at, other)),
            });
        break;
      case 'map':
        yield* this.#members(() => shape.values, { value, above, replaced });
        break;
      case 'object':
        yield* this.#names(shape, { value, above, replaced });
        yield* this.#members((name) => shape.fields[name]?.shape, { value, above, replaced });
        break;
      case 'choice':
        for (const branch of shape.branches.filter((one) => isWholly(one, value)))
          yield* this.in({ shape: branch, value, above, replaced });
        break;
      case 'either':
        if (typeof value !== 'string') yield* this.in({ shape: shape.object, value, above, replaced });
        break;
      case 'listed':
        yield* this.in({ shape: Array.isArray(value) ? shape.list : shape.item, value, above, replaced });
        break;
      default:
    }
  }

  *#members(
    shapeOf: (name: string) => Shape | undefined,
    { value, above, replaced }: Omit<Sample, 'shape'>,
  ): Iterable<MistypedDocument> {
    const members = membersOf(value);
    for (const [at, [name, inner]] of members.entries()) {
      const shape = shapeOf(name);
      if (shape === undefined) continue;
      yield* this.in({
        shape,
        value: inner,
        above: [...above, name],
        replaced: (other) => replaced(Object.fromEntries(members.with(at, [name, other]))),
      });
    }
  }

  *#names(shape: ObjectShape, { value, above, replaced }: Omit<Sample, 'shape'>): Iterable<MistypedDocument> {
    const names = Object.keys(shape.fields);
    const members = membersOf(value);
    for (const [at, [name, inner]] of members.entries()) {
      if (!this.#isNew(shape, name)) continue;
      for (const typed of mistypings(name).filter((one) => !names.includes(one)))
        yield {
          above,
          name,
          typed,
          kind: 'member',
          names,
          document: replaced(Object.fromEntries(members.with(at, [typed, inner]))),
        };
    }
  }

  *#value(shape: EnumShape, { value, above, replaced }: Omit<Sample, 'shape'>): Iterable<MistypedDocument> {
    if (typeof value !== 'string' || !this.#isNew(shape, value)) return;
    const names = shape.values.filter((one) => typeof one === 'string');
    const all = mistypings(value).filter((one) => !names.includes(one));
    for (const typed of names.length > LONG_LIST ? all.slice(-2) : all)
      yield { above, name: value, typed, kind: 'value', names, document: replaced(typed) };
  }

  #isNew(shape: Shape, name: string): boolean {
    const seen = this.#seen.get(shape) ?? new Set();
    this.#seen.set(shape, seen);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  }
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Whether a sample was made for this branch: it has its members and no other, and what names the branch. */
function isWholly({ fields }: ObjectShape, value: unknown): boolean {
  const members = membersOf(value);
  return (
    members.length === Object.keys(fields).length &&
    members.every(([name, inner]) => {
      const shape = fields[name]?.shape;
      return shape !== undefined && (shape.kind !== 'enum' || shape.values.some((one) => one === inner));
    })
  );
}
