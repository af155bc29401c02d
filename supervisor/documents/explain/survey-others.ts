import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { ruleDiagnostic } from '../diagnostics.ts';
import type { LocatedViolation } from '../fields/violation.ts';
import type { LocatedFault } from '../located-fault.ts';
import { OVERRIDE } from '../override/fields.ts';
import { overrideDocumentDiagnostic, overrideFieldOf } from '../override/load.ts';
import { overrideMessage } from '../../../contract/diagnostics/messages/documents.ts';
import { PROJECT } from '../project/fields.ts';
import { breaksInspectionRule, inspectionWithoutTrace, projectDocumentDiagnostic } from '../project/load.ts';
import { MAX_BYTES } from '../sizes.ts';
import { examineJson, type ReadText, type ExaminedText } from './surveyed.ts';
import { tableFaults } from './table-faults.ts';

/** Everything that is wrong with a project document by itself (documents.md §12.3). */
export function surveyProject(read: ReadText): ExaminedText {
  return examineJson(read, MAX_BYTES.project, projectDocumentDiagnostic, ({ root, value }) => [
    ...(breaksInspectionRule(root) ? [INSPECTION_WITHOUT_TRACE] : []),
    ...tableFaults(PROJECT, value, (violation) => ruleDiagnostic('project_schema_invalid', 'project', violation)),
  ]);
}

const INSPECTION_WITHOUT_TRACE: LocatedFault = {
  diagnostic: inspectionWithoutTrace(),
  at: ['artifacts', 'trace'],
  problem: 'inspection is recorded beside a trace alone',
  remedy: 'write "trace": true, or set "inspection": false',
};

/** What is wrong with the fields of an override descriptor (documents.md §11). */
export function surveyOverride(read: ReadText): ExaminedText {
  return examineJson(read, MAX_BYTES.overrideDescriptor, overrideDocumentDiagnostic, ({ value }) =>
    tableFaults(OVERRIDE, value, fieldDiagnostic),
  );
}

/** A fault of the descriptor itself has no field: an unknown key, a missing one. */
function fieldDiagnostic({ path, rule, facts }: LocatedViolation): Diagnostic {
  const field = overrideFieldOf(path[0]);
  if (field !== null && (rule !== 'required' || path.length > 1))
    return diagnostic('override_invalid', { path: `/${field}`, message: overrideMessage(field, rule, facts) });
  return diagnostic('override_invalid', {
    path: '',
    message: overrideMessage('descriptor', rule, field === null ? facts : { expected: field }),
  });
}
