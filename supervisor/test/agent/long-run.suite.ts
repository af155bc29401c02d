/** Long runs: 200 turns are whole in their evidence, and old turns can be dropped for a summary (world.md §3.9). */
import { expect } from 'chai';
import { useAgents } from './agent-run.ts';
import type { AgentApplication } from './scenario.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const TURNS = 200;
/** The conversation of so many long programs has twice the default of shorter loops. */
const LONG_TURNS = 130;
/** What `init` sets for agents, and as many programs and requests as there are turns. */
const LIMITS = {
  run_duration_ms: 600_000,
  workflow_timeout_ms: 600_000,
  llm_request_output_tokens: 16_384,
  normal_event_count: 4096,
  subordinate_evaluations: TURNS,
  workflow_capability_calls: TURNS,
  workflow_capability_calls_per_name: TURNS,
};
const program = (n: number): string =>
  n === TURNS - 1
    ? '(return (count seen))'
    : `(def seen (conj ${n === 0 ? '[]' : 'seen'} ${String(n)}))\n(apply str (repeat 300 "${String(n % 10)}"))`;

describe('long runs of agents (world.md §3.9)', () => {
  const agents = useAgents();
  const play = async (application: AgentApplication) => agents.play(application, range(TURNS).map(program));

  it(`${String(TURNS)} turns drop no event, and their conversation is whole`, async () => {
    const { value, code, envelope, requests, usage } = await play({
      entry: 'run-value',
      agent: { max_turns: TURNS },
      limits: LIMITS,
    });
    expect(code, JSON.stringify(envelope['error'])).to.equal(null);
    expect(value).to.equal(TURNS - 1);
    expect(usage['events_dropped']).to.deep.equal({});
    expect(requests).to.have.lengthOf(TURNS);
    expect(requests.at(-1)?.messages).to.have.lengthOf(2 * TURNS - 1);
  });

  it(`${String(LONG_TURNS)} turns of long programs and outputs of the usual length are whole as well`, async () => {
    const comment = `;; ${'"'.repeat(8)}${'x'.repeat(1750)}\n`;
    const long = (n: number): string => {
      const made = n === 0 ? '[]' : 'seen';
      if (n === LONG_TURNS - 1) return `${comment}(return (count seen))`;
      return `${comment}(def seen (conj ${made} ${String(n)}))\n(apply str (repeat 3000 "${String(n % 10)}"))`;
    };
    const { value, code, envelope, requests, usage } = await agents.play(
      {
        entry: 'run-value',
        agent: { max_turns: LONG_TURNS },
        limits: { ...LIMITS, capability_argument_bytes: 1_048_576 },
      },
      range(LONG_TURNS).map(long),
    );
    expect(code, JSON.stringify(envelope['error'])).to.equal(null);
    expect(value).to.equal(LONG_TURNS - 1);
    expect(usage['events_dropped']).to.deep.equal({});
    expect(requests).to.have.lengthOf(LONG_TURNS);
    const { messages = [] } = requests.at(-1) ?? {};
    expect(messages).to.have.lengthOf(2 * LONG_TURNS - 1);
    expect(JSON.stringify(messages).length).to.be.above(450_000).and.below(1_000_000);
  });

  it('the default length of a conversation is that of long loops from 129 turns on', async () => {
    const size = 300_000;
    for (const [turns, code] of [
      [128, 'runtime_limit_exceeded'],
      [129, null],
    ] as const) {
      const played = await agents.play(
        {
          entry: 'run-value',
          task: 'x'.repeat(size),
          agent: { max_turns: turns },
          limits: { capability_argument_bytes: 1_048_576, entry_source_bytes: 1_048_576 },
        },
        ['(return 1)'],
      );
      expect(played.code, JSON.stringify(played.envelope['error'])).to.equal(code);
    }
  });

  it('a request of more bytes than a call may have is a limit, which is named with its value', async () => {
    const application = (bytes: number): AgentApplication => ({
      entry: 'run-value',
      limits: { capability_argument_bytes: bytes },
    });
    const answers = [`;; ${'x'.repeat(20_000)}\n1`, '(return 1)'];
    const { requests } = await agents.play(application(100_000), answers);
    const [, { hash: _, ...second }] = [requests[0], requests[1] ?? expect.fail('two requests')];
    const size = Buffer.byteLength(JSON.stringify(second));
    expect((await agents.play(application(size), answers)).code).to.equal(null);
    const refused = await agents.play(application(size - 1), answers, 'program');
    expect(refused).to.include({ exitStatus: 6, code: 'runtime_limit_exceeded' });
    expect(refused.requests).to.have.lengthOf(1);
    expect(refused.events.at(-1)?.data).to.deep.include({
      failure_kind: 'transcript-limit',
      limit: 'capability_argument_bytes',
      limit_value: size - 1,
    });
    expect(refused.published)
      .to.include(`capability_argument_bytes is ${String(size - 1)} bytes, set by the manifest`)
      .and.include('compact_at_tokens');
  });

  it('old turns are dropped beyond a number of tokens, and one summary stands for them', async () => {
    const most = 3000;
    const { value, code, envelope, requests } = await play({
      entry: 'run-value',
      agent: { max_turns: TURNS, compact_at_tokens: most },
      limits: LIMITS,
    });
    expect(code, JSON.stringify(envelope['error'])).to.equal(null);
    expect(value).to.equal(TURNS - 1);
    for (const { messages } of requests) {
      expect(JSON.stringify(messages).length).to.be.below(4 * most + 2000);
      expect(messages.map(({ role }) => role).slice(0, 2)).to.deep.equal(
        messages.length === 1 ? ['user'] : ['user', 'assistant'],
      );
      const answered = messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
      const called = messages.flatMap(({ tool_calls: calls = [] }) => calls.map((call) => Object(call).id));
      expect(answered).to.deep.equal(called);
    }
    const [opening] = requests.at(-1)?.messages ?? [];
    expect(opening?.content)
      .to.include('Earlier turns are no longer shown; what they defined stays.')
      .and.include('- (def seen (conj seen 170)) => user=> "0000')
      .and.match(/\(\d+ turns before these\)/);
  });

  it('requests between two cuts begin alike, so that what a vendor has cached stays good', async () => {
    // A quarter of this is free after a cut: half is of the turns that were kept, and a quarter of the summary.
    const { code, envelope, requests } = await play({
      entry: 'run-value',
      agent: { max_turns: TURNS, compact_at_tokens: 3000 },
      limits: LIMITS,
    });
    expect(code, JSON.stringify(envelope['error'])).to.equal(null);
    const openings = new Set(requests.map(({ messages }) => messages[0]?.content));
    expect(openings.size)
      .to.be.above(1)
      .and.below(TURNS / 5);
  });

  it('a function of the workflow may write the summary', async () => {
    const application = {
      body: '(agent.core/run-value "Work." {"max_turns" 12 "compact_at_tokens" 500 "summarise" (fn [turns] (str "I did " (count turns) " steps; the first was " (:program (first turns))))})',
    };
    const answers = [
      ...range(11).map((n) => `(def x${String(n)} (apply str (repeat 400 "y"))) x${String(n)}`),
      '(return 1)',
    ];
    const { value, requests } = await agents.play(application, answers);
    expect(value).to.equal(1);
    expect(requests.at(-1)?.messages[0]?.content).to.match(/I did \d+ steps; the first was \(def x0 /);
  });

  it('a summary that is none, and one that nothing asks for, are refused', async () => {
    for (const body of [
      '(agent.core/run-value "Work." {"summarise" (fn [_] "x")})',
      '(agent.core/run-value "Work." {"compact_at_tokens" 500 "summarise" "x"})',
    ])
      expect((await agents.play({ body }, [])).code).to.equal('invalid_agent_config');
  });
});
