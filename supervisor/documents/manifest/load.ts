import { diagnostic, fixedSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import { documentBudget, type Now } from '../budget.ts';
import { applicationDocumentDiagnostic, ruleDiagnostic } from '../diagnostics.ts';
import { check } from '../fields/check.ts';
import type { FieldViolation } from '../fields/violation.ts';
import { parseDocument, type JsonDocument } from '../json-document.ts';
import { firstOf } from '../located-fault.ts';
import type { ReadOutcome, SafeFile } from '../safe-file.ts';
import { MAX_BYTES } from '../sizes.ts';
import { declarationFaults } from './declarations.ts';
import { MANIFEST, type Manifest } from './fields.ts';

/** A manifest that is right by itself: nothing it names was opened yet. */
export interface LoadedManifest {
  readonly file: SafeFile;
  readonly document: JsonDocument;
  readonly manifest: Manifest;
}

/** Reading, JSON, schema and declaration rules of `svc.json`, in this order (documents.md §12.5, up to missions). */
export function loadManifest(read: ReadOutcome, now: Now): Outcome<LoadedManifest> {
  if (!read.ok) {
    return failure(diagnostic(read.fault === 'missing' ? 'application_not_found' : 'application_unavailable'));
  }
  const parsed = parseDocument(read.file.bytes, MAX_BYTES.manifest);
  if (!parsed.ok) return failure(applicationDocumentDiagnostic('application', MANIFEST, parsed.fault));
  const checked = check(MANIFEST, parsed.document.value, documentBudget(now));
  switch (checked.status) {
    case 'exhausted':
      return failure(diagnostic('schema_validation_unavailable', { source: fixedSource('application') }));
    case 'invalid':
      return failure(violationDiagnostic(checked.violation));
    case 'valid': {
      const refused = firstOf(declarationFaults(checked.value));
      if (refused !== null) return failure(refused);
      return success({ file: read.file, document: parsed.document, manifest: checked.value });
    }
  }
}

/** Under the code that a missing member has, or under that of every other rule. */
export function violationDiagnostic(violation: FieldViolation): Diagnostic {
  const code = violation.rule === 'required' ? 'required_property_missing' : 'schema_violation';
  return ruleDiagnostic(code, 'application', violation);
}
