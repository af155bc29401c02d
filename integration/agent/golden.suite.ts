/**
 * What a model is sent in each phase, to be read: golden/phases.md (agent-library.md §14). With SVC_GOLDEN=write the page is
 * written anew instead of held against what is sent.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useAgents } from './agent-run.ts';
import type { NeutralRequest } from './agent-run.ts';
import type { AgentApplication, Said } from './scenario.ts';

const PAGE = join(import.meta.dirname, 'golden/phases.md');

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
    finding: { components: [{ id: 'orders', path: 'orders.clj' }], data: { orders: [{ id: 'A-1', days: 2 }, { id: 'A-2', days: 9 }] } },
    deciding: {},
  },
  contracts: { result_schema: { path: 'result.json' }, phase_return_schemas: { found: { path: 'found.json' } } },
  files: {
    'orders.clj': '(ns orders\n  "What is known of orders.")\n(defn late? "Whether an order waits for more than a week." {:signature "(order {id :string, days :int}) -> :bool" :effect :read} [order] (> (:days order) 7))\n',
    'found.json': JSON.stringify({ type: 'object', properties: { id: { type: 'string', minLength: 1, description: 'Id of the order.' } }, required: ['id'] }),
    'result.json': JSON.stringify({ type: 'object', properties: { id: { type: 'string' }, action: { type: 'string', enum: ['refund', 'wait'] } }, required: ['id', 'action'] }),
  },
};
const ANSWERS: readonly Said[] = ['(orders/late? "A-2")', { text: 'It wants the order.', program: '(filterv orders/late? data/orders)' }, '(return {:id "A-2"})', '(do (return 1))', '(return {:id "A-2" :action "refund"})'];

/** All of the first request of a phase; of the others what is new in them. */
function pageOf(requests: readonly NeutralRequest[]): string {
  return requests.map(({ system, messages, tools }, index) => {
    const before = requests[index - 1];
    const said = messages.slice(before?.messages.length ?? 0).map(({ role, content, tool_calls: calls }) => `### ${role}\n\n${content ?? '(no text)'}\n${calls === undefined ? '' : `\n${JSON.stringify(calls)}\n`}`);
    const opening = before?.system === system ? [] : [`### system\n\n${system.replaceAll(/^#/gm, '\\#')}\n`, `### tools\n\n${JSON.stringify(tools)}\n`];
    return [`## Request ${index + 1}\n`, ...opening, ...said].join('\n');
  }).join('\n');
}

describe('what a model is sent (agent-library.md §6, §7)', () => {
  const agents = useAgents();

  it('is what golden/phases.md shows', async () => {
    const { requests, value } = await agents.play(DESK, ANSWERS);
    expect(value).to.deep.equal({ id: 'A-2', action: 'refund' });
    const page = `# Requests of an agent in two phases\n\n${pageOf(requests)}`;
    if (process.env['SVC_GOLDEN'] === 'write') writeFileSync(PAGE, page);
    expect(page).to.equal(readFileSync(PAGE, 'utf8'));
  });
});
