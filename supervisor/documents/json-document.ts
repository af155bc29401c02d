import type { DocumentUnit, JsonFaultReason as JsonRule } from '../../contract/diagnostics/messages/documents.ts';
import { valueOf, type JsonNode } from '../../contract/json/node.ts';
import { documentLimits, parseJson, type JsonFault } from '../../contract/json/parse.ts';
import { buildPointer, parsePointer } from '../../contract/json/pointer.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import { FIXED_LIMITS } from '../../contract/limits/catalogue.ts';
import { safePath } from './fields/safe-pointer.ts';
import type { Shape } from './fields/shape.ts';

/** A strictly parsed document; the tree keeps byte positions. */
export interface JsonDocument {
  readonly bytes: Uint8Array;
  readonly root: JsonNode;
  readonly value: JsonValue;
}

/** Why bytes are no admissible document, distinguished as the diagnostics distinguish them (documents.md §1, §13). */
export type DocumentFault = (
  | { readonly kind: 'json'; readonly rule: JsonRule }
  | { readonly kind: 'limit'; readonly limit: number; readonly unit: DocumentUnit }
  | { readonly kind: 'duplicate'; readonly pointer: string }
) & {
  /** The byte at which it was found. */
  readonly offset: number;
};

export type DocumentParse =
  | { readonly ok: true; readonly document: JsonDocument }
  | { readonly ok: false; readonly fault: DocumentFault };

/** Parses one document of at most `maximum` bytes. */
export function parseDocument(bytes: Uint8Array, maximum: number): DocumentParse {
  const parsed = parseJson(bytes, documentLimits(maximum));
  if (!parsed.ok) return { ok: false, fault: faultOf(parsed.fault, maximum) };
  return { ok: true, document: { bytes, root: parsed.root, value: valueOf(parsed.root) } };
}

function faultOf(fault: JsonFault, maximum: number): DocumentFault {
  const limits = documentLimits(maximum);
  const { offset } = fault;
  switch (fault.kind) {
    case 'syntax':
    case 'encoding':
      return { kind: 'json', rule: fault.kind, offset };
    case 'too_large':
      return { kind: 'limit', limit: limits.bytes, unit: 'bytes', offset };
    case 'too_deep':
      return { kind: 'limit', limit: limits.depth, unit: 'levels', offset };
    case 'too_many_nodes':
      return { kind: 'limit', limit: limits.nodes, unit: 'nodes', offset };
    case 'too_many_digits':
      return { kind: 'limit', limit: FIXED_LIMITS.integer_digits, unit: 'digits of one integer', offset };
    case 'duplicate_key':
      return { kind: 'duplicate', pointer: fault.pointer, offset };
  }
}

/** The publishable part of a pointer into a document of that table. */
export function safePointer(shape: Shape, pointer: string): string {
  return buildPointer(safePath(shape, parsePointer(pointer) ?? []));
}
