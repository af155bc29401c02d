/**
 * The agent loop: its options, their bounds and defaults are read from the library's source, what they mean is in
 * this file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, table } from './tables.ts';
import { fromTemplate } from './template.ts';

const LIBRARY = join(import.meta.dirname, '../../sandbox/preludes/agent.core.clj');

interface OptionRow {
  readonly option: string;
  readonly meaning: string;
  /** Of options without a range: what stands for one that is not given, and what may be given. */
  readonly own?: { readonly standard: string; readonly values: string };
}

const optionRow = (option: string, standard: string, values: string, meaning: string): OptionRow => ({
  option,
  meaning,
  own: { standard, values },
});

/** In the order of the page. */
const OPTIONS: readonly OptionRow[] = [
  optionRow('model', 'the only one, or the default one', 'an alias of `providers.workflow`', 'which model is asked'),
  optionRow(
    'omit_nil_model',
    'false',
    'boolean',
    'whether a `"model"` of nil counts as none given; else it is refused',
  ),
  optionRow(
    'mode',
    'by the model',
    '`"text"`, `"tools"`',
    'how the model gives its programs: in a fenced block of its answer, or by a call; a model that takes no tools is asked for blocks',
  ),
  optionRow('mission', '`"default"`', 'a mission of the manifest', 'where programs run'),
  { option: 'max_turns', meaning: 'how many answers the model may give, malformed ones too' },
  { option: 'max_program_chars', meaning: 'of one program' },
  { option: 'max_observation_chars', meaning: 'of what the model is shown of a value' },
  { option: 'max_transcript_chars', meaning: 'of one request as JSON; a longer one is not sent and ends the run' },
  {
    option: 'prompt_tool_bytes',
    meaning:
      'of the prompt that tools may take; beyond it they are listed by name, and programs find them by `cap/search`',
  },
  optionRow(
    'consolidate_at_turns_remaining',
    'none',
    '1 to all turns',
    'turns left when the model is asked to come to an end',
  ),
  optionRow('result_envelope', 'true', 'boolean', '`run` alone: whether the value is wrapped'),
  optionRow(
    'return_contract',
    'none',
    'a name of `contracts.phase_return_schemas`',
    'what the value has to satisfy, of `run-value` and `run-outcome` without phases',
  ),
  optionRow('phases', 'none', '1 to 8 maps', 'see below'),
  optionRow('verify', 'none', 'a function', 'of `run-outcome`: looks at a value before it is taken'),
  optionRow('max_corrections', '1', '0 to 128', 'how often a refused value is asked for again; wants `"verify"`'),
  { option: 'retain_programs', meaning: 'of `run-outcome`: so many of the newest programs stand in the outcome' },
  { option: 'compact_every', meaning: 'once in so many programs old outputs are no longer sent' },
  {
    option: 'compact_at_tokens',
    meaning: 'of a conversation; beyond it old turns are dropped, and one summary replaces them',
  },
  optionRow('summarise', 'a mechanical one', 'a function', 'makes that summary of `[{:program LINE :outcome LINE}]`'),
  optionRow(
    'workspace',
    'one of its own',
    'a name',
    'keeps what the loop defines for later ones that give the same name',
  ),
  optionRow('data', 'none', 'a map', 'what programs of this loop read as `data/NAME`, beside the data of the mission'),
  optionRow('fence_ids', 'off', 'boolean', 'outputs stand between marks that they cannot imitate'),
  optionRow('count_turns', 'off', 'boolean', 'the outcome says how many turns had which result'),
];

/** The options that the loop reads, each with its range where the source has one: `1 to MOST` and its default. */
function optionsOf(source: string): ReadonlyMap<string, { readonly standard: string; readonly values: string } | null> {
  const read = [...source.matchAll(/\((?:get|contains\?) cfg "([a-z_]+)"/g)].map(([, name = '']): [string, null] => [
    name,
    null,
  ]);
  const declared = [...source.matchAll(/, cfg \{([^}]*)\}\)/g)].flatMap(([, fields = '']) =>
    fields.split(', ').map((field): [string, null] => [field.split(' ')[0] ?? '', null]),
  );
  const ranges = /^\(def \^:private ranges\n(.*?)\}\)$/ms.exec(source)?.[1] ?? '';
  const ranged = [...ranges.matchAll(/"([a-z_]+)" \[(\d+) (nil|\d+)\]/g)].map(
    ([, name = '', most = '', standard = '']): [string, { standard: string; values: string }] => [
      name,
      { standard: standard === 'nil' ? 'none' : standard, values: `1 to ${most}` },
    ],
  );
  return new Map([...read, ...declared, ...ranged]);
}

/** The whole page. Throws for an option that the loop reads and that is not told, and for one that it does not read. */
export function agentLibraryPage(): string {
  const options = optionsOf(readFileSync(LIBRARY, 'utf8'));
  const unreported = [...options.keys()].filter((name) => !OPTIONS.some(({ option }) => option === name));
  if (unreported.length > 0) throw new Error(`agent-library: not told: ${unreported.join(', ')}`);
  const rows = OPTIONS.map(({ option, meaning, own }) => {
    const range = options.get(option);
    const bounds = own ?? range;
    if (range === undefined || bounds === null || bounds === undefined || (own !== undefined && range !== null))
      throw new Error(`agent-library: ${option} is no option, or its range is told twice or not at all`);
    return [code(`"${option}"`), bounds.standard, bounds.values, meaning];
  });
  return fromTemplate('agent-library', { parts: { options: table(['Option', 'Default', 'Values', 'Meaning'], rows) } });
}
