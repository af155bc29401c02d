import { expect } from 'chai';
import type { AgentApplication, Scenario } from '../scenario.ts';

type Agent = Readonly<Record<string, unknown>>;

const PHASE = { mission: 'default', max_turns: 2 };
const ANY_CONTRACT = {
  contracts: { phase_return_schemas: { draft: { path: 'n.json' } } },
  files: { 'n.json': JSON.stringify({ type: 'object', properties: {} }) },
};
const PLAIN_ENTRIES = ['run', 'run-value', 'run-outcome', 'run-result-value'] as const;
const ENTRIES = [...PLAIN_ENTRIES, 'run-phased-result-value'] as const;
type Entry = (typeof ENTRIES)[number];

/** Options that no entry takes, each with the option that the refusal names. */
const EVERYWHERE: readonly (readonly [string, Agent])[] = [
  ['max_turns', { max_turns: 0 }],
  ['max_turns', { max_turns: 2049 }],
  ['max_turns', { max_turns: 'hidden-word' }],
  ['max_turns', { max_turns: 1.5 }],
  ['max_program_chars', { max_program_chars: 0 }],
  ['max_program_chars', { max_program_chars: 1_000_001 }],
  ['max_observation_chars', { max_observation_chars: 0 }],
  ['max_observation_chars', { max_observation_chars: 65_537 }],
  ['max_transcript_chars', { max_transcript_chars: 0 }],
  ['max_transcript_chars', { max_transcript_chars: 1_000_001 }],
  ['compact_every', { compact_every: 0 }],
  ['compact_every', { compact_every: 129 }],
  ['compact_every', { compact_every: 'hidden-word' }],
  ['consolidate_at_turns_remaining', { consolidate_at_turns_remaining: 0 }],
  ['consolidate_at_turns_remaining', { consolidate_at_turns_remaining: 129 }],
  ['max_corrections', { max_corrections: 1 }],
  ['max_turn is not known; did you mean max_turns?', { max_turn: 3 }],
  ['colour is not known', { colour: 'hidden-word' }],
  ['prompt_tool_bytes', { prompt_tool_bytes: 0 }],
  ['return_contract', { return_contract: 'draft', phases: [PHASE] }],
  ['verify', { verify: 'hidden-word' }],
];

/** Phases that no entry takes. */
const PHASES: readonly (readonly [string, unknown])[] = [
  ['none', []],
  ['nine', Array.from({ length: 9 }, () => ({ mission: 'default', max_turns: 1 }))],
  [
    '129 turns in all',
    [
      { mission: 'default', max_turns: 128 },
      { mission: 'default', max_turns: 1 },
    ],
  ],
  ['a phase without turns', [{ mission: 'default', max_turns: 0 }]],
  ['a mission without a name', [{ mission: ' ', max_turns: 1 }]],
  ['an empty instruction', [{ ...PHASE, instruction: ' ' }]],
  ['terminal_only before the end', [{ ...PHASE, terminal_only: true }, PHASE]],
  ['a contract on the last', [{ ...PHASE, return_contract: 'draft' }]],
  ['a contract that nobody declared', [{ ...PHASE, return_contract: 'hidden-word' }, PHASE]],
];

/** Options that some entries do not take. */
const SOMEWHERE: readonly (readonly [Entry, string, Agent])[] = [
  ['run', 'return_contract', { return_contract: 'draft' }],
  ['run-result-value', 'return_contract', { return_contract: 'draft' }],
  ['run-value', 'return_contract', { return_contract: 'Not A Name' }],
  ['run-value', 'return_contract', { return_contract: 7 }],
  ['run-outcome', 'return_contract', { return_contract: 'nobody' }],
  ['run-value', 'retain_programs', { retain_programs: 1 }],
  ['run', 'retain_programs', { retain_programs: 1 }],
  ['run-outcome', 'retain_programs', { retain_programs: 0 }],
  ['run-outcome', 'retain_programs', { retain_programs: 129 }],
  ['run-outcome', 'retain_programs', { retain_programs: 'hidden-word' }],
];

