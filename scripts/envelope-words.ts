/**
 * The published schema of the command envelope with what each member means: editors and readers of `svc docs
 * schema-envelope` are told so. Members are known by the end of where they stand (`checks.name`), the longest first, so
 * that one meaning serves all variants.
 */
import { titleOf } from './described-schemas.ts';

/** What stands in each variant, and what the variants of one member share. */
const HEAD: Readonly<Record<string, string>> = {
  schema_version: 'Version of this schema; a reader refuses another one.',
  command: 'The command that was asked for; unknown if there was none of that name.',
  status: 'ok if the command did what it was asked to; error tells why not.',
  run_ref: 'Name of this invocation, in all its evidence.',
  result: 'What the command came to.',
  error: 'Why the command failed: the first failure that it met.',
  secondary_errors: 'Failures that were met after the first one, in their order.',
  warnings: 'What did not keep the command from going on.',
};

const COMMANDS: Readonly<Record<string, string>> = {
  'result.version': 'Version of the program: MAJOR.MINOR.PATCH.',
  'result.source_revision': 'Commit that the program was built from, 40 hexadecimal digits.',
  'result.source_dirty': 'Whether it was built from files that differ from that commit.',
  'result.pages': 'All pages of the documentation, in their order.',
  'result.pages.name': 'Name of the page: svc docs NAME.',
  'result.pages.title': 'Its title.',
  'result.pages.bytes': 'Size of its text in UTF-8 bytes.',
  'result.page': 'Name of the page that was asked for.',
  'result.content': 'Its text: Markdown, or a JSON Schema.',
  'result.term': 'What was searched for.',
  'result.matches': 'Lines that hold it, at most three of each of ten pages.',
  'matches.page': 'Page of the line.',
  'matches.line': 'Number of the line, from 1.',
  'matches.text': 'The line, without blanks around it, at most 160 characters.',
  'result.omitted_matches': 'Number of matching lines that are not among them.',
  'result.omitted_pages': 'Number of matching pages that are not among them.',
  'result.created': 'Files that were made, from the new directory.',
  'result.application_content_digest':
    'Identity of the application as it is written: its manifest and every file that it names.',
  'result.effective_application_digest': 'Identity of the application together with how what it selects is installed.',
  'result.installation_config_digests': 'Identity of each selected installation, by its alias.',
  'result.workflow_bundle_hash': 'SHA-256 of the compiled components of the workflow.',
  'result.mission_bundle_hashes':
    'SHA-256 of the compiled components of each mission, by its name; null for one without.',
  'result.mission_grants': 'What each mission may use, by its name.',
  'mission_grants.*.data': 'Names of data that its programs can read.',
  'mission_grants.*.exports': 'Functions and constants of its components that its programs can use.',
  'mission_grants.*.providers': 'Aliases of the providers whose tools it may call.',
  'result.provider_activity': 'Whether a provider may have been contacted.',
  'result.checks': 'What was looked at: the machine first, then each provider.',
  'checks.name': 'Name of the check; provider/ALIAS/CHECK for a provider.',
  'checks.status': 'How the check ended.',
  'checks.code': 'Why it ended so.',
  'result.model_aliases': 'The models that are installed.',
  'model_aliases.alias': 'Name by which workflows ask for the model.',
  'model_aliases.source': 'Kind of the installation.',
  'model_aliases.installation_revision': 'Revision that the host document gives the installation.',
  'model_aliases.default': 'Whether requests that name no model go to it; null where it is not selected.',
  'model_aliases.selected': 'Whether the application selects it.',
  'model_aliases.model_selector': 'Which model the vendor is asked for.',
  'result.readiness': 'Whether a run could begin.',
  'result.usage': 'What the checks themselves cost.',
  'result.installations': 'The models that the host document installs.',
  'installations.alias': 'Name by which workflows ask for the model.',
  'installations.source': 'Kind of the installation.',
  'installations.installation_revision': 'Revision that the host document gives the installation.',
  'installations.data_class': 'Class of data that its answers have.',
  'installations.accepts_data': 'Classes of data that it may be sent.',
  'installations.destinations': 'Environments that may use it: the workflow, missions.',
  'installations.model_selector': 'Which model the vendor is asked for.',
  'result.provider': 'Alias of the provider whose catalogue this is.',
  'result.tool_count': 'How many tools it has.',
  'result.tools': 'The tools, as the server tells them.',
  'tools.name': 'Name of the tool at the server.',
  'tools.description': 'What the server says of the tool: untrusted text.',
  'tools.input_schema': 'JSON Schema of its arguments.',
  'tools.output_schema': 'JSON Schema of its structured result.',
  'result.pagination': 'How the catalogue was read.',
  'pagination.pages': 'How many pages the server gave.',
  'pagination.truncated': 'Always false: what cannot be read as a whole is refused.',
  'result.mode': 'What was written: the source of a component, or a candidate with its override.',
  'result.directory': 'Folder of the candidate.',
  'result.path': 'File that was written.',
  'result.command': 'The command again.',
  'result.run_ref': 'The run whose transcript was written.',
  'result.turns': 'How many turns of missions it has.',
};

