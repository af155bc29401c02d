import type { JsonValue } from '../../../contract/json/value.ts';
import { ruleDiagnostic } from '../diagnostics.ts';
import { check } from '../fields/check.ts';
import { endpointFaults, revisionFaults } from '../host/addresses.ts';
import { HOST, HOST_WITHOUT_LIMIT_VALUES, type HostDocument } from '../host/fields.ts';
import { installedLimitFaults, prerequisiteFaults, requestTimeoutFaults } from '../host/limits.ts';
import { hostDocumentDiagnostic } from '../host/load.ts';
import { credentialFaults, installationFaults } from '../host/semantics.ts';
import type { LocatedFault } from '../located-fault.ts';
import { MAX_BYTES } from '../sizes.ts';
import { examineJson, type ReadText, type ExaminedText } from './surveyed.ts';
import { tableFaults } from './table-faults.ts';

/** Everything that is wrong with a host document by itself (documents.md §12.4). */
export function surveyHost(read: ReadText): ExaminedText {
  return examineJson(read, MAX_BYTES.host, hostDocumentDiagnostic, ({ value }) => [...hostFaults(value)]);
}

function* hostFaults(value: JsonValue): Iterable<LocatedFault> {
  const table = tableFaults(HOST_WITHOUT_LIMIT_VALUES, value, (violation) =>
    ruleDiagnostic('host_schema_invalid', 'host', violation),
  );
  yield* revisionFaults(value);
  yield* endpointFaults(value);
  yield* table;
  yield* installedLimitFaults(value);
  const document = hostDocumentOf(value);
  if (document === null) return;
  yield* prerequisiteFaults(document);
  yield* credentialFaults(document);
  yield* installationFaults(document);
  yield* requestTimeoutFaults(document, value);
}

/** What an application can be held against, even if rules behind the schema are broken; null for anything less. */
export function hostDocumentOf(value: JsonValue): HostDocument | null {
  const whole = check(HOST, value);
  return whole.status === 'valid' ? whole.value : null;
}
