import { COUNT_PATTERN, INTEGER, LIMIT_NAME, NAME, SCHEMA_WORD, SYMBOL, listOf, literal } from '../grammar.ts';
import { admitted } from './admitted.ts';

/**
 * Texts of document faults: the role of the document, the rule, and facts that a schema of ours owns. Values, unknown
 * keys and file names are never facts (documents.md §13).
 */

export const DOCUMENT_ROLES = {
  project: 'the project document',
  cases: 'the case file',
  host: 'the host document',
  application: 'the application document',
  input: 'the input document',
  input_contract: 'the input contract',
  result_contract: 'the result contract',
  phase_return_contract: 'the phase return contract',
  component: 'the component source',
  component_override: 'the component override descriptor',
} as const;
/** What a document is to the command that reads it; the messages name it so. */
export type DocumentRole = keyof typeof DOCUMENT_ROLES;

/** Rule names of documents.md §13. */
export const SCHEMA_RULES = [
  'const',
  'contains',
  'duplicate_property',
  'enum',
  'max_items',
  'max_length',
  'max_properties',
  'maximum',
  'min_items',
  'min_length',
  'min_properties',
  'minimum',
  'multiple_of',
  'not',
  'one_of',
  'pattern',
  'required',
  'schema',
  'type',
  'unique_items',
  'unknown_property',
] as const;
/** A rule of fields that a value breaks (documents.md §13). */
export type SchemaRule = (typeof SCHEMA_RULES)[number];

/** Rules of a contract's own form (documents.md §4). */
export const CONTRACT_RULES = [
  'not_a_schema_object',
  'unsupported_keyword',
  'type_missing',
  'unsupported_type',
  'unsupported_format',
  'keyword_not_applicable',
  'invalid_keyword_value',
  'bounds_inverted',
  'required_property_undeclared',
  'root_not_object',
  'unsupported_dialect',
  'depth_exceeded',
  'too_many_properties',
  'too_many_enum_members',
  'schema_too_large',
  'union_branch_count',
  'union_branch_not_closed_object',
  'union_discriminator_missing',
] as const;
/** A rule that a contract document itself breaks (documents.md §4). */
export type ContractRule = (typeof CONTRACT_RULES)[number];

/** Faults of strict JSON (documents.md §1). */
export const JSON_FAULTS = {
  encoding: 'it is not UTF-8 without a byte order mark',
  syntax: 'its syntax is broken',
  surrogate: 'it escapes a lone surrogate',
  number: 'a number is out of range',
  trailing_content: 'content follows the value',
} as const;
/** Why bytes are no strict JSON (documents.md §1). */
export type JsonFaultReason = keyof typeof JSON_FAULTS;

/** Rules that a host document can break after its schema holds (documents.md §7). */
export const HOST_RULES = {
  credential_undeclared: 'an installation names a credential that the document does not declare',
  installation_undeclared: 'an installation names another that the document does not declare',
  reserved_name: 'a reserved environment variable, header or tool name is used',
  duplicate_tool_name: 'two tools of one installation have the same name',
  tool_name_missing: 'the name of a tool gives none that programs can use',
  every_tool_named: 'a row for every tool has a name or a description',
  snapshot_identity_invalid: 'a snapshot identity does not name an installed read tool',
  authentication_conflict: 'an installation declares both authentication and OAuth',
  oauth_invalid: 'an OAuth block breaks a rule',
  oauth_installation_duplicate: 'two installations share one OAuth installation id',
  fixtures_path_unsafe: 'a fixtures path leaves the directory of the document',
  path_unsafe: 'a path is not usable',
  header_duplicate: 'a header of an installation is named twice',
  proxy_invalid: 'the address of the proxy is none',
} as const;
/** A rule that a host document breaks as a whole (documents.md §7). */
export type HostRule = keyof typeof HOST_RULES;

/** Declaration rules of an application that its schema cannot say (documents.md §3). */
export const APPLICATION_RULES = {
  component_duplicate: 'a component or library is listed twice',
  component_reserved: 'a component id belongs to a library',
  library_unknown: 'a library is unknown',
  too_many_components: 'the components are too many',
  too_many_dependencies: 'the dependencies are too many',
  dependencies_unsorted: 'dependencies are not sorted and unique',
  source_total: 'the component sources are too large together',
} as const;
/** A rule that an application document breaks as a whole (documents.md §3). */
export type ApplicationRule = keyof typeof APPLICATION_RULES;

const OVERRIDE_FIELDS = [
  'descriptor',
  'target',
  'provenance',
  'component_id',
  'base_source_hash',
  'source_hash',
  'path',
] as const;
/** The part of a component override that is refused (documents.md §11). */
export type OverrideField = (typeof OVERRIDE_FIELDS)[number];
const OVERRIDE_RULES = ['unreadable', 'syntax', 'mismatch', 'not_selected', 'unusable', ...SCHEMA_RULES] as const;
/** Why that part is refused (documents.md §11). */
export type OverrideRule = (typeof OVERRIDE_RULES)[number];

