import { PLAIN, provider, text, textOr, type CatalogueEntry, type MessageGrammar, type SubjectRule } from '../entry.ts';
import * as messages from '../messages/programs.ts';
import type { DiagnosticCode } from '../codes.ts';

/** A fault in one component source, or of the set. */
function component(message: MessageGrammar): CatalogueEntry {
  return { ...PLAIN, phases: ['bundle'], exit: 3, sources: ['component', null], span: 'with_source', message };
}

function environment(message: MessageGrammar): CatalogueEntry {
  return { ...PLAIN, phases: ['bundle'], exit: 3, message };
}

function declaration(subject: SubjectRule, message: MessageGrammar): CatalogueEntry {
  return { ...PLAIN, phases: ['provider_declaration'], exit: 3, subjects: [subject], message };
}

const SELECTION = provider('selection', 'object');

/** runtime.md §13 "bundle", "provider_declaration"; documents.md §13. */
export const DECLARATIONS = {
  bundle_invalid: component(textOr(messages.BUNDLE_INVALID, messages.BUNDLE_RULE_PATTERN)),
  bundle_limit_exceeded: component(textOr(messages.BUNDLE_LIMIT_EXCEEDED, messages.BUNDLE_LIMIT_PATTERN)),
  compile_failed: component(textOr(messages.COMPILE_FAILED, messages.COMPILE_REASON_PATTERN)),
  syntax_invalid: component(text(messages.SYNTAX_INVALID)),
  undefined_variable: component(textOr(messages.UNDEFINED_VARIABLE, messages.UNDEFINED_VARIABLE_PATTERN)),
  duplicate_definition: component(textOr(messages.DUPLICATE_DEFINITION, messages.DUPLICATE_DEFINITION_PATTERN)),
  unknown_namespace: component(textOr(messages.UNKNOWN_NAMESPACE, messages.UNKNOWN_NAMESPACE_PATTERN)),
  entry_invalid: environment(text('the workflow entry is not a public function that accepts one argument')),
  mission_undeclared: environment(text('the workflow entry can reach a mission, but the application declares none')),
  mission_capability_ungranted: environment(
    textOr(messages.MISSION_CAPABILITY_UNGRANTED, messages.MISSION_CAPABILITY_PATTERN),
  ),
  provider_unknown: declaration(
    provider('declaration', 'object'),
    text('the provider is not installed in the host document'),
  ),
  selection_invalid: declaration(SELECTION, textOr(messages.SELECTION_INVALID, messages.SELECTION_PATTERN)),
  selection_unverifiable: declaration(
    SELECTION,
    text('the provider selection can only be verified by an active check'),
  ),
  placement_denied: declaration(SELECTION, text('the provider may not be selected for this destination')),
  dependency_invalid: declaration(
    provider('declaration', 'null'),
    textOr(messages.DEPENDENCY_INVALID, messages.DEPENDENCY_PATTERN),
  ),
  data_policy_denied: declaration(SELECTION, text('the provider does not accept the data class of the run')),
} as const satisfies Partial<Record<DiagnosticCode, CatalogueEntry>>;
