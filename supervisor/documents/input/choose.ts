import { diagnostic, fixedSource } from '../../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { failure, success } from '../../../contract/outcome.ts';
import type { Outcome } from '../../../contract/outcome.ts';
import { applicationDocumentDiagnostic } from '../diagnostics.ts';
import type { DocumentReader } from '../document-reader.ts';
import { LOGICAL, matches } from '../fields/patterns.ts';
import { freeObject } from '../fields/shape.ts';
import { parseDocument } from '../json-document.ts';
import type { Manifest } from '../manifest/fields.ts';
import type { ReadOutcome } from '../safe-file.ts';
import { MAX_BYTES } from '../sizes.ts';

/** An input that the command names instead of the declared one (documents.md §3, "Input choice"). */
export interface AlternateInput {
  readonly path: string;
  readonly dataClass: 'normal' | 'private';
}

export interface ApplicationInput {
  readonly value: JsonObject;
  /** Canonical JSON of `value`: what the program is given. */
  readonly text: string;
  readonly dataClass: 'normal' | 'private';
  readonly origin: 'declared' | 'external';
  /** What the closure counts: the bytes of the file, or the canonical bytes of an inline value. */
  readonly bytes: number;
}

export interface InputRequest {
  readonly reader: DocumentReader;
  readonly workingDirectory: string;
  /** Canonical directory of the manifest. */
  readonly directory: string;
  readonly declared: Manifest['input'];
  readonly alternate: AlternateInput | null;
}

/** Reads the one input of the command; a declared input that is replaced is not opened. */
export async function chooseInput(request: InputRequest): Promise<Outcome<ApplicationInput>> {
  const { reader, directory, declared, alternate } = request;
  if (alternate !== null) {
    return admit(await readAlternate(request, alternate.path), 'external', alternate.dataClass);
  }
  if ('value' in declared) return inline(declared.value);
  return admit(await reader.readReference(directory, declared.path, MAX_BYTES.input), 'declared', 'normal');
}

/** A name below the manifest's directory first, then a path (documents.md §3, "Input choice"). */
export async function readAlternate(place: Pick<InputRequest, 'reader' | 'directory' | 'workingDirectory'>, path: string): Promise<ReadOutcome> {
  const { reader, directory, workingDirectory } = place;
  if (matches(LOGICAL, path)) {
    const read = await reader.readReference(directory, path, MAX_BYTES.input);
    if (read.ok || read.fault !== 'missing') return read;
  }
  const absolute = path.startsWith('/') ? path : `${workingDirectory}/${path}`;
  if (absolute.startsWith(`${directory}/`)) {
    return reader.readReference(directory, absolute.slice(directory.length + 1), MAX_BYTES.input);
  }
  return reader.readNamed(absolute, MAX_BYTES.input);
}

function inline(value: JsonValue): Outcome<ApplicationInput> {
  if (!isJsonObject(value)) return failure(notAnObject('declared', '/input/value'));
  const text = canonicalJson(value);
  return success({ value, text, dataClass: 'normal', origin: 'declared', bytes: Buffer.byteLength(text) });
}

function admit(
  read: ReadOutcome,
  origin: ApplicationInput['origin'],
  dataClass: ApplicationInput['dataClass'],
): Outcome<ApplicationInput> {
  const role = origin === 'declared' ? 'application' : 'input';
  if (!read.ok) return failure(diagnostic('reference_missing', { source: sourceOf(origin) }));
  const { bytes } = read.file;
  const parsed = parseDocument(bytes, MAX_BYTES.input);
  if (!parsed.ok) return failure(applicationDocumentDiagnostic(role, freeObject, parsed.fault));
  const { value } = parsed.document;
  if (!isJsonObject(value)) return failure(notAnObject(origin, ''));
  return success({ value, text: canonicalJson(value), dataClass, origin, bytes: bytes.length });
}

function notAnObject(origin: ApplicationInput['origin'], path: string): Diagnostic {
  return diagnostic('input_invalid', { source: sourceOf(origin), path });
}

/** The published source of faults of the input: the declared one belongs to the manifest. */
export function sourceOf(origin: ApplicationInput['origin']) {
  return fixedSource(origin === 'declared' ? 'application' : 'external_input');
}
