import { fixedSource, type Diagnostic, type Subject } from '../../../contract/diagnostics/diagnostic.ts';
import {
  explainedFault,
  FAULTS_MAX,
  type ExplainedFault,
  type ExplainedPlace,
  type FailureExplanation,
} from '../../../contract/diagnostics/explanation.ts';
import { remedyFor } from '../../../contract/diagnostics/remedies/failures.ts';
import { linePosition } from '../../../contract/json/line-position.ts';
import { memberOf, type JsonNode } from '../../../contract/json/node.ts';
import { parsePointer } from '../../../contract/json/pointer.ts';
import type { ExaminedText } from '../examined-text.ts';
import type { LocatedFault } from '../located-fault.ts';
import { extentOf } from './position.ts';

/** A text that a person can be shown places of. */
export interface PlacedText extends Omit<ExaminedText, 'path'> {
  /** As a person may open it, from the working directory, or absolute; null for a text that is no file. */
  readonly opens: string | null;
}

/** Names texts to a person in `workingDirectory`, which is absolute. */
export function placedTexts(texts: readonly ExaminedText[], workingDirectory: string): readonly PlacedText[] {
  const prefix = `${workingDirectory === '/' ? '' : workingDirectory}/`;
  return texts.map(({ path, ...text }) => ({
    ...text,
    opens: path?.startsWith(prefix) === true ? path.slice(prefix.length) : path,
  }));
}

interface Found {
  /** Position of its document among those that were surveyed. */
  readonly document: number;
  readonly text: PlacedText;
  readonly fault: LocatedFault;
}

/** Faults that are in programs; the first may be the one that the diagnostic reports. */
export interface ProgramFaults {
  readonly explanation: FailureExplanation;
  readonly isReported: boolean;
}

/**
 * What people read about a refusal: the fault that its diagnostic reports, with its place, then independent faults of
 * all documents in the order of their places, and those of programs. Null where nothing says more than the diagnostic.
 */
export function assembled(
  reported: Diagnostic,
  documents: readonly PlacedText[],
  programs: ProgramFaults | null = null,
): FailureExplanation | null {
  const found = documents.flatMap((text, document) => text.faults.map((fault) => ({ document, text, fault })));
  const identity = JSON.stringify(reported);
  const first = found.find(({ fault }) => JSON.stringify(fault.diagnostic) === identity) ?? null;
  const compiled = programs?.explanation.faults ?? [];
  const programFault = programs?.isReported === true ? (compiled[0] ?? null) : null;
  const ofPrograms = programFault === null ? compiled : compiled.slice(1);
  const firstFault = programFault ?? (first === null ? unlisted(reported, documents) : explained(first, 'first'));
  const others = independent(found, first)
    .map((one) => ({ one, fault: explained(one, 'other') }))
    .toSorted((left, right) => inOrder(left, right));
  const further = [...others.map(({ fault }) => fault), ...ofPrograms];
  if (firstFault === null && further.length === 0) return null;
  const faults = [firstFault ?? explainedFault({ remedy: remedyFor(reported) }), ...further];
  return {
    faults: faults.slice(0, FAULTS_MAX),
    omitted: Math.max(0, faults.length - FAULTS_MAX) + (programs?.explanation.omitted ?? 0),
  };
}

/** Of the first the failure line has the pointer, and what is wrong. */
function explained({ text, fault }: Found, rank: 'first' | 'other'): ExplainedFault {
  const { diagnostic, problem } = fault;
  return explainedFault({
    place: { ...placeOf(text, fault), within: rank === 'first' || diagnostic.path === '' ? null : diagnostic.path },
    problem: problem ?? (rank === 'first' ? null : diagnostic.message),
    remedy: fault.remedy ?? remedyFor(diagnostic),
  });
}

