/** What a scripted model of a vendor says in one turn. */
import { isObject } from '../../is-object.ts';
export interface VendorTurn {
  readonly thought?: string;
  readonly text?: string;
  readonly calls?: readonly VendorCall[];
  /** It was cut: nothing follows what it said so far. */
  readonly isCut?: boolean;
}

export interface VendorCall {
  readonly id: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** An answer in the vendor's form, and those parts of it that the next request has to bring back unchanged. */
export interface VendorAnswer {
  readonly body: unknown;
  readonly carried: readonly unknown[];
}

/** A turn that was given, as a request that follows it must hold it. */
export interface AnsweredTurn {
  readonly calls: readonly string[];
  /** JSON texts, each as it left. */
  readonly pieces: readonly string[];
}

export interface VendorRequest {
  readonly path: string;
  /** Parameters behind the path. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Record<string, unknown>;
  /** The body as it came. */
  readonly text: string;
  /** Turns that were given before, in their order. */
  readonly answered: readonly AnsweredTurn[];
}

/** An error as the vendor writes it. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

/**
 * One vendor as its documentation describes it: it refuses what the vendor refuses, in the vendor's own words. Each
 * file names its pages, and the day on which they were read.
 */
export interface VendorFake {
  readonly name: string;
  /** Whether a request to this path is for it. */
  readonly serves: (path: string) => boolean;
  /** The rule that a request breaks; null: none. */
  readonly refuse: (request: VendorRequest) => Refusal | null;
  readonly answer: (turn: VendorTurn, request: VendorRequest, id: number) => VendorAnswer;
}

/** A word of a request, as an error names it. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function objectsIn(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
}

/**
 * What a model says that was asked for one call at most, by whichever switch its vendor has; any other turn as it is.
 */
export function limitToOneCall(turn: VendorTurn, body: Record<string, unknown>): VendorTurn {
  const isHeld =
    body['parallel_tool_calls'] === false ||
    memberOf(body, 'tool_choice', 'disable_parallel_tool_use') === true ||
    memberOf(body, 'additionalModelRequestFields', 'tool_choice', 'disable_parallel_tool_use') === true;
  return isHeld && turn.calls !== undefined ? { ...turn, calls: turn.calls.slice(0, 1) } : turn;
}

/** A member that the vendor does not know; undefined where it knows them all. */
export function unknownMember(body: Record<string, unknown>, known: readonly string[]): string | undefined {
  return Object.keys(body).find((name) => !known.includes(name));
}

/** The first turn that a request answers the calls of, and does not hold as it was given. */
export function changedTurn(
  { text, answered: input }: VendorRequest,
  answered: readonly unknown[],
): AnsweredTurn | undefined {
  return input.find(
    ({ calls, pieces }) => calls.some((id) => answered.includes(id)) && !pieces.every((piece) => text.includes(piece)),
  );
}

/** Whether a schema keeps the rules of `strict`; else the path and the rule that it breaks. */
export function brokenStrictRule(schema: unknown, path = '()'): string | null {
  if (!isObject(schema)) return `In context=${path}, a schema has to be an object.`;
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const missing = Object.keys(properties).find((name) => !required.includes(name));
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false)
    return `In context=${path}, 'additionalProperties' is required to be supplied and to be false.`;
  if (missing !== undefined)
    return `In context=${path}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  for (const keyword of ['allOf', 'oneOf', 'not', 'if', 'patternProperties', 'minLength', 'maxLength', 'uniqueItems'])
    if (keyword in schema) return `In context=${path}, '${keyword}' is not permitted.`;
  const inside = Object.entries(properties).map(([name, one]) => brokenStrictRule(one, `('properties', '${name}')`));
  const items = 'items' in schema ? brokenStrictRule(schema['items'], `('items')`) : null;
  return inside.find((rule) => rule !== null) ?? items;
}
