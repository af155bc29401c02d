import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { JsonNode } from '../../../contract/json/node.ts';
import type { CacheMark } from '../prompt.ts';

/** What a wire needs to make its library's model. */
export interface WireSettings {
  /** Of the vendor's row, or of the operator's own server. */
  readonly baseUrl: string;
  readonly model: string;
  readonly credential: string;
  readonly region: string | null;
  readonly fetch: typeof globalThis.fetch;
  /** Last change of a body before it is sent; only the OpenAI wire asks it. */
  readonly transform: (body: Record<string, unknown>) => Record<string, unknown>;
}

/** Counts as a vendor reports them; null where it reports none. */
export interface ReportedUsage {
  readonly input: JsonNode | null;
  readonly output: JsonNode | null;
  /** Output that a vendor tells beside `output` and charges as that; null where it is part of it. */
  readonly thinking: JsonNode | null;
  /** Output with which the model reasoned, as a part of `output`; null where a vendor does not tell it apart. */
  readonly reasoning: JsonNode | null;
  readonly cacheRead: JsonNode | null;
  readonly cacheCreation: JsonNode | null;
  readonly cost: JsonNode | null;
}

/** One vendor's form of requests and answers. */
export interface VendorWire {
  readonly model: (settings: WireSettings) => LanguageModelV4;
  readonly cacheMark: (model: string) => CacheMark;
  /** Text of its own options that asks for structured output as the vendor's schema, never by a stand-in. */
  readonly nativeSchema: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly usage: (body: JsonNode) => ReportedUsage;
  /** The usage that its library must find, whatever the vendor told; nobody reads the numbers. Null: it needs none. */
  readonly usageStandIn: Readonly<Record<string, Readonly<Record<string, number>>>> | null;
}

/** The node at a path of member names; null where it is missing, or null itself. */
export function nodeAt(node: JsonNode | null, ...path: readonly string[]): JsonNode | null {
  let current = node;
  for (const key of path) {
    if (current?.kind !== 'object') return null;
    current = current.members.find((member) => member.key === key)?.value ?? null;
  }
  return current?.kind === 'null' ? null : current;
}