const RUNS: Readonly<Record<string, string>> = {
  'result.result_class': 'Class of the data in the result; a private value is in no envelope.',
  'result.value': 'The value of the workflow, where it is not too large for an envelope.',
  artifact_class: 'Class of the run and of what it leaves; unclassified if it never began.',
  artifact_state: 'What became of each artifact.',
  'artifact_state.trace': 'The trace, RUN_ID.jsonl.',
  'artifact_state.inspection': 'The private inspection.',
  'artifact_state.result': 'The file of the result.',
  execution: 'What is known of the execution.',
  'execution.state': 'How far it came.',
  'execution.outcome': 'How the workflow ended.',
  'execution.diagnostic': 'Why it failed, where it did.',
  'execution.usage': 'What it used.',
  'execution.evaluation_memory': 'What its missions kept.',
  'execution.last_evaluation_error': 'The last program of a mission that failed, where that may be told.',
  'warning.code': 'What is warned of.',
  'warning.message': 'The same as a sentence.',
  'warning.provider': 'Alias of the installation.',
  'warning.model': 'The model that no catalogue knows, null where it may not be told.',
};

const USAGE: Readonly<Record<string, string>> = {
  'usage.remaining_ms': "Milliseconds that were left of the run's time when it was sealed.",
  'usage.capability_calls': 'Calls of each capability, by its environment and name.',
  'usage.subordinate_evaluations': 'Programs that were evaluated in missions, also those that failed.',
  'usage.evaluations_by_mission': "The same by the mission's name.",
  'usage.protocol_errors': 'Requests of the workflow that broke the rules of what they asked for.',
  'usage.agent_protocol_errors': 'Answers of models that an agent loop could make nothing of.',
  'usage.evaluation_memory_bytes': 'Bytes of definitions that missions kept.',
  'usage.evaluation_history_bytes': 'Bytes of results that missions kept as *1, *2, *3.',
  'usage.evaluation_continuation_bytes': 'Both together.',
  'usage.events_dropped': 'Events that the trace had no room for, by their type.',
  'usage.capability_refusals': 'Calls that were refused, by environment, kind and reason.',
  'usage.capability_denials': 'Programs that were not run because they named what was not granted, by reason.',
  'usage.llm_budget': 'Budgets of model calls; null where none is set.',
  'llm_budget.total_tokens': 'Tokens, in and out together.',
  'total_tokens.state': 'Whether the budget lasted.',
  'total_tokens.limit': 'Tokens that the run may use.',
  'total_tokens.reserved': 'Tokens held for calls that go on; none at the end of a run.',
  'total_tokens.charged': 'Tokens that were used.',
  'total_tokens.remaining': 'Tokens that were left.',
  'total_tokens.refused': 'Calls that the budget refused.',
  'llm_budget.cost': 'Money, in millionths of a US dollar.',
  'cost.state': 'Whether the budget lasted.',
  'cost.currency': 'The currency.',
  'cost.limit_microusd': 'What the run may cost.',
  'cost.reserved_microusd': 'What is held for calls that go on; nothing at the end of a run.',
  'cost.charged_microusd': 'What was charged.',
  'cost.remaining_microusd': 'What was left.',
  'cost.refused': 'Calls that the budget refused.',
  'usage.llm_spend': 'What all model calls came to.',
  'llm_spend.state': 'What is known of it: available with its price, unpriced, incomplete, overflow, or empty.',
  'usage.llm_usage_state': 'Whether every call is told of.',
  'usage.llm_usage': 'Calls of models by alias and revision.',
  'usage.llm_usage_by_model': 'Calls by the model that answered.',
  'usage.unattributed_model_calls': 'Calls of which it is not known which model answered.',
  'alias_usage.alias': 'Name by which workflows ask for the model.',
  'alias_usage.installation_revision': 'Revision that the host document gives the installation.',
  'model_usage.resolved_model': 'The model that answered.',
  calls: 'Calls that were admitted.',
  successful_calls: 'Calls that were answered.',
  usage_calls: 'Calls whose answer told what it used.',
  missing_usage_calls: 'Calls that should have told what they used and did not.',
  usage_overflow: 'Whether a sum became too large to be told.',
  'alias_usage.usage': 'Sums over the calls that told.',
  'model_usage.usage': 'Sums over the calls that told.',
  input: 'Tokens of requests.',
  output: 'Tokens of answers.',
  cache_creation: 'Tokens that the vendor put into its cache.',
  cache_read: 'Tokens that the vendor took from its cache.',
  total_cost: 'What it cost, rounded up.',
  'total_cost.currency': 'The currency.',
  'total_cost.microunits': 'Millionths of it.',
  'evaluation_memory.bytes': 'Bytes that missions kept in all.',
  'evaluation_memory.defined_count': 'How many definitions they kept.',
  'evaluation_memory.history_bytes': 'Bytes of the results that they kept.',
  'evaluation_memory.history_count': 'How many results they kept.',
  'evaluation_memory.memory_bytes': 'Bytes of the definitions that they kept.',
  'evaluation_error.kind': 'What kind of mistake it was.',
  'evaluation_error.message': 'What was wrong, without any value of the program.',
};

