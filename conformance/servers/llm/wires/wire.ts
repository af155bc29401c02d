import type { Answer, WireName } from '../script.ts';

/** What a request asks, whichever vendor's form it has. */
export interface ModelRequest {
  readonly model: string | null;
  /** The texts of its messages, the system's first. */
  readonly texts: readonly string[];
  readonly hasTools: boolean;
  readonly hasSchema: boolean;
}

/** One vendor's form of requests and answers. */
export interface Wire {
  readonly name: WireName;
  /** Whether a request to this path is of this form. */
  readonly serves: (path: string) => boolean;
  /** Header that carries the credential. */
  readonly credentialHeader: string;
  readonly readRequest: (path: string, body: unknown) => ModelRequest;
  readonly answer: (answer: Answer, modelRequest: ModelRequest, id: number) => unknown;
  readonly failure: (status: number, message: string) => unknown;
}

/** Every text in a message of any form, in its order. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, readMember]) => (TEXT_MEMBERS.has(key) ? textsIn(readMember) : []));
}

const TEXT_MEMBERS: ReadonlySet<string> = new Set([
  'text',
  'content',
  'parts',
  'toolResult',
  'functionResponse',
  'response',
  'output',
  'result',
]);

/** A member of an object, or undefined. */
export function memberAt(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function argumentsText(args: Readonly<Record<string, unknown>> | string): string {
  return typeof args === 'string' ? args : JSON.stringify(args);
}
