import { diagnostic, isLogicalName, logicalSource } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic, DiagnosticFacts } from '../../contract/diagnostics/diagnostic.ts';
import {
  bundleLimitMessage,
  bundleRuleMessage,
  compileReasonMessage,
  duplicateDefinitionMessage,
  undefinedVariableMessage,
  unknownNamespaceMessage,
} from '../../contract/diagnostics/messages/programs.ts';
import type { BundleResource, BundleRule } from '../../contract/diagnostics/messages/programs.ts';
import type { CompileFault } from '../../contract/sandbox-protocol.ts';
import type { RunComponent } from './application.ts';

/** Reasons that are bounds on compiling (language.md §13). */
const LIMIT_REASONS: ReadonlyMap<string, BundleResource> = new Map([
  ['compile_timeout', 'time'],
  ['timeout', 'time'],
  ['compile_memory_exceeded', 'memory'],
  ['memory_exceeded', 'memory'],
  ['program_too_large', 'size'],
  ['symbol_limit_exceeded', 'size'],
]);

const RULE_REASONS: ReadonlyMap<string, BundleRule> = new Map([
  ['unknown_dependency', 'unknown_dependency'],
  ['dependency_cycle', 'dependency_cycle'],
  ['invalid_component', 'component_invalid'],
]);

/** The bundle diagnostic of a refusal by the compiler, after the table of language.md §13. */
export function compileFaultDiagnostic(fault: CompileFault, components: readonly RunComponent[]): Diagnostic {
  const resource = LIMIT_REASONS.get(fault.reason);
  if (resource !== undefined) return diagnostic('bundle_limit_exceeded', { message: bundleLimitMessage(resource), ...placeOf(fault, components, false) });
  const rule = RULE_REASONS.get(fault.reason);
  if (rule !== undefined) return diagnostic('bundle_invalid', { message: bundleRuleMessage(rule), ...placeOf(fault, components, false) });
  const place = placeOf(fault, components, true);
  switch (fault.reason) {
    case 'parse_error':
      return diagnostic('syntax_invalid', place);
    case 'unbound_var':
      return diagnostic('undefined_variable', { ...place, message: undefinedVariableMessage(provableNames(fault, components, 'unbound_names')) });
    case 'duplicate_ref':
      return diagnostic('duplicate_definition', { ...place, message: duplicateDefinitionMessage(duplicateName(fault)) });
    case 'unknown_namespace':
      return diagnostic('unknown_namespace', { ...place, message: unknownNamespace(fault, components) });
    default:
      return diagnostic('compile_failed', { ...place, message: compileReasonMessage(fault.reason) });
  }
}

type Place = Pick<DiagnosticFacts, 'source' | 'span'>;

/** The span counts only while it lies within the very bytes that were compiled. */
function placeOf(fault: CompileFault, components: readonly RunComponent[], withSpan: boolean): Place {
  const component = components.find(({ id }) => id === fault.component);
  if (component === undefined || !isLogicalName(component.sourceName)) return {};
  const source = logicalSource('component', component.sourceName);
  const { span } = fault;
  const isWithin = span !== null && span.start_byte <= span.end_byte && span.end_byte <= Buffer.byteLength(component.source);
  return withSpan && isWithin ? { source, span } : { source };
}

/** Names of the compiler that occur verbatim in the sources: only those may be shown (language.md §13). */
function provableNames(fault: CompileFault, components: readonly RunComponent[], key: string): readonly string[] {
  return stringsOf(fault.details[key]).filter((name) => components.some(({ source }) => source.includes(name)));
}

function duplicateName(fault: CompileFault): string {
  const { duplicate_namespace: namespace, duplicate_name: name } = fault.details;
  return typeof namespace === 'string' && typeof name === 'string' ? `${namespace}/${name}` : '';
}

function unknownNamespace(fault: CompileFault, components: readonly RunComponent[]): string {
  const { rejected_namespace: rejected } = fault.details;
  const isShown = typeof rejected === 'string' && components.some(({ source }) => source.includes(rejected));
  return unknownNamespaceMessage(isShown ? rejected : '', stringsOf(fault.details['available_namespaces']));
}

function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