const DIAGNOSTICS: Readonly<Record<string, string>> = {
  'span.start_byte': 'First byte of the text at fault, from 0.',
  'span.end_byte': 'The byte behind its last one.',
  'occurrence.destination': 'The environment that selects the provider.',
  'occurrence.index': 'Place among the providers that are selected there, from 0.',
  phase: 'What was being done.',
  code: 'What went wrong: svc docs cli lists every code.',
  message: 'The same as a sentence; no value, secret or path is in it.',
  source: 'The document or component at fault.',
  'source.kind': 'What it is.',
  'source.name': 'How the application calls it.',
  path: 'JSON Pointer into that document.',
  span: 'The part of its text.',
  subject: 'The provider that it is about.',
  'subject.kind': 'Always provider.',
  'subject.name': 'Alias of the provider.',
  'subject.operation': 'What was asked of it.',
  'subject.occurrence': 'Which selection of the provider.',
  notes: 'Always empty.',
  retryable: 'Whether the same command may succeed when it is repeated.',
  provider_activity: 'Whether a provider may have been contacted.',
  cause: 'Why the system did not do what was asked of it.',
};

/** What the ends of members' places mean. */
export const ENVELOPE_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...HEAD, ...COMMANDS, ...RUNS, ...USAGE, ...DIAGNOSTICS }),
);

interface Node {
  readonly [keyword: string]: unknown;
}
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

function meaningOf(place: readonly string[]): string {
  for (let from = 0; from < place.length; from += 1) {
    const meaning = ENVELOPE_WORDS.get(place.slice(from).join('.'));
    if (meaning !== undefined) return meaning;
  }
  throw new Error(`nothing is said of ${place.join('.')}`);
}

/**
 * The same schema, each definition with its title and each member with its title and description. Throws for a member
 * that nothing is said of.
 */
export function describedEnvelope({ $defs, ...root }: Node): Node {
  const definitions = Object.entries(Object($defs)).map(([name, node]) => [
    name,
    {
      title: titleOf(name),
      ...described(Object(node), [/^(\w+_)?diagnostic(_\w+)?$/.test(name) ? 'diagnostic' : name]),
    },
  ]);
  return { ...root, $defs: Object.fromEntries(definitions) };
}

function described(node: Node, place: readonly string[]): Node {
  return Object.fromEntries(Object.entries(node).map(([keyword, value]) => [keyword, within(keyword, value, place)]));
}

function within(keyword: string, value: unknown, place: readonly string[]): unknown {
  if (keyword === 'const' || keyword === 'enum') return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (isNode(item) ? described(item, place) : item));
  if (!isNode(value)) return value;
  if (keyword === 'properties')
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, memberOf([...place, name], Object(member))]),
    );
  if (keyword === 'patternProperties')
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, described(Object(member), [...place, '*'])]),
    );
  return described(value, place);
}

function memberOf(place: readonly string[], node: Node): Node {
  return { title: titleOf(place.at(-1) ?? ''), description: meaningOf(place), ...described(node, place) };
}