function refused(entry: Entry, title: string, option: string, agent: Agent): Scenario {
  const phases = entry === 'run-phased-result-value' && !('phases' in agent) ? { phases: [PHASE] } : {};
  return {
    id: '42',
    title: `${entry} refuses ${title}`,
    application: { ...ANY_CONTRACT, entry, agent: { ...phases, ...agent } },
    answers: [],
    expect: { code: 'invalid_agent_config', exit: 5, requests: 0, stopped: { failure_kind: 'invalid-agent-config' } },
    also: ({ envelope, published }) => {
      expect(Object(envelope['error']).message).to.include(option);
      expect(published).to.not.include('hidden-word');
    },
  };
}

const CHECKED: AgentApplication = {
  body: '(agent.core/run-outcome (:task input) {"verify" (fn [_] {:status :accepted}) "max_corrections" (:n (:agent input))})',
};
const corrections = (id: string, n: number, expected: Scenario['expect'], answers: Scenario['answers']): Scenario => ({
  id,
  title: `${n} corrections`,
  application: { ...CHECKED, agent: { n } },
  answers,
  expect: expected,
});
const REFUSED = { code: 'invalid_agent_config', exit: 5, requests: 0 };
const ACCEPTED = { value: { status: 'returned', value: 1, verification: { status: 'accepted' } }, requests: 1 };
/** Greatest and least that an option takes. */
const bound = (option: string, n: number, agent: Agent = {}): Scenario => ({
  id: '42',
  title: `${option} ${n} is taken`,
  application: { agent: { [option]: n, ...agent } },
  answers: ['(return 1)'],
  expect: { value: { ok: true, value: 1 }, requests: 1 },
});

/** Rows 42, 43 and 52: what is refused before anything is asked. */
export const CONFIGURATION: readonly Scenario[] = [
  ...ENTRIES.flatMap((entry) =>
    EVERYWHERE.map(([option, agent]) => refused(entry, JSON.stringify(agent), option, agent)),
  ),
  ...ENTRIES.flatMap((entry) =>
    PHASES.map(([title, phases]) => ({
      ...refused(entry, `phases: ${title}`, 'phases', { phases }),
      ...(title.startsWith('terminal_only') && { id: '52' }),
    })),
  ),
  ...SOMEWHERE.map(([entry, option, agent]) => refused(entry, JSON.stringify(agent), option, agent)),
  corrections('42', -1, REFUSED, []),
  corrections('42', 129, REFUSED, []),
  corrections('42', 0, ACCEPTED, ['(return 1)']),
  corrections('42', 128, ACCEPTED, ['(return 1)']),
  ...[
    ['max_turns', 1],
    ['max_turns', 2048],
    ['max_program_chars', 1_000_000],
    ['max_observation_chars', 1],
    ['max_observation_chars', 65_536],
    ['max_transcript_chars', 1_000_000],
    ['compact_every', 1],
    ['compact_every', 128],
    ['consolidate_at_turns_remaining', 1],
    ['consolidate_at_turns_remaining', 4],
  ].map(([option, n]) => bound(String(option), Number(n))),
  {
    id: '43a',
    title: 'a mission that is no text',
    application: { agent: { mission: 42 } },
    answers: [],
    expect: { code: 'evaluation_failed', exit: 5, requests: 0 },
  },
  {
    id: '43b',
    title: 'a mission without a name',
    application: { agent: { mission: '' } },
    answers: [],
    expect: { code: 'invalid_agent_config', exit: 5, requests: 0 },
  },
  {
    id: '43c',
    title: 'a mission that is not there',
    application: { agent: { mission: 'nobody' } },
    answers: [],
    expect: { code: 'explicit_failure', exit: 5, requests: 0, stopped: { failure_kind: 'mission-unavailable' } },
  },
];
