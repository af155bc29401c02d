import { diagnostic, fixedSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import {
  documentLimitMessage,
  jsonFaultMessage,
  schemaRuleMessage,
} from '../../../contract/diagnostics/messages/documents.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import { documentBudget, monotonic, type Now } from '../budget.ts';
import { ruleDiagnostic } from '../diagnostics.ts';
import type { DocumentReader } from '../document-reader.ts';
import { check } from '../fields/check.ts';
import { parseDocument, safePointer, type DocumentFault } from '../json-document.ts';
import { firstOf } from '../located-fault.ts';
import { MAX_BYTES } from '../sizes.ts';
import { readDocument, type DocumentName } from '../target.ts';
import { endpointFaults, revisionFaults } from './addresses.ts';
import { HOST, HOST_WITHOUT_LIMIT_VALUES, type HostDocument } from './fields.ts';
import { installedLimitFaults, lowerRequestTimeouts, prerequisiteFaults } from './limits.ts';
import { nameResources } from './named-resources.ts';
import { credentialFaults, installationFaults } from './semantics.ts';

/** An operator's host file: nothing in it was resolved, started or contacted. */
export interface LoadedHost {
  /** Canonical directory of the host file: what its relative paths start from. */
  readonly directory: string;
  /** Defaults filled in; installations and credentials in byte order of their names. */
  readonly document: HostDocument;
}

/** Loads the whole host document; the first fault in the order of documents.md §12.4 is told. */
export async function loadHost(
  reader: DocumentReader,
  name: DocumentName,
  now: Now = monotonic,
): Promise<Outcome<LoadedHost>> {
  const read = await readDocument(reader, name, MAX_BYTES.host);
  if (!read.ok) return failure(diagnostic('host_unavailable'));
  const { bytes, directory } = read.file;
  const parsed = parseDocument(bytes, MAX_BYTES.host);
  if (!parsed.ok) return failure(hostDocumentDiagnostic(parsed.fault));
  const { value } = parsed.document;
  const declared =
    firstOf(revisionFaults(value)) ??
    firstOf(endpointFaults(value)) ??
    checkSchema(value, now) ??
    firstOf(installedLimitFaults(value));
  if (declared !== null) return failure(declared);
  const whole = check(HOST, value);
  if (whole.status !== 'valid') throw new Error('a host document whose schema and limits are right is right');
  const refused =
    firstOf(prerequisiteFaults(whole.value)) ??
    firstOf(credentialFaults(whole.value)) ??
    firstOf(installationFaults(whole.value));
  if (refused !== null) return failure(refused);
  const lowered = lowerRequestTimeouts(whole.value, value);
  return lowered.ok ? success({ directory, document: nameResources(lowered.value) }) : lowered;
}

function checkSchema(value: JsonValue, now: Now): Diagnostic | null {
  const checked = check(HOST_WITHOUT_LIMIT_VALUES, value, documentBudget(now));
  switch (checked.status) {
    case 'exhausted':
      return diagnostic('schema_validation_unavailable', { phase: 'host', source: fixedSource('host') });
    case 'invalid':
      return ruleDiagnostic('host_schema_invalid', 'host', checked.violation);
    case 'valid':
      return null;
  }
}

/** The host's own bytes are at fault. */
export function hostDocumentDiagnostic(fault: DocumentFault): Diagnostic {
  switch (fault.kind) {
    case 'json':
      return diagnostic('host_invalid', { message: jsonFaultMessage('host', fault.rule) });
    case 'limit':
      return diagnostic('host_invalid', { message: documentLimitMessage('host', fault.limit, fault.unit) });
    case 'duplicate':
      return diagnostic('host_schema_invalid', {
        message: schemaRuleMessage('host', 'duplicate_property'),
        path: safePointer(HOST, fault.pointer),
      });
  }
}
