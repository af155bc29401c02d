import { COUNT_PATTERN, NAME, SYMBOL, listOf } from '../grammar.ts';
import { admitted } from './admitted.ts';

/** Texts of compiler and declaration faults: names found verbatim in a source, at most 8 (documents.md §13). */

const NAMES_MAX = 8;
const NAMES = listOf(SYMBOL, 1, NAMES_MAX);

export const BUNDLE_INVALID = 'the components do not form a bundle';
export const BUNDLE_RULES = {
  unknown_dependency: 'a dependency names no component of its environment',
  dependency_cycle: 'the dependencies form a cycle',
  component_invalid: 'a component is invalid',
} as const;
/** A rule that a set of components breaks (documents.md §13). */
export type BundleRule = keyof typeof BUNDLE_RULES;
export const BUNDLE_RULE_PATTERN = `${BUNDLE_INVALID}: (?:${Object.values(BUNDLE_RULES).join('|')})`;
/** `bundle_invalid`: components that form no bundle (language.md §13). */
export function bundleRuleMessage(rule: BundleRule): string {
  return `${BUNDLE_INVALID}: ${BUNDLE_RULES[rule]}`;
}

export const BUNDLE_LIMIT_EXCEEDED = 'compiling exceeded its time, memory or size';
/** What the compiler ran out of: its time, its memory, or the size that a bundle may have. */
export type BundleResource = 'time' | 'memory' | 'size';
export const BUNDLE_LIMIT_PATTERN = 'compiling exceeded its (?:time|memory|size)';
/** `bundle_limit_exceeded`: what compiling had too little of (runtime.md §1 step 8). */
export function bundleLimitMessage(resource: BundleResource): string {
  return `compiling exceeded its ${resource}`;
}

/**
 * The texts of an `internal_error` for components that nobody can blame: their compiler's process was ended, or
 * stopped.
 */
export const COMPILER_ENDED = 'the process that compiled the components ended';
export const COMPILER_SILENT = 'the process that compiled the components stopped answering';
/** No program of this installation can run. */
export const GUEST_IMAGE_BROKEN = 'the guest image of this installation is missing or damaged';

export const COMPILE_FAILED = 'a component could not be compiled';
/** `reason`: a compile reason of language.md §13 and §17, a closed word of the language. */
export const COMPILE_REASON_PATTERN = `${COMPILE_FAILED}: [a-z][a-z_]{0,63}`;
/** `compile_failed` with the reason; a word beyond the grammar of reasons gives the generic text. */
export function compileReasonMessage(reason: string): string {
  return admitted(COMPILE_REASON_PATTERN, `${COMPILE_FAILED}: ${reason}`, COMPILE_FAILED);
}

export const SYNTAX_INVALID = 'a component source is not well formed';
export const UNDEFINED_VARIABLE = 'a component uses names that are not defined';
export const UNDEFINED_VARIABLE_PATTERN = `undefined names: ${NAMES}`;
/** At most eight names are kept; the first ones in the order given. */
export function undefinedVariableMessage(names: readonly string[]): string {
  return admitted(
    UNDEFINED_VARIABLE_PATTERN,
    `undefined names: ${names.slice(0, NAMES_MAX).join(', ')}`,
    UNDEFINED_VARIABLE,
  );
}

export const DUPLICATE_DEFINITION = 'a name is defined twice';
export const DUPLICATE_DEFINITION_PATTERN = `${DUPLICATE_DEFINITION}: ${SYMBOL}`;
/** `duplicate_definition`. `name`: as the source writes it; one that is no symbol gives the generic text. */
export function duplicateDefinitionMessage(name: string): string {
  return admitted(DUPLICATE_DEFINITION_PATTERN, `${DUPLICATE_DEFINITION}: ${name}`, DUPLICATE_DEFINITION);
}

export const UNKNOWN_NAMESPACE = 'a component uses an unknown namespace';
export const UNKNOWN_NAMESPACE_PATTERN = `${UNKNOWN_NAMESPACE}: ${SYMBOL}(?:; available: ${NAMES})?`;
/** `unknown_namespace`, with the first eight of those that there are; what does not qualify is left out. */
export function unknownNamespaceMessage(name: string, available: readonly string[]): string {
  const plain = `${UNKNOWN_NAMESPACE}: ${name}`;
  const listed = available.slice(0, NAMES_MAX).join(', ');
  const full = listed === '' ? plain : `${plain}; available: ${listed}`;
  return admitted(UNKNOWN_NAMESPACE_PATTERN, full, admitted(UNKNOWN_NAMESPACE_PATTERN, plain, UNKNOWN_NAMESPACE));
}

