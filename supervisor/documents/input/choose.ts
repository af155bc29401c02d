import { diagnostic, fixedSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import { applicationDocumentDiagnostic } from '../diagnostics.ts';
import { freeObject } from '../fields/shape.ts';
import { parseDocument } from '../json-document.ts';
import type { Manifest } from '../manifest/fields.ts';
import { MAX_BYTES } from '../sizes.ts';
import { readAlternate, type AlternateInput, type AlternatePlace } from './alternate.ts';

export interface ApplicationInput {
  readonly value: JsonObject;
  /** Canonical JSON of `value`: what the program is given. */
  readonly text: string;
  readonly dataClass: 'normal' | 'private';
  readonly origin: 'declared' | 'external';
  /** What the closure counts: the bytes of the file, or the canonical bytes of an inline value. */
  readonly bytes: number;
}

/** An input that comes with each run (gateway.md §16): until then nothing is opened for it. */
export interface LaterInput {
  readonly later: true;
  readonly dataClass: 'normal' | 'private';
}

export interface InputRequest extends AlternatePlace {
  readonly declared: Manifest['input'];
  readonly alternate: AlternateInput | LaterInput | null;
}

/** Reads the one input of the command; a declared input that is replaced is not opened. */
export async function chooseInput(request: InputRequest): Promise<Outcome<ApplicationInput>> {
  const { reader, directory, declared, alternate } = request;
  if (alternate !== null && 'later' in alternate)
    return success({ value: new Map(), text: '{}', dataClass: alternate.dataClass, origin: 'external', bytes: 0 });
  if (alternate !== null) {
    const read = await readAlternate(request, alternate);
    if (read.ok) return admitInput(read.bytes, 'external', alternate.dataClass);
    return failure(read.fault === 'interrupted' ? interruption() : notRead('external'));
  }
  if ('value' in declared) return inline(declared.value);
  const read = await reader.readReference(directory, declared.path, MAX_BYTES.input);
  return read.ok ? admitInput(read.file.bytes, 'declared', 'normal') : failure(notRead('declared'));
}

function inline(value: JsonValue): Outcome<ApplicationInput> {
  if (!isJsonObject(value)) return failure(notAnObject('declared', '/input/value'));
  const text = canonicalJson(value);
  return success({ value, text, dataClass: 'normal', origin: 'declared', bytes: Buffer.byteLength(text) });
}

/** An input document by its bytes; the first fault of it. */
export function admitInput(
  bytes: Uint8Array,
  origin: ApplicationInput['origin'],
  dataClass: ApplicationInput['dataClass'],
): Outcome<ApplicationInput> {
  const role = origin === 'declared' ? 'application' : 'input';
  const parsed = parseDocument(bytes, MAX_BYTES.input);
  if (!parsed.ok) return failure(applicationDocumentDiagnostic(role, freeObject, parsed.fault));
  const { value } = parsed.document;
  if (!isJsonObject(value)) return failure(notAnObject(origin, ''));
  return success({ value, text: canonicalJson(value), dataClass, origin, bytes: bytes.length });
}

function notRead(origin: ApplicationInput['origin']): Diagnostic {
  return diagnostic('reference_missing', { source: inputSource(origin) });
}

function notAnObject(origin: ApplicationInput['origin'], path: string): Diagnostic {
  return diagnostic('input_invalid', { source: inputSource(origin), path });
}

/** The published source of faults of the input: the declared one belongs to the manifest. */
export function inputSource(origin: ApplicationInput['origin']) {
  return fixedSource(origin === 'declared' ? 'application' : 'external_input');
}