/** Facts that belong to the schema, not to the document. */
export interface SchemaFacts {
  /** Enumerated values, or names that an object admits. */
  readonly allowed?: readonly string[];
  /** The constant, the type, or the missing name. */
  readonly expected?: string;
  readonly bound?: number;
}

const LISTED_MAX = 24;
const anyOf = (words: readonly string[]): string => `(?:${words.join('|')})`;
const ALLOWED = `; allowed: ${listOf(SCHEMA_WORD, 1, LISTED_MAX)}(?: and ${COUNT_PATTERN} more)?`;
const BOUND = `; bound: -?${COUNT_PATTERN}(?:\\.[0-9]{1,15})?`;
const FACTS = `(?:${ALLOWED})?(?:; expected: ${SCHEMA_WORD})?(?:${BOUND})?`;

const roleRule = (role: DocumentRole, rules: readonly string[]): string =>
  `${DOCUMENT_ROLES[role]} violates rule ${anyOf(rules)}${FACTS}`;

/** Pattern of `schemaRuleMessage` for one role. */
export const schemaRulePattern = (role: DocumentRole): string => roleRule(role, SCHEMA_RULES);
/** Pattern of `contractRuleMessage` for one role. */
export const contractRulePattern = (role: DocumentRole): string =>
  `${DOCUMENT_ROLES[role]} violates rule ${anyOf(CONTRACT_RULES)}`;

const UNITS = ['bytes', 'levels', 'nodes', 'documents', 'digits of one integer'] as const;
/** What a document has too many of. */
export type DocumentUnit = (typeof UNITS)[number];
/** Pattern of `documentLimitMessage` for one role. */
export const documentLimitPattern = (role: DocumentRole): string =>
  `${DOCUMENT_ROLES[role]} exceeds ${COUNT_PATTERN} ${anyOf(UNITS)}`;
export const CLOSURE_LIMIT_PATTERN = `the application and its documents exceed ${COUNT_PATTERN} ${anyOf(UNITS)}`;
/** Pattern of `jsonFaultMessage` for one role. */
export const jsonFaultPattern = (role: DocumentRole): string =>
  `${DOCUMENT_ROLES[role]} is not strict JSON: ${anyOf(Object.values(JSON_FAULTS))}`;
export const HOST_RULE_PATTERN = `the host document is invalid: ${anyOf(Object.values(HOST_RULES))}`;
export const APPLICATION_RULE_PATTERN = `the application document is invalid: ${anyOf(Object.values(APPLICATION_RULES))}`;
export const OVERRIDE_PATTERN = `the component override is refused: field ${anyOf(OVERRIDE_FIELDS)}, rule ${anyOf(OVERRIDE_RULES)}${FACTS}`;
export const LIMIT_EXCEEDED_PATTERN = `limit ${LIMIT_NAME}: ${COUNT_PATTERN} requested, ${COUNT_PATTERN} installed at most`;
export const LIMIT_UNAVAILABLE_PATTERN = `limit ${LIMIT_NAME}: ${COUNT_PATTERN} requested, but the host does not enable it`;
export const LIMIT_TOO_SMALL_PATTERN = `limit ${LIMIT_NAME}: ${COUNT_PATTERN} is below the ${COUNT_PATTERN} that this application needs`;
const USAGE_ENTRIES_PATTERN = `the application needs ${COUNT_PATTERN} usage entries, ${COUNT_PATTERN} at most`;
const INVENTORY_PATTERN = `an inventory text exceeds ${COUNT_PATTERN} bytes`;
export const CAPACITY_PATTERN = anyOf([LIMIT_TOO_SMALL_PATTERN, USAGE_ENTRIES_PATTERN, INVENTORY_PATTERN]);
const PREREQUISITES = ['usage_guarantees.tokens', 'usage_guarantees.cost_currency', 'reservation_tariff'] as const;
/** What a limit needs of the selected models before it can be kept (documents.md §5). */
export type LimitPrerequisite = (typeof PREREQUISITES)[number];
export const LIMIT_PREREQUISITE_PATTERN = `limit ${LIMIT_NAME} needs ${anyOf(PREREQUISITES.map(literal))} on every live model installation`;
export const LIMIT_RANGE_PATTERN = `limit ${LIMIT_NAME} must be between ${COUNT_PATTERN} and ${COUNT_PATTERN}`;
/** Pattern of a sentence of our own followed by the alias of a provider. */
export const PROVIDER_ALIAS_PATTERN = (sentence: string): string => `${sentence}: ${NAME}`;
export const EFFECT_PATTERN = `export ${SYMBOL} is declared read but has effect (?:write|unknown)`;