export const MISSION_CAPABILITY_UNGRANTED = 'a mission without providers needs capabilities';
export const MISSION_CAPABILITY_PATTERN = `mission ${NAME} has no providers but needs: ${NAMES}`;
/**
 * `mission_capability_ungranted` (documents.md §13): the first eight capabilities by name that a mission without
 * providers needs.
 */
export function missionCapabilityMessage(mission: string, capabilities: readonly string[]): string {
  const listed = capabilities.toSorted().slice(0, NAMES_MAX).join(', ');
  return admitted(
    MISSION_CAPABILITY_PATTERN,
    `mission ${mission} has no providers but needs: ${listed}`,
    MISSION_CAPABILITY_UNGRANTED,
  );
}

export const SELECTION_INVALID = 'a provider selection is invalid';
const SELECTION_RULES = [
  'type',
  'minimum',
  'maximum',
  'ceiling',
  'limit',
  'enum',
  'unique_items',
  'subset',
  'required',
  'not_applicable',
  'unsupported_source',
] as const;
/** A rule that the selection of a provider breaks (documents.md §13). */
export type SelectionRule = (typeof SELECTION_RULES)[number];
const SELECTION_REFUSED = 'the provider selection is invalid';
/** Field names are those of documents.md §3, "Selections". */
const SELECTION_FIELD = `field [a-z][a-z_]{0,63}, rule (?:${SELECTION_RULES.join('|')})(?:; bound: ${COUNT_PATTERN})?`;
export const SELECTION_PATTERN = `${SELECTION_REFUSED}: (?:unknown property|${SELECTION_FIELD})`;
/** Which field of a selection breaks which rule; `bound`: the number that the rule is about, of rules that have one. */
export interface SelectionFault {
  readonly field: string;
  readonly rule: SelectionRule;
  readonly bound?: number;
}
/**
 * `selection_invalid` (documents.md §3, "Selections"). Fields and rules are closed words; the bound is in the unit of
 * the field.
 */
export function selectionMessage(fault: 'unknown_property' | SelectionFault): string {
  if (fault === 'unknown_property') return `${SELECTION_REFUSED}: unknown property`;
  const bound = fault.bound === undefined ? '' : `; bound: ${String(fault.bound)}`;
  const message = `${SELECTION_REFUSED}: field ${fault.field}, rule ${fault.rule}${bound}`;
  return admitted(SELECTION_PATTERN, message, SELECTION_INVALID);
}

export const DEPENDENCY_INVALID = 'the provider selections do not fit together';
export const DEPENDENCY_RULES = {
  service_missing: 'a required service is not provided',
  service_ambiguous: 'a required service is provided more than once',
  dependency_cycle: 'the dependencies form a cycle',
  two_default_models: 'two workflow models are the default',
} as const;
/** A rule that dependencies between providers break (documents.md §13). */
export type DependencyRule = keyof typeof DEPENDENCY_RULES;
export const DEPENDENCY_PATTERN = `${DEPENDENCY_INVALID}: (?:${Object.values(DEPENDENCY_RULES).join('|')})`;
/** `dependency_invalid`: provider selections that do not fit together (runtime.md §1 step 9). */
export function dependencyMessage(rule: DependencyRule): string {
  return `${DEPENDENCY_INVALID}: ${DEPENDENCY_RULES[rule]}`;
}

export const CAPABILITY_REQUIREMENT_MISSING =
  'a component requires a capability that the selected providers did not supply';
export const CAPABILITY_REQUIREMENT_PATTERN = `Missing capability requirement(?:: ${SYMBOL}|s: ${listOf(SYMBOL, 2, NAMES_MAX)})`;
/**
 * Bare capability names (runtime.md §13), sorted; more than eight give the generic text (interface.md §2.5 prints
 * 2..8).
 */
export function capabilityRequirementMessage(names: readonly string[]): string {
  const plural = names.length === 1 ? '' : 's';
  const message = `Missing capability requirement${plural}: ${names.toSorted().join(', ')}`;
  return admitted(CAPABILITY_REQUIREMENT_PATTERN, message, CAPABILITY_REQUIREMENT_MISSING);
}

export const CANDIDATE_REFUSED = 'the candidate did not pass the gate';
export const CANDIDATE_REFUSED_PATTERN = `${CANDIDATE_REFUSED} \\(${listOf('G[1-4]', 1, 4)}\\)`;
/**
 * `checks`: the failing gate checks, cli.md §10.
 */
export function candidateRefusedMessage(checks: readonly ('G1' | 'G2' | 'G3' | 'G4')[]): string {
  return admitted(CANDIDATE_REFUSED_PATTERN, `${CANDIDATE_REFUSED} (${checks.join(', ')})`, CANDIDATE_REFUSED);
}
