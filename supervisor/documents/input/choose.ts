import type { Success } from '../../../contract/outcome.ts';
import { diagnostic, fixedSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import { contractValueMessage } from '../../../contract/diagnostics/messages/documents.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { Contract } from '../contracts/load.ts';
import { valueFaults } from '../contracts/value-faults.ts';
import { applicationDocumentDiagnostic } from '../diagnostics.ts';
import {
  examineJson,
  namedText,
  refuseText,
  refuseUnread,
  type ExaminedText,
  type NamedText,
  type RefusedDocuments,
} from '../examined-text.ts';
import { freeObject } from '../fields/shape.ts';
import type { LocatedFault } from '../located-fault.ts';
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
  /** Null without one, or where that one is broken. */
  readonly contract: Contract | null;
}

/** An input that cannot be taken. */
export interface RefusedInput extends RefusedDocuments {
  /** What of it is in the manifest. */
  readonly inManifest: readonly LocatedFault[];
}

export type InputOutcome = Success<ApplicationInput> | RefusedInput;

/**
 * Reads the one input of the command and holds it against its contract, before any credential, process or network
 * (documents.md §4); a declared input that is replaced is not opened.
 */
export async function chooseInput(request: InputRequest): Promise<InputOutcome> {
  const { reader, directory, declared, alternate, contract } = request;
  if (alternate !== null && 'later' in alternate) {
    const { dataClass } = alternate;
    return { ok: true, value: { value: new Map(), text: '{}', dataClass, origin: 'external', bytes: 0 } };
  }
  if (alternate !== null) {
    const read = await readAlternate(request, alternate);
    const isStream = 'stream' in alternate;
    if (!read.ok)
      return refuseInput(
        read.fault === 'interrupted'
          ? refuseUnread(interruption())
          : refuseUnread(notRead('external'), isStream ? 'streamed_input' : 'named_input'),
      );
    const { bytes, path } = read;
    return admitInput({ file: isStream ? alternate.stream.name : FILE, path, bytes }, 'external', {
      dataClass: alternate.dataClass,
      contract,
    });
  }
  if ('value' in declared) return inline(declared.value, contract);
  const read = await reader.readReference(directory, declared.path, MAX_BYTES.input);
  if (read.ok) return admitInput(namedText(FILE, read.file), 'declared', { dataClass: 'normal', contract });
  const missing = notRead('declared');
  return refuseInput(refuseUnread(missing), [
    {
      diagnostic: missing,
      at: ['input', 'path'],
      remedy:
        'it is the input that the application declares; correct input.path, which is relative to the manifest, or give --input',
    },
  ]);
}

/** The published name of an input that is a file. */
const FILE = fixedSource('external_input').name;

function inline(value: JsonValue, contract: Contract | null): InputOutcome {
  if (!isJsonObject(value)) return refuseInput(refuseUnread(notAnObject('declared', '/input/value')));
  const [first, ...others] = contractFaults(contract, value, 'declared', ['input', 'value']);
  if (first !== undefined) return refuseInput(refuseUnread(first.diagnostic), [first, ...others]);
  const text = canonicalJson(value);
  return { ok: true, value: { value, text, dataClass: 'normal', origin: 'declared', bytes: Buffer.byteLength(text) } };
}

export interface AdmissionFacts {
  readonly dataClass: ApplicationInput['dataClass'];
  readonly contract: Contract | null;
}

/** An input document by its bytes, or all its faults; of a private one no more than the first is known. */
export function admitInput(
  named: NamedText,
  origin: ApplicationInput['origin'],
  { dataClass, contract }: AdmissionFacts,
): InputOutcome {
  const role = origin === 'declared' ? 'application' : 'input';
  const refuse = (text: ExaminedText): InputOutcome => {
    const refused = refuseText(text);
    return refuseInput(dataClass === 'private' ? refuseUnread(refused.diagnostic) : refused);
  };
  const examined = examineJson(named, MAX_BYTES.input, (fault) =>
    applicationDocumentDiagnostic(role, freeObject, fault),
  );
  if (!examined.ok) return refuse(examined.text);
  const { value } = examined.document;
  if (!isJsonObject(value))
    return refuse({ ...examined.text, faults: [{ diagnostic: notAnObject(origin, ''), at: [] }] });
  const faults = contractFaults(contract, value, origin, []);
  if (faults.length > 0) return refuse({ ...examined.text, faults });
  return { ok: true, value: { value, text: canonicalJson(value), dataClass, origin, bytes: named.bytes.length } };
}

function refuseInput(refused: RefusedDocuments, inManifest: readonly LocatedFault[] = []): RefusedInput {
  return { ...refused, inManifest };
}

function contractFaults(
  contract: Contract | null,
  value: JsonValue,
  origin: ApplicationInput['origin'],
  above: readonly string[],
): readonly LocatedFault[] {
  if (contract === null) return [];
  return valueFaults(contract.root, value, above, ({ rule, facts, path }) =>
    diagnostic('input_contract_failed', {
      source: inputSource(origin),
      path,
      message: contractValueMessage('input', rule, facts),
    }),
  );
}

function notRead(origin: ApplicationInput['origin']): Diagnostic {
  return diagnostic('reference_missing', { source: inputSource(origin) });
}

function notAnObject(origin: ApplicationInput['origin'], path: string): Diagnostic {
  return diagnostic('input_invalid', { source: inputSource(origin), path });
}

/** The published source of faults of the input: the declared one belongs to the manifest. */
function inputSource(origin: ApplicationInput['origin']) {
  return fixedSource(origin === 'declared' ? 'application' : 'external_input');
}
