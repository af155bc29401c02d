import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { JsonNode } from '../../../contract/json/node.ts';
import type { VerbatimItem } from '../continuation/verbatim-item.ts';
import type { TurnNotation } from '../continuation/put-back.ts';
import type { CacheMark } from '../prompt.ts';
import type { Vendor } from '../vendors.ts';

/** What a wire needs to make its library's model. */
export interface WireSettings {
  /** Of the vendor's row, or of the operator's own server. */
  readonly baseUrl: string;
  readonly model: string;
  readonly credential: string;
  readonly region: string | null;
  readonly fetch: typeof globalThis.fetch;
  /** Last change of a body before it is sent; only wires without a library of their vendor's own ask it. */
  readonly transform: (body: Record<string, unknown>) => Record<string, unknown>;
}

/** Counts as a vendor reports them; null where it reports none. */
export interface ReportedUsage {
  readonly input: JsonNode | null;
  readonly output: JsonNode | null;
  /** Output that a vendor reports beside `output` and charges as that; null where it is part of it. */
  readonly thinking: JsonNode | null;
  /** Output with which the model reasoned, as a part of `output`; null where a vendor does not distinguish it. */
  readonly reasoning: JsonNode | null;
  readonly cacheRead: JsonNode | null;
  readonly cacheCreation: JsonNode | null;
  readonly cost: JsonNode | null;
}

/** An answer, with the bytes that each part of it has. */
export interface AnswerBody {
  readonly body: JsonNode;
  readonly textOf: (node: JsonNode) => string;
  /** Ids by which programs know its calls, in their order. */
  readonly calls: readonly string[];
}

/** What of a library's model is asked: one whole answer. */
export type VendorModel = Pick<LanguageModelV4, 'doGenerate'>;

/** One vendor's form of requests and answers. */
export interface VendorWire {
  readonly model: (settings: WireSettings) => VendorModel;
  readonly cacheMark: (model: string) => CacheMark;
  /**
   * Options of its library that ask for structured output as the vendor's schema, never by a stand-in. `isStrict`:
   * whether the schema keeps the rules by which a vendor can enforce it.
   */
  readonly nativeSchema: (isStrict: boolean) => SharedV4ProviderOptions;
  readonly usage: (body: JsonNode) => ReportedUsage;
  /**
   * The usage that its library must find, whatever the vendor reported; nobody reads the numbers. Null: it needs none.
   */
  readonly usagePlaceholder: Readonly<Record<string, Readonly<Record<string, number>>>> | null;
  /** An answer as its library can read it, which is not how every vendor writes it. */
  readonly readable: (answer: string) => string;
  /** What the model said instead of an answer, where its vendor distinguishes that. */
  readonly refusals: (body: JsonNode) => readonly string[];
  /** What has to go back with the next request; none where an answer is its text and its calls alone. */
  readonly verbatim: (answer: AnswerBody, vendor: Vendor) => readonly VerbatimItem[];
  readonly notation: TurnNotation;
  /** Last change of the text of a body that holds these items of its vendor, for what a library puts in of its own. */
  readonly finished: (body: string, items: readonly VerbatimItem[]) => string;
  /** Least output limit that the vendor takes. */
  readonly outputTokensMin: number;
}

/** What most wires have in common. */
export const PLAIN = {
  nativeSchema: () => ({}),
  usagePlaceholder: null,
  readable: (answer: string) => answer,
  refusals: () => [],
  finished: (body: string) => body,
  outputTokensMin: 1,
} as const;

/** The node at a path of member names; null where it is missing, or null itself. */
export function nodeAt(node: JsonNode | null, ...path: readonly string[]): JsonNode | null {
  let current = node;
  for (const key of path) {
    if (current?.kind !== 'object') return null;
    current = current.members.find((member) => member.key === key)?.value ?? null;
  }
  return current?.kind === 'null' ? null : current;
}

/** The items of a list; none of anything else. */
export function itemsIn(node: JsonNode | null): readonly JsonNode[] {
  return node?.kind === 'array' ? node.items : [];
}

/** A text; null for anything else. */
export function textIn(node: JsonNode | null): string | null {
  return node?.kind === 'string' ? node.value : null;
}

/** An item of a list as it came. */
export function listItem({ textOf }: AnswerBody, node: JsonNode, call: string | null): VerbatimItem {
  return { json: textOf(node), call, member: null };
}
