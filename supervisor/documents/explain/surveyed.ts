import type { JsonNode } from '../../../contract/json/node.ts';
import { parseJson, documentLimits } from '../../../contract/json/parse.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { RULE_PROBLEMS } from '../../../contract/diagnostics/remedies/rules.ts';
import { parseDocument, type DocumentFault, type JsonDocument } from '../json-document.ts';
import type { LocatedFault } from '../located-fault.ts';
import { syntaxProblem } from './syntax-problem.ts';

/** A text that was read, and all that is wrong with it by itself. */
export interface ExaminedText {
  /** The published name of the source. */
  readonly file: string;
  /** From the working directory; null for a file that does not lie below it. */
  readonly opens: string | null;
  readonly bytes: Uint8Array;
  /** Null: the text is no JSON, or none that is admitted. */
  readonly root: JsonNode | null;
  /** The one that a command tells first. */
  readonly faults: readonly LocatedFault[];
}

export interface ReadText {
  readonly file: string;
  readonly opens: string | null;
  readonly bytes: Uint8Array;
}

/**
 * A text of JSON, with the faults of what stands in it; one that is not admitted has the one fault that keeps it from
 * that.
 */
export function examineJson(
  read: ReadText,
  maximum: number,
  diagnosticOf: (fault: DocumentFault) => Diagnostic,
  faultsOf: (document: JsonDocument) => readonly LocatedFault[],
): ExaminedText {
  const parsed = parseDocument(read.bytes, maximum);
  if (parsed.ok) return { ...read, root: parsed.document.root, faults: faultsOf(parsed.document) };
  return {
    ...read,
    root: null,
    faults: [{ diagnostic: diagnosticOf(parsed.fault), at: [], ...brokenPlace(read.bytes, maximum) }],
  };
}

/** Where the bytes stop to be a document, with what is wrong there as far as that is known. */
function brokenPlace(
  bytes: Uint8Array,
  maximum: number,
): Pick<LocatedFault, 'offset' | 'keyEnd' | 'problem' | 'remedy'> {
  const parsed = parseJson(bytes, documentLimits(maximum));
  if (parsed.ok) return {};
  const { kind, offset } = parsed.fault;
  if (kind === 'duplicate_key')
    return {
      offset,
      keyEnd: keyEndOf(bytes, offset),
      problem: RULE_PROBLEMS.duplicate_property,
      remedy: 'keep one of the two',
    };
  if (kind !== 'syntax') return { offset };
  const { problem, offset: at } = syntaxProblem(bytes, offset);
  return { offset: at, ...(problem === null ? {} : { problem }) };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Behind the closing quotation mark of a key. */
function keyEndOf(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}
