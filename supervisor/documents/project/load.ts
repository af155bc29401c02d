import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import {
  documentLimitMessage,
  jsonFaultMessage,
  schemaRuleMessage,
} from '../../../contract/diagnostics/messages/documents.ts';
import { memberOf, type JsonNode } from '../../../contract/json/node.ts';
import { firstRootKind } from '../../../contract/json/root-kind.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import { documentBudget, monotonic, type Now } from '../budget.ts';
import { ruleDiagnostic } from '../diagnostics.ts';
import type { DocumentReader } from '../document-reader.ts';
import { check } from '../fields/check.ts';
import { violation } from '../fields/violation.ts';
import { parseDocument, safePointer, type DocumentFault } from '../json-document.ts';
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
 * Classifies and loads the document that a command names. A document without a root `kind`, or one that cannot be
 * read, is the application: its faults are told when it is loaded. A broken project is refused here.
 */
export async function loadTarget(reader: DocumentReader, path: string, now: Now = monotonic): Promise<Outcome<Target>> {
  const application: Target = { kind: 'application', manifest: { kind: 'named', path } };
  const read = await reader.readNamed(path, MAX_BYTES.manifest);
  if (!read.ok) return success(application);
  const { bytes, directory } = read.file;
  const parsed = parseDocument(bytes, MAX_BYTES.project);
  if (!parsed.ok) {
    const isProject = parsed.fault.kind !== 'json' && firstRootKind(bytes) !== undefined;
    return isProject ? failure(projectDocumentDiagnostic(parsed.fault)) : success(application);
  }
  if (!hasKind(parsed.document.root)) return success(application);
  if (breaksInspectionRule(parsed.document.root)) return failure(inspectionWithoutTrace());
  const checked = check(PROJECT, parsed.document.value, documentBudget(now));
  switch (checked.status) {
    case 'exhausted':
      return failure(diagnostic('schema_validation_unavailable', { phase: 'project', source: PROJECT_SOURCE }));
    case 'invalid':
      return failure(ruleDiagnostic('project_schema_invalid', 'project', checked.violation));
    case 'valid': {
      const document = checked.value;
      const below = (reference: string): DocumentName => ({ kind: 'below', directory, reference });
      return success({
        kind: 'project',
        project: { directory, document },
        manifest: below(document.application.path),
        host: document.host === undefined ? null : below(document.host.path),
      });
    }
  }
}

const PROJECT_SOURCE = { kind: 'project', name: 'svc-project.json' } as const;

function hasKind(root: JsonNode): boolean {
  return root.kind === 'object' && memberOf(root, 'kind') !== undefined;
}

/** `inspection: true` requires `trace: true`; checked before the schema (documents.md §12.3). */
export function breaksInspectionRule(root: JsonNode): boolean {
  const artifacts = root.kind === 'object' ? memberOf(root, 'artifacts')?.value : undefined;
  if (artifacts?.kind !== 'object') return false;
  const isTrue = (key: string) => {
    const member = memberOf(artifacts, key)?.value;
    return member?.kind === 'boolean' && member.value;
  };
  return isTrue('inspection') && !isTrue('trace');
}

export function inspectionWithoutTrace(): Diagnostic {
  return ruleDiagnostic(
    'project_schema_invalid',
    'project',
    violation(['artifacts', 'trace'], 'const', { expected: 'true' }),
  );
}

/** The project's own bytes are at fault. */
export function projectDocumentDiagnostic(fault: DocumentFault): Diagnostic {
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