/** A fault that no survey lists: up to the first key that its pointer hides. */
function unlisted(reported: Diagnostic, documents: readonly PlacedText[]): ExplainedFault | null {
  const file = reported.source?.name ?? (reported.subject === null ? null : fixedSource('application').name);
  const text = documents.find((one) => one.file === file);
  if (text === undefined) return null;
  if (reported.span !== null) {
    const { start_byte: offset, end_byte: end } = reported.span;
    return explainedFault({ place: sourcePlace(text, offset, end), remedy: remedyFor(reported) });
  }
  const at = reported.subject === null ? knownPart(reported.path) : selectionPlace(text.root, reported.subject);
  if (at.length === 0 || text.root === null) return null;
  return explainedFault({ place: placeOf(text, { diagnostic: reported, at }), remedy: remedyFor(reported) });
}

function knownPart(path: string | null): readonly string[] {
  const tokens = parsePointer(path ?? '') ?? [];
  const hidden = tokens.indexOf('*');
  return hidden === -1 ? tokens : tokens.slice(0, hidden);
}

/** Where a manifest selects a provider; nothing for one that it does not select. */
function selectionPlace(root: JsonNode | null, { name, occurrence }: Subject): readonly string[] {
  if (occurrence !== null) return ['providers', occurrence.destination, String(occurrence.index), 'name'];
  const providers = root?.kind === 'object' ? memberOf(root, 'providers')?.value : undefined;
  for (const destination of ['workflow', 'mission']) {
    const listed = providers?.kind === 'object' ? memberOf(providers, destination)?.value : undefined;
    const index = listed?.kind === 'array' ? listed.items.findIndex((item) => isNamed(item, name)) : -1;
    if (index !== -1) return ['providers', destination, String(index), 'name'];
  }
  return [];
}

function isNamed(item: JsonNode, name: string): boolean {
  const input = item.kind === 'object' ? memberOf(item, 'name')?.value : undefined;
  return input?.kind === 'string' && input.value === name;
}

/** Faults that do not lie around or inside one that is reported: such a one may only follow from it. */
function independent(found: readonly Found[], first: Found | null): readonly Found[] {
  const chosen: Found[] = first === null ? [] : [first];
  for (const one of found) {
    if (
      one !== first &&
      chosen.every((other) => other.document !== one.document || areIndependent(other.fault, one.fault))
    )
      chosen.push(one);
  }
  return first === null ? chosen : chosen.slice(1);
}

function areIndependent({ at: left }: LocatedFault, { at: right }: LocatedFault): boolean {
  return left.slice(0, right.length).some((token, index) => token !== right[index]);
}

interface Ordered {
  readonly one: Found;
  readonly fault: ExplainedFault;
}

function inOrder(left: Ordered, right: Ordered): number {
  if (left.one.document !== right.one.document) return left.one.document - right.one.document;
  const [one, other] = [left.fault.place, right.fault.place];
  return one === null || other === null ? 0 : one.line - other.line || one.column - other.column;
}

const decoder = new TextDecoder();

/** Of a document a key alone is shown: what is behind it may be a secret. */
function placeOf({ file, opens, bytes, root }: PlacedText, { at, offset, keyEnd }: LocatedFault): ExplainedPlace {
  const written = offset === undefined || keyEnd === undefined ? null : { start: offset, end: keyEnd, isKey: true };
  const extent = root === null || offset !== undefined ? written : extentOf(root, at);
  const { line, column } = linePosition(bytes, extent?.start ?? offset ?? 0);
  const key = extent?.isKey === true ? decoder.decode(bytes.subarray(extent.start, extent.end)) : null;
  return {
    file,
    line,
    column,
    within: null,
    ...(opens === null ? {} : { opens }),
    excerpt: key === null ? null : { text: key, length: Array.from(key).length, skipped: column - 1 },
  };
}

/** Of a program its line is shown. */
function sourcePlace({ file, opens, bytes }: PlacedText, offset: number, end: number): ExplainedPlace {
  const { line, column, lineStart, lineEnd } = linePosition(bytes, offset);
  const target = decoder.decode(bytes.subarray(offset, Math.max(offset, Math.min(end, lineEnd))));
  return {
    file,
    line,
    column,
    within: null,
    ...(opens === null ? {} : { opens }),
    excerpt: { text: decoder.decode(bytes.subarray(lineStart, lineEnd)), length: Array.from(target).length },
  };
}
