/**
 * What a model is sent in each phase, and what each part of its system text costs, to be read: golden/phases.md and
 * golden/cost.md (agent-library.md §7, §14). With SVC_GOLDEN=write the pages are written anew instead of held against.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useAgents, type NeutralRequest } from './agent-run.ts';
import type { AgentApplication, Said } from './scenario.ts';

/** Holds a page against what it shows, or writes it. */
function shows(name: string, page: string): void {
  const path = join(import.meta.dirname, 'golden', name);
  if (process.env['SVC_GOLDEN'] === 'write') writeFileSync(path, page);
  expect(page).to.equal(readFileSync(path, 'utf8'));
}

const DESK: AgentApplication = {
  entry: 'run-phased-result-value',
  task: 'Find the order that is late, and say what to do.',
  agent: {
    consolidate_at_turns_remaining: 2,
    phases: [
      { mission: 'finding', max_turns: 3, return_contract: 'found' },
      { mission: 'deciding', max_turns: 2, instruction: 'Decide what is done about it.', terminal_only: true },
    ],
  },
  missions: {
    finding: {
      components: [{ id: 'orders', path: 'orders.clj' }],
      data: {
        orders: [
          { id: 'A-1', days: 2 },
          { id: 'A-2', days: 9 },
        ],
      },
    },
    deciding: {},
  },
  contracts: { result_schema: { path: 'result.json' }, phase_return_schemas: { found: { path: 'found.json' } } },
  files: {
    'orders.clj':
      '(ns orders\n  "What is known of orders.")\n(defn late? "Whether an order waits for more than a week." {:signature "(order {id :string, days :int}) -> :bool" :effect :read} [order] (> (:days order) 7))\n',
    'found.json': JSON.stringify({
      type: 'object',
      properties: { id: { type: 'string', minLength: 1, description: 'Id of the order.' } },
      required: ['id'],
    }),
    'result.json': JSON.stringify({
      type: 'object',
      properties: { id: { type: 'string' }, action: { type: 'string', enum: ['refund', 'wait'] } },
      required: ['id', 'action'],
    }),
  },
};
const ANSWERS: readonly Said[] = [
  '(orders/late? "A-2")',
  { text: 'It wants the order.', program: '(filterv orders/late? data/orders)' },
  '(return {:id "A-2"})',
  '(do (return 1))',
  '(return {:id "A-2" :action "refund"})',
];

/** All of the first request of a phase; of the others what is new in them. */
function pageOf(requests: readonly NeutralRequest[]): string {
  return requests
    .map(({ system, messages, tools }, index) => {
      const before = requests[index - 1];
      const said = messages
        .slice(before?.messages.length ?? 0)
        .map(
          ({ role, content, tool_calls: calls }) =>
            `### ${role}\n\n${content ?? '(no text)'}\n${calls === undefined ? '' : `\n${JSON.stringify(calls)}\n`}`,
        );
      const opening =
        before?.system === system
          ? []
          : [`### system\n\n${system.replaceAll(/^#/gm, '\\#')}\n`, `### tools\n\n${JSON.stringify(tools)}\n`];
      return [`## Request ${index + 1}\n`, ...opening, ...said].join('\n');
    })
    .join('\n');
}

interface Row {
  readonly label: string;
  readonly characters: number;
  readonly lines: number;
  readonly tokens_estimated: number;
}

interface Measured {
  readonly rows: readonly Row[];
  readonly 'recognised?': boolean;
}

function costOf(title: string, { rows }: Measured): string {
  const table = rows.map(
    ({ label, characters, lines, tokens_estimated: tokens }) => `| ${[label, characters, lines, tokens].join(' | ')} |`,
  );
  return [
    `## ${title}`,
    '',
    '| Part | Characters | Lines | Tokens, estimated |',
    '|---|---:|---:|---:|',
    ...table,
    '',
  ].join('\n');
}

/** Most that the text which is the same for every application may have: about 550 tokens by four. */
const AUTHORED_CHARACTERS = 2200;

describe('what a model is sent (agent-library.md §6, §7)', () => {
  const agents = useAgents();

  it('is what golden/phases.md shows', async () => {
    const { requests, value } = await agents.play(DESK, ANSWERS);
    expect(value).to.deep.equal({ id: 'A-2', action: 'refund' });
    shows('phases.md', `# Requests of an agent in two phases\n\n${pageOf(requests)}`);
  });

  it('costs, part by part, what golden/cost.md shows', async () => {
    const { requests } = await agents.play(DESK, ANSWERS);
    const texts = [...new Set(requests.map(({ system }) => system))];
    const { value } = await agents.play(
      { libraries: ['prompt.audit'], body: '(mapv prompt.audit/measure (:texts (:agent input)))', agent: { texts } },
      [],
    );
    const measured: readonly Measured[] = Object(value);
    expect(measured.map((one) => one['recognised?'])).to.deep.equal([true, true]);
    shows(
      'cost.md',
      `# What the parts of the system text cost\n\n${measured.map((one, index) => costOf(`Phase ${index + 1}`, one)).join('\n')}`,
    );
    for (const { rows } of measured) {
      const sum = (label: string): number => rows.find((row) => row.label === label)?.characters ?? 0;
      expect(sum('authored')).to.be.within(1, AUTHORED_CHARACTERS);
      expect(rows.slice(0, -3).reduce((total, { characters }) => total + characters, 0)).to.equal(sum('total'));
    }
    expect(texts.map((text) => text.length)).to.deep.equal(measured.map(({ rows }) => rows.at(-1)?.characters));
  });
});
