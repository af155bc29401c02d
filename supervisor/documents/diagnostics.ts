import {
  diagnostic,
  fixedSource,
  type Diagnostic,
  type DiagnosticCode,
  type Source,
} from '../../contract/diagnostics/diagnostic.ts';
import {
  documentLimitMessage,
  jsonFaultMessage,
  schemaRuleMessage,
  type DocumentRole,
} from '../../contract/diagnostics/messages/documents.ts';
import { buildPointer } from '../../contract/json/pointer.ts';
import type { FieldViolation } from './fields/violation.ts';
import { safePointer, type DocumentFault } from './json-document.ts';
import type { Shape } from './fields/shape.ts';

/** A rule of a table of fields broken, under the code that its document gives to it. */
export function ruleDiagnostic(code: DiagnosticCode, role: DocumentRole, violation: FieldViolation): Diagnostic {
  return diagnostic(code, {
    message: schemaRuleMessage(role, violation.rule, violation.facts),
    path: buildPointer(violation.path),
  });
}

/** The manifest's or an input's own bytes are at fault (documents.md §13, application). */
export function applicationDocumentDiagnostic(
  role: 'application' | 'input',
  shape: Shape,
  fault: DocumentFault,
): Diagnostic {
  const source: Source = fixedSource(role === 'application' ? 'application' : 'external_input');
  switch (fault.kind) {
    case 'json':
      return diagnostic('invalid_json', { source, message: jsonFaultMessage(role, fault.rule) });
    case 'limit':
      return diagnostic('document_limit_exceeded', {
        source,
        message: documentLimitMessage(role, fault.limit, fault.unit),
      });
    case 'duplicate':
      return diagnostic('duplicate_property', {
        source,
        message: schemaRuleMessage(role, 'duplicate_property'),
        path: safePointer(shape, fault.pointer),
      });
  }
}
