/**
 * Several loops at once under `pmap`: no request is lost, none gets the answer of another, and the usage is theirs
 * (agent-library.md §13).
 */
import { expect } from 'chai';
import { useAgents } from './agent-run.ts';
import type { AgentApplication, Said } from './scenario.ts';

const TURNS = 3;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** Missions of an application, at most. Loops in one share what they define, so each loop has names of its own. */
const ROOMS = 16;

/** The detail of what models used is told where no event of a call was dropped, hence room for all of them. */
function together(count: number): AgentApplication {
  return {
    body: `(vec (pmap (fn [n] (agent.core/run-value (str "This is loop number " n ".") {"mission" (str "room" (mod n ${String(ROOMS)})) "max_turns" ${String(TURNS)}})) (range ${String(count)})))`,
    missions: Object.fromEntries(range(Math.min(count, ROOMS)).map((n) => [`room${String(n)}`, {}])),
    limits: {
      workflow_timeout_ms: 300_000,
      parallel_timeout_ms: 300_000,
      run_duration_ms: 400_000,
      evaluation_admission_timeout_ms: 60_000,
      normal_event_count: 4096,
      normal_event_bytes: 1_048_576,
    },
    install: { usage_guarantees: { tokens: true, cost_currency: null } },
  };
}

/** Three turns of each loop: a definition, another one from it, and what both come to. Every answer takes 200 ms. */
function answers(count: number): readonly Said[] {
  return range(count).flatMap((n) =>
    [
      `(def a${String(n)} ${String(n)})`,
      `(def b${String(n)} (+ a${String(n)} ${String(n)}))`,
      `(return [a${String(n)} b${String(n)}])`,
    ].map((program, turn): Said => ({
      program,
      about: `This is loop number ${String(n)}.`,
      delayMs: 200,
      usage: { input: 1000 + n, output: turn },
    })),
  );
}

describe('agent loops at once (agent-library.md §13)', () => {
  const agents = useAgents();

  for (const count of [1, 4, 32]) {
    it(`${String(count)}: each has its own answers and its own definitions, and all that they used is counted`, async () => {
      const { value, code, envelope, wire, usage } = await agents.play(together(count), answers(count));
      expect(code, JSON.stringify(envelope['error'])).to.equal(null);
      expect(value).to.deep.equal(range(count).map((n) => [n, 2 * n]));
      expect(wire).to.have.lengthOf(TURNS * count);
      const sum = (of: (n: number) => number): number => range(count).reduce((total, n) => total + of(n), 0);
      expect(usage['llm_usage']).to.deep.equal([
        {
          alias: 'small',
          installation_revision: 'r1',
          calls: TURNS * count,
          successful_calls: TURNS * count,
          usage_calls: TURNS * count,
          missing_usage_calls: 0,
          usage_overflow: false,
          usage: { input: sum((n) => TURNS * (1000 + n)), output: sum(() => 3) },
        },
      ]);
      expect(usage['subordinate_evaluations']).to.equal(TURNS * count);
    });
  }

  it('are refused nothing for coming together, where one fails the others go on', async () => {
    const said = answers(4).with(4, { about: 'This is loop number 1.', text: 'I will not.', delayMs: 200 });
    const body =
      '(vec (pmap (fn [n] (select-keys (agent.core/run-outcome (str "This is loop number " n ".") {"mission" (str "room" n) "max_turns" 3}) [:status :value])) (range 4)))';
    const { value, usage } = await agents.play({ ...together(4), body }, said);
    expect(value).to.deep.equal([
      { status: 'returned', value: [0, 0] },
      { status: 'subject-failure' },
      { status: 'returned', value: [2, 4] },
      { status: 'returned', value: [3, 6] },
    ]);
    expect(usage['agent_protocol_errors']).to.equal(1);
  });
});
