import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import {
  documentLimitMessage,
  jsonFaultMessage,
  schemaRuleMessage,
} from '../../../contract/diagnostics/messages/documents.ts';
import { memberOf, type JsonNode } from '../../../contract/json/node.ts';
import { firstRootKind } from '../../../contract/json/root-kind.ts';
import { documentBudget, monotonic, type Now } from '../budget.ts';
import { ruleDiagnostic } from '../diagnostics.ts';
import type { DocumentReader } from '../document-reader.ts';
import { examineJson, namedText, refuseText, type Loaded } from '../examined-text.ts';
import { check } from '../fields/check.ts';
import { tableFaults } from '../fields/table-faults.ts';
import { violation } from '../fields/violation.ts';
import { safePointer, type DocumentFault } from '../json-document.ts';
import type { LocatedFault } from '../located-fault.ts';
import { MAX_BYTES } from '../sizes.ts';
import type { DocumentName } from '../target.ts';
import { PROJECT, type ProjectDocument } from './fields.ts';

/** A project; nothing that it names was opened. */
export interface Project {
  /** Canonical directory of the project file: what its paths start from. */
  readonly directory: string;
  readonly document: ProjectDocument;
}

/** What the positional argument of a command turned out to be, by content alone (documents.md §6). */
export type Target =
  | { readonly kind: 'application'; readonly manifest: DocumentName }
  | {
      readonly kind: 'project';
      readonly project: Project;
      readonly manifest: DocumentName;
      readonly host: DocumentName | null;
    };

/**
 * Classifies and loads the document that a command names. A document without a root `kind`, or one that cannot be read,
 * is the application: its faults are reported when it is loaded. A broken project is refused here.
 */
export async function loadTarget(reader: DocumentReader, path: string, now: Now = monotonic): Promise<Loaded<Target>> {
  const application: Target = { kind: 'application', manifest: { kind: 'named', path } };
  const read = await reader.readNamed(path, MAX_BYTES.manifest);
  if (!read.ok) return { ok: true, value: application };
  const { bytes, directory } = read.file;
  const examined = examineJson(namedText(SOURCE.name, read.file), MAX_BYTES.project, projectDocumentDiagnostic);
  if (!examined.ok) {
    const isProject = examined.fault.kind !== 'json' && firstRootKind(bytes) !== undefined;
    return isProject ? refuseText(examined.text) : { ok: true, value: application };
  }
  const { root, value } = examined.document;
  if (!hasKind(root)) return { ok: true, value: application };
  const checked = check(PROJECT, value, documentBudget(now));
  const faults = [
    ...(breaksInspectionRule(root) ? [INSPECTION_WITHOUT_TRACE] : []),
    ...tableFaults(checked, (violation) => ruleDiagnostic('project_schema_invalid', 'project', violation)),
  ];
  if (faults.length > 0) return refuseText({ ...examined.text, faults });
  if (checked.status !== 'valid')
    return refuseText(examined.text, diagnostic('schema_validation_unavailable', { phase: 'project', source: SOURCE }));
  const document = checked.value;
  const below = (reference: string): DocumentName => ({ kind: 'below', directory, reference });
  return {
    ok: true,
    value: {
      kind: 'project',
      project: { directory, document },
      manifest: below(document.application.path),
      host: document.host === undefined ? null : below(document.host.path),
    },
  };
}

const SOURCE = { kind: 'project', name: 'svc-project.json' } as const;

function hasKind(root: JsonNode): boolean {
  return root.kind === 'object' && memberOf(root, 'kind') !== undefined;
}

/** `inspection: true` requires `trace: true`; checked before the schema (documents.md §12.3). */
function breaksInspectionRule(root: JsonNode): boolean {
  const artifacts = root.kind === 'object' ? memberOf(root, 'artifacts')?.value : undefined;
  if (artifacts?.kind !== 'object') return false;
  const isTrue = (key: string) => {
    const member = memberOf(artifacts, key)?.value;
    return member?.kind === 'boolean' && member.value;
  };
  return isTrue('inspection') && !isTrue('trace');
}

const INSPECTION_WITHOUT_TRACE: LocatedFault = {
  diagnostic: ruleDiagnostic(
    'project_schema_invalid',
    'project',
    violation(['artifacts', 'trace'], 'const', { expected: 'true' }),
  ),
  at: ['artifacts', 'trace'],
  problem: 'inspection is recorded only with a trace',
  remedy: 'write "trace": true, or set "inspection": false',
};

/** The project's own bytes are at fault. */
function projectDocumentDiagnostic(fault: DocumentFault): Diagnostic {
  switch (fault.kind) {
    case 'json':
      return diagnostic('project_schema_invalid', { message: jsonFaultMessage('project', fault.rule) });
    case 'limit':
      return diagnostic('project_schema_invalid', {
        message: documentLimitMessage('project', fault.limit, fault.unit),
      });
    case 'duplicate':
      return diagnostic('project_schema_invalid', {
        message: schemaRuleMessage('project', 'duplicate_property'),
        path: safePointer(PROJECT, fault.pointer),
      });
  }
}