/**
 * Only words that qualify are reported, and no more than fit; role and rule alone are always admitted. Empty, or from
 * `; ` on.
 */
export function schemaFactsText(facts: SchemaFacts): string {
  const admittedWords = (facts.allowed ?? []).filter((word) => admitted(SCHEMA_WORD, word, '') !== '');
  const listed: string[] = [];
  let length = 0;
  for (const word of admittedWords.slice(0, LISTED_MAX)) {
    length += word.length + 2;
    if (length > 600) break;
    listed.push(word);
  }
  const more = (facts.allowed ?? []).length - listed.length;
  const allowed =
    listed.length === 0 ? '' : `; allowed: ${listed.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
  const expected =
    facts.expected === undefined || admitted(SCHEMA_WORD, facts.expected, '') === ''
      ? ''
      : `; expected: ${facts.expected}`;
  const bound = facts.bound === undefined || !Number.isFinite(facts.bound) ? '' : `; bound: ${String(facts.bound)}`;
  return `${allowed}${expected}${bound}`;
}

/** The document breaks a rule of its schema; `facts` come from the schema, never from the document. */
export function schemaRuleMessage(role: DocumentRole, rule: SchemaRule, facts: SchemaFacts = {}): string {
  const plain = `${DOCUMENT_ROLES[role]} violates rule ${rule}`;
  return admitted(schemaRulePattern(role), plain + schemaFactsText(facts), plain);
}

/** A contract that is no schema of the supported language (documents.md §4). `rule` is a closed word. */
export function contractRuleMessage(
  role: 'input_contract' | 'result_contract' | 'phase_return_contract',
  rule: ContractRule,
): string {
  return `${DOCUMENT_ROLES[role]} violates rule ${rule}`;
}

/** A document beyond one of its bounds (documents.md §1). `limit`: the bound, in `unit`. */
export function documentLimitMessage(role: DocumentRole, limit: number, unit: DocumentUnit): string {
  return `${DOCUMENT_ROLES[role]} exceeds ${String(limit)} ${unit}`;
}

/** All documents of an application together beyond a bound (documents.md §1). `limit`: the bound, in `unit`. */
export function closureLimitMessage(limit: number, unit: DocumentUnit): string {
  return `the application and its documents exceed ${String(limit)} ${unit}`;
}

/** A document that is not strict JSON (documents.md §1); says which rule, and nothing of the text. */
export function jsonFaultMessage(role: DocumentRole, fault: JsonFaultReason): string {
  return `${DOCUMENT_ROLES[role]} is not strict JSON: ${JSON_FAULTS[fault]}`;
}

/** A host document that breaks a rule which its schema cannot say (documents.md §7). */
export function hostRuleMessage(rule: HostRule): string {
  return `the host document is invalid: ${HOST_RULES[rule]}`;
}

/** An application that breaks a rule which its schema cannot say (documents.md §3). */
export function applicationRuleMessage(rule: ApplicationRule): string {
  return `the application document is invalid: ${APPLICATION_RULES[rule]}`;
}

/**
 * A component override that is refused (documents.md §11). `facts` come from the schema, never from the descriptor;
 * what does not qualify is left out.
 */
export function overrideMessage(field: OverrideField, rule: OverrideRule, facts: SchemaFacts = {}): string {
  const plain = `the component override is refused: field ${field}, rule ${rule}`;
  return admitted(OVERRIDE_PATTERN, plain + schemaFactsText(facts), plain);
}

export const INSTALLED_LIMIT_EXCEEDED = 'a requested limit exceeds its installed ceiling';
/**
 * `installed_limit_exceeded` (documents.md §5). `requested` and `ceiling` in the unit of the limit; an unknown name
 * gives the generic text.
 */
export function limitExceededMessage(facts: {
  readonly limit: string;
  readonly requested: number;
  readonly ceiling: number;
}): string {
  const message = `limit ${facts.limit}: ${String(facts.requested)} requested, ${String(facts.ceiling)} installed at most`;
  return admitted(LIMIT_EXCEEDED_PATTERN, message, INSTALLED_LIMIT_EXCEEDED);
}

export const LIMIT_UNAVAILABLE = 'a requested limit is not enabled by the host';
/**
 * `limit_unavailable` (documents.md §5). `requested` in the unit of the limit; an unknown name gives the generic text.
 */
export function limitUnavailableMessage(facts: { readonly limit: string; readonly requested: number }): string {
  const message = `limit ${facts.limit}: ${String(facts.requested)} requested, but the host does not enable it`;
  return admitted(LIMIT_UNAVAILABLE_PATTERN, message, LIMIT_UNAVAILABLE);
}

export const LIMIT_CONFIGURATION_INVALID = 'a limit is too small for this application';
/** For `limit_configuration_invalid` and, with `event_payload_bytes`, `limit_capacity_invalid`. */
export function limitTooSmallMessage(facts: {
  readonly limit: string;
  readonly value: number;
  readonly minimum: number;
}): string {
  const message = `limit ${facts.limit}: ${String(facts.value)} is below the ${String(facts.minimum)} that this application needs`;
  return admitted(LIMIT_TOO_SMALL_PATTERN, message, LIMIT_CONFIGURATION_INVALID);
}

/**
 * `limit_capacity_invalid` for more usage rows than an envelope holds (runtime.md §9): as many as `needed`, `maximum`
 * at most.
 */
export function usageEntriesMessage(needed: number, maximum: number): string {
  const message = `the application needs ${String(needed)} usage entries, ${String(maximum)} at most`;
  return admitted(CAPACITY_PATTERN, message, LIMIT_CONFIGURATION_INVALID);
}

/**
 * `limit_capacity_invalid` for a mission whose texts are too large to be shown whole (runtime.md §4). `maximumBytes`:
 * UTF-8.
 */
export function inventoryTextMessage(maximumBytes: number): string {
  return admitted(
    CAPACITY_PATTERN,
    `an inventory text exceeds ${String(maximumBytes)} bytes`,
    LIMIT_CONFIGURATION_INVALID,
  );
}

export const INSTALLED_LIMIT_INVALID = 'a limit of the host document is invalid';
/** `installed_limit_invalid` for a budget whose models do not say what it needs (documents.md §5). */
export function limitPrerequisiteMessage(limit: string, prerequisite: LimitPrerequisite): string {
  const message = `limit ${limit} needs ${prerequisite} on every live model installation`;
  return admitted(LIMIT_PREREQUISITE_PATTERN, message, INSTALLED_LIMIT_INVALID);
}
/**
 * `installed_limit_invalid` for a value beyond its range (documents.md §5). Bounds in the unit of the limit, both
 * admitted.
 */
export function limitRangeMessage(facts: {
  readonly limit: string;
  readonly minimum: number;
  readonly maximum: number;
}): string {
  const message = `limit ${facts.limit} must be between ${String(facts.minimum)} and ${String(facts.maximum)}`;
  return admitted(LIMIT_RANGE_PATTERN, message, INSTALLED_LIMIT_INVALID);
}

export const UNKNOWN_MISSION_PROVIDER = 'a mission names a provider that the application does not select';
export const DUPLICATE_MISSION_PROVIDER = 'a mission names a provider twice';
/**
 * A mission's provider that is not selected, or named twice (documents.md §3); an alias that breaks its grammar gives
 * the generic text.
 */
export function missionProviderMessage(
  code: 'unknown_mission_provider' | 'duplicate_mission_provider',
  alias: string,
): string {
  const generic = code === 'unknown_mission_provider' ? UNKNOWN_MISSION_PROVIDER : DUPLICATE_MISSION_PROVIDER;
  return admitted(PROVIDER_ALIAS_PATTERN(generic), `${generic}: ${alias}`, generic);
}

export const DECLARED_READ_EFFECT_INVALID = 'an export declared read reaches a write or unknown effect';
/** `declared_read_effect_invalid` (language.md §13). `exportReference`: `namespace/name` as the source writes it. */
export function declaredReadMessage(exportReference: string, effect: 'write' | 'unknown'): string {
  const message = `export ${exportReference} is declared read but has effect ${effect}`;
  return admitted(EFFECT_PATTERN, message, DECLARED_READ_EFFECT_INVALID);
}

/** Pattern of `contractValueMessage` for one kind of value. */
export const CONTRACT_VALUE_PATTERN = (value: string): string =>
  `${value} violates its contract: rule ${anyOf(SCHEMA_RULES)}${FACTS}(?:; after ${INTEGER} agent turns)?`;
const CONTRACT_VALUES = { input: 'the input', result: 'the result', phase_return: 'the phase return value' } as const;
/**
 * A value against its contract (documents.md §4). The violated keyword is a fact of the contract, so it may be named.
 */
export function contractValueMessage(
  value: keyof typeof CONTRACT_VALUES,
  rule: SchemaRule,
  facts: SchemaFacts & { readonly agentTurns?: number } = {},
): string {
  const plain = `${CONTRACT_VALUES[value]} violates its contract: rule ${rule}`;
  const turns = facts.agentTurns === undefined ? '' : `; after ${String(facts.agentTurns)} agent turns`;
  return admitted(CONTRACT_VALUE_PATTERN(CONTRACT_VALUES[value]), plain + schemaFactsText(facts) + turns, plain);
}
