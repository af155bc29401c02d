import type { Success } from '../../../contract/outcome.ts';
import { diagnostic, fixedSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { LIMITS } from '../../../contract/limits/catalogue.ts';
import { nearestNames } from '../../../contract/names/nearest.ts';
import { documentBudget, type Now } from '../budget.ts';
import { applicationDocumentDiagnostic, ruleDiagnostic } from '../diagnostics.ts';
import {
  examineJson,
  namedText,
  refuseText,
  refuseUnread,
  type ExaminedText,
  type Loaded,
  type RefusedDocuments,
} from '../examined-text.ts';
import { check } from '../fields/check.ts';
import { tableFaults } from '../fields/table-faults.ts';
import type { FieldViolation } from '../fields/violation.ts';
import type { JsonDocument } from '../json-document.ts';
import type { LocatedFault } from '../located-fault.ts';
import type { ReadOutcome, SafeFile } from '../safe-file.ts';
import { MAX_BYTES } from '../sizes.ts';
import type { DocumentName } from '../target.ts';
import { declarationFaults } from './declarations.ts';
import { MANIFEST, type Manifest } from './fields.ts';
import { manifestParts, type ManifestParts } from './parts.ts';

/** A manifest as far as it is well formed: nothing that it names was opened yet. */
export interface ExaminedManifest extends ManifestParts {
  readonly file: SafeFile;
  readonly document: JsonDocument;
  /** With its faults by itself. */
  readonly text: ExaminedText;
}

const SOURCE = fixedSource('application');

/**
 * Reading, JSON, schema and declaration rules of `svc.json`, in this order (documents.md §12.5, up to missions); what
 * is no object is refused.
 */
export function examineManifest(
  read: ReadOutcome,
  name: DocumentName['kind'],
  now: Now,
): Success<ExaminedManifest> | RefusedDocuments {
  if (!read.ok) {
    return read.fault === 'missing'
      ? refuseUnread(diagnostic('application_not_found'), name === 'below' ? 'project_application' : 'named_document')
      : refuseUnread(
          diagnostic('application_unavailable'),
          name === 'below' ? 'unreadable_application' : 'unreadable_document',
        );
  }
  const { file } = read;
  const examined = examineJson(namedText(SOURCE.name, file), MAX_BYTES.manifest, (fault) =>
    applicationDocumentDiagnostic('application', MANIFEST, fault),
  );
  if (!examined.ok) return refuseText(examined.text);
  const { document, text } = examined;
  const checked = check(MANIFEST, document.value, documentBudget(now));
  if (checked.status === 'exhausted')
    return refuseText(text, diagnostic('schema_validation_unavailable', { source: SOURCE }));
  const parts =
    checked.status === 'valid' ? { manifest: checked.value, lost: new Set<string>() } : manifestParts(document.value);
  const broken = withMissingKind(tableFaults(checked, violationDiagnostic).map(withHostLimit), document.value);
  if (parts === null) return refuseText({ ...text, faults: broken });
  const faults = [...broken, ...declarationFaults(parts.manifest)];
  return { ok: true, value: { ...parts, file, document, text: { ...text, faults } } };
}

/** A manifest that is right by itself. */
export function loadManifest(read: ReadOutcome, name: DocumentName['kind'], now: Now): Loaded<Manifest> {
  const examined = examineManifest(read, name, now);
  if (!examined.ok) return examined;
  const { text, manifest } = examined.value;
  return text.faults.length > 0 ? refuseText(text) : { ok: true, value: manifest };
}

/** Under the code that a missing member has, or under that of every other rule. */
function violationDiagnostic(violation: FieldViolation): Diagnostic {
  const code = violation.rule === 'required' ? 'required_property_missing' : 'schema_violation';
  return ruleDiagnostic(code, 'application', violation);
}

/** A project whose kind is missing or mistyped: the faults that it has as an application would lead astray. */
function withMissingKind(faults: readonly LocatedFault[], value: JsonValue): readonly LocatedFault[] {
  const [first] = faults;
  if (first === undefined || !isJsonObject(value) || !value.has('application') || value.has('workflow')) return faults;
  const mistyped = [...value.keys()].find((key) => nearestNames(key, ['kind']).length > 0);
  return [
    {
      diagnostic: first.diagnostic,
      at: mistyped === undefined ? [] : [mistyped],
      problem: 'without the member kind this is read as an application',
      remedy: mistyped === undefined ? 'add "kind": "svc-project" to a project' : 'did you mean kind?',
    },
  ];
}

/** A limit that is known, but not here. */
function withHostLimit(fault: LocatedFault): LocatedFault {
  const [member, name, below] = fault.at;
  const isHosts =
    fault.member === 'unknown' &&
    member === 'limits' &&
    below === undefined &&
    LIMITS.some((row) => row.name === name && row.scope === 'installed');
  return isHosts
    ? { ...fault, problem: 'only the host document sets this limit', remedy: 'set it in limits of the host document' }
    : fault;
}
