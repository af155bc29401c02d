import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { RULE_PROBLEMS } from '../../contract/diagnostics/remedies/rules.ts';
import type { JsonNode } from '../../contract/json/node.ts';
import { failure, type Failed, type TargetDocument, type Success } from '../../contract/outcome.ts';
import { parseDocument, type DocumentFault, type JsonDocument } from './json-document.ts';
import type { LocatedFault } from './located-fault.ts';
import type { SafeFile } from './safe-file.ts';
import { syntaxProblem } from './syntax-problem.ts';

/** A text that was read, and all that is wrong with it by itself. */
export interface ExaminedText {
  /** The published name of the source. */
  readonly file: string;
  /** Absolute, free of links; null for a text that is no file. */
  readonly path: string | null;
  readonly bytes: Uint8Array;
  /** Null: the text is no JSON, or none that is admitted. */
  readonly root: JsonNode | null;
  /** In the order in which a command refuses. */
  readonly faults: readonly LocatedFault[];
}

/** Documents that are refused, with all texts of them that were read. */
export interface RefusedDocuments extends Failed {
  readonly texts: readonly ExaminedText[];
}

/** What loading documents comes to. */
export type Loaded<T> = Success<T> | RefusedDocuments;

/** Nothing was read that would say more than the diagnostic. */
export function refuseUnread(diagnostic: Diagnostic, targetDocument: TargetDocument | null = null): RefusedDocuments {
  return { ...failure(diagnostic, { target: targetDocument }), texts: [] };
}

/** `diagnostic`: where none of the faults comes first. */
export function refuseText(text: ExaminedText, diagnostic?: Diagnostic): RefusedDocuments {
  const first = diagnostic ?? text.faults[0]?.diagnostic;
  if (first === undefined) throw new Error('a text that is refused has a fault');
  return { ...failure(first), texts: [text] };
}

/** Bytes under the name that is published of them. */
export type NamedText = Pick<ExaminedText, 'file' | 'path' | 'bytes'>;

export function namedText(file: string, { path, bytes }: Pick<SafeFile, 'path' | 'bytes'>): NamedText {
  return { file, path, bytes };
}

/** A text of JSON: its content is not looked at yet. One that is not admitted has the one fault that keeps it out. */
export type ExaminedJson =
  | { readonly ok: true; readonly document: JsonDocument; readonly text: ExaminedText }
  | { readonly ok: false; readonly text: ExaminedText; readonly fault: DocumentFault };

export function examineJson(
  named: NamedText,
  maximum: number,
  diagnosticOf: (fault: DocumentFault) => Diagnostic,
): ExaminedJson {
  const parsed = parseDocument(named.bytes, maximum);
  if (parsed.ok)
    return { ok: true, document: parsed.document, text: { ...named, root: parsed.document.root, faults: [] } };
  const { fault } = parsed;
  const located = { diagnostic: diagnosticOf(fault), at: [], ...brokenPlace(named.bytes, fault) };
  return { ok: false, fault, text: { ...named, root: null, faults: [located] } };
}

/** Where the bytes stop to be a document, with what is wrong there as far as that is known. */
function brokenPlace(
  bytes: Uint8Array,
  fault: DocumentFault,
): Pick<LocatedFault, 'offset' | 'keyEnd' | 'problem' | 'remedy'> {
  const { offset } = fault;
  if (fault.kind === 'duplicate')
    return {
      offset,
      keyEnd: keyEndOf(bytes, offset),
      problem: RULE_PROBLEMS.duplicate_property,
      remedy: 'keep one of the two',
    };
  if (fault.kind !== 'json' || fault.rule !== 'syntax') return { offset };
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
