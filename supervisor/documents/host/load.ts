import type { Success } from '../../../contract/outcome.ts';
import { diagnostic, fixedSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import {
  documentLimitMessage,
  jsonFaultMessage,
  schemaRuleMessage,
} from '../../../contract/diagnostics/messages/documents.ts';
import { documentBudget, monotonic, type Now } from '../budget.ts';
import { ruleDiagnostic } from '../diagnostics.ts';
import type { DocumentReader } from '../document-reader.ts';
import { examineJson, namedText, refuseText, refuseUnread, type RefusedDocuments } from '../examined-text.ts';
import { check } from '../fields/check.ts';
import { tableFaults } from '../fields/table-faults.ts';
import { safePointer, type DocumentFault } from '../json-document.ts';
import type { LocatedFault } from '../located-fault.ts';
import { MAX_BYTES } from '../sizes.ts';
import { readDocument, type DocumentName } from '../target.ts';
import { endpointFaults, revisionFaults } from './addresses.ts';
import { HOST, HOST_WITHOUT_LIMIT_VALUES, type HostDocument } from './fields.ts';
import { installedLimitFaults, lowerRequestTimeouts, prerequisiteFaults, requestTimeoutFaults } from './limits.ts';
import { nameResources } from './named-resources.ts';
import { credentialFaults, installationFaults, networkFaults } from './semantics.ts';

/** An operator's host file: nothing in it was resolved, started or contacted. */
export interface LoadedHost {
  /** Canonical directory of the host file: what its relative paths start from. */
  readonly directory: string;
  /** Defaults filled in; installations and credentials in byte order of their names. */
  readonly document: HostDocument;
}

/** A host document that is refused. */
export interface RefusedHost extends RefusedDocuments {
  /** What an application can be held against, even if rules behind the schema are broken; null for anything less. */
  readonly document: HostDocument | null;
}

/** Loads the whole host document, or finds all its faults in the order of documents.md §12.4. */
export async function loadHost(
  reader: DocumentReader,
  name: DocumentName,
  now: Now = monotonic,
): Promise<Success<LoadedHost> | RefusedHost> {
  const read = await readDocument(reader, name, MAX_BYTES.host);
  if (!read.ok)
    return {
      ...refuseUnread(diagnostic('host_unavailable'), name.kind === 'below' ? 'project_host' : 'named_host'),
      document: null,
    };
  const examined = examineJson(namedText(HOST_SOURCE.name, read.file), MAX_BYTES.host, hostDocumentDiagnostic);
  if (!examined.ok) return { ...refuseText(examined.text), document: null };
  const { value } = examined.document;
  const faults: LocatedFault[] = [...revisionFaults(value), ...endpointFaults(value)];
  const checked = check(HOST_WITHOUT_LIMIT_VALUES, value, documentBudget(now));
  if (checked.status === 'exhausted') {
    const exhausted = diagnostic('schema_validation_unavailable', { phase: 'host', source: HOST_SOURCE });
    return { ...refuseText({ ...examined.text, faults }, faults[0]?.diagnostic ?? exhausted), document: null };
  }
  faults.push(
    ...tableFaults(checked, (violation) => ruleDiagnostic('host_schema_invalid', 'host', violation)),
    ...installedLimitFaults(value),
  );
  const whole = check(HOST, value);
  const document = whole.status === 'valid' ? whole.value : null;
  if (document !== null)
    faults.push(
      ...prerequisiteFaults(document),
      ...credentialFaults(document),
      ...networkFaults(document),
      ...installationFaults(document),
      ...requestTimeoutFaults(document, value),
    );
  if (faults.length > 0) return { ...refuseText({ ...examined.text, faults }), document };
  if (document === null) throw new Error('a host document whose schema and limits are right is right');
  const { directory } = read.file;
  return { ok: true, value: { directory, document: nameResources(lowerRequestTimeouts(document)) } };
}

const HOST_SOURCE = fixedSource('host');

/** The host's own bytes are at fault. */
function hostDocumentDiagnostic(fault: DocumentFault): Diagnostic {
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
