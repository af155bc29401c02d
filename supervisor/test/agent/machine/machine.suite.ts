/**
 * Laws of the agent loop's reducer (agent-library.md §14), over sequences of events that fast-check chooses:
 * SVC_MACHINE_SEQUENCES of them, 400 by default.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Isolate, Sandbox } from '../../../../sandbox/pool/interface.ts';
import { closureOf, compiled, startBuiltSandbox } from '../../../../sandbox/test/libraries/library-program.ts';

const SEQUENCES = Number(process.env['SVC_MACHINE_SEQUENCES'] ?? 400);

/** What driver.clj makes a program that failed after a write of. */
const AFTER_A_WRITE = 15;

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

interface Step {
  readonly do: 'request' | 'check' | 'evaluate' | 'validate' | 'verify' | 'done' | 'abort';
  /** Number that chooses the event which this step waits for. */
  readonly chosen: number;
  readonly turn: number;
  readonly phase: number;
  readonly phase_turn: number;
  readonly closing: boolean;
  readonly safe: boolean;
  readonly rejections: number;
  readonly kept: number;
  readonly omitted: number;
  /** Turns that are counted by what they came to. */
  readonly counted: number;
  readonly messages?: readonly Message[];
  readonly prompt?: string;
  readonly mission?: string;
}

interface Driven {
  readonly steps: readonly Step[];
  readonly after: readonly string[];
}

const phase = fc.record({
  mission: fc.constantFrom('a', 'b'),
  turns: fc.integer({ min: 1, max: 5 }),
  contract: fc.constantFrom(null, null, 'draft'),
  terminal: fc.boolean(),
});

/** The last phase alone may be terminal, and has no contract of its own (agent-library.md §4). */
const plan = fc.record({
  phases: fc
    .array(phase, { minLength: 1, maxLength: 4 })
    .map((phases) =>
      phases.map(({ terminal, contract, ...rest }, index) =>
        index === phases.length - 1 ? { ...rest, terminal, contract: null } : { ...rest, terminal: false, contract },
      ),
    ),
  threshold: fc.constantFrom(null, 1, 2),
  checks: fc.constantFrom(null, 'result', 'contract'),
  data: fc.boolean(),
  verify: fc.boolean(),
  corrections: fc.integer({ min: 0, max: 2 }),
  retain: fc.constantFrom(null, 1, 3),
  compact: fc.constantFrom(null, null, 1, 2),
  mode: fc.constantFrom(null, 'tools', 'text'),
  choices: fc.array(fc.integer({ min: 0, max: 19 }), { minLength: 1, maxLength: 40 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;

function withoutOutput(content: string | null): string | null {
  return (
    content?.replace(/(?<=<untrusted_svc_output source="evaluation">)[^]*(?=<\/untrusted_svc_output>)/, '') ?? null
  );
}

describe('laws of agent.machine (agent-library.md §5, §14)', () => {
  let sandbox: Sandbox;
  let isolate: Isolate;
  before(async () => {
    sandbox = startBuiltSandbox();
    const driver = {
      id: 'driver',
      source: readFileSync(join(import.meta.dirname, 'driver.clj'), 'utf8'),
      dependencies: ['agent.machine'],
    };
    const { code } = await compiled(sandbox, [...closureOf(['agent.machine']), driver], 'workflow');
    isolate = await sandbox.openIsolate({ environment: 'workflow', trustDomain: 'conformance', heapWords: 8_000_000 });
    await isolate.request({ operation: 'load', code }, { timeoutMs: 60_000 });
  });
  after(async () => {
    await isolate.dispose();
    await sandbox.close();
  });

  const drive = async (input: Plan): Promise<Driven> => {
    const outcome = await isolate.request(
      {
        operation: 'evaluate',
        environment: 'workflow',
        source: '(driver/drive data/plan)',
        data: { plan: JSON.stringify(input) },
        tools: [],
        loop_iterations: null,
        projection: 'json',
      },
      { timeoutMs: 60_000 },
    );
    if (outcome.status !== 'replied') throw new Error(outcome.status);
    const { reply } = outcome;
    if (reply.outcome !== 'continued' || reply.value === null) throw new Error(JSON.stringify(reply));
    return JSON.parse(reply.value);
  };

  const law = (title: string, holds: (driven: Driven, input: Plan) => void): void => {
    it(title, async () => {
      await fc.assert(
        fc.asyncProperty(plan, async (input) => holds(await drive(input), input)),
        { numRuns: SEQUENCES, verbose: true },
      );
    });
  };

  law(
    'every call is answered exactly once, at once, by its id, and none is made in text mode',
    ({ steps }, { mode }) => {
      for (const { messages = [] } of steps) {
        messages.forEach(({ role, tool_calls: calls, tool_call_id: answered }, at) => {
          if (calls !== undefined)
            expect(messages[at + 1]).to.deep.include({ role: 'tool', tool_call_id: calls[0]?.id });
          if (role === 'tool') expect(messages[at - 1]?.tool_calls?.map(({ id }) => id)).to.deep.equal([answered]);
        });
        if (mode === 'text') expect(messages.map(({ role }) => role)).to.not.include('tool');
        const ids = messages.flatMap(({ tool_call_id: id }) => (id === undefined ? [] : [id]));
        expect(new Set(ids).size).to.equal(ids.length);
      }
    },
  );

  law(
    'turns go up by one with each request, phases never go back, and no phase has more turns than it was given',
    ({ steps }, { phases }) => {
      const requests = steps.filter((step) => step.do === 'request');
      expect(requests.map(({ turn }) => turn)).to.deep.equal(requests.map((_, index) => index));
      requests.forEach((request, index) => {
        const before = requests[index - 1];
        expect(request.phase_turn).to.be.below(phases[request.phase]?.turns ?? 0);
        if (before !== undefined && request.phase === before.phase)
          expect(request.phase_turn).to.equal(before.phase_turn + 1);
        else expect(request).to.include({ phase: (before?.phase ?? -1) + 1, phase_turn: 0 });
      });
    },
  );

  law(
    'nothing that was said is dropped: each request holds all of the one before, but outputs that are no longer shown',
    ({ steps }, { compact }) => {
      let said: readonly Message[] = [];
      for (const { messages, do: what } of steps) {
        if (messages === undefined || (compact !== null && what !== 'request')) continue;
        const reported = messages.map((message) =>
          compact === null ? message : { ...message, content: withoutOutput(message.content) },
        );
        expect(reported.slice(0, said.length)).to.deep.equal(said);
        said = reported;
      }
    },
  );

  law(
    'outputs that are no longer shown go in steps: in between, a request begins with all of the one before',
    ({ steps }, { compact, mode }) => {
      // In text mode corrections count like outputs.
      if (compact === null || mode === 'text') return;
      let [said, before]: [readonly Message[], number] = [[], 0];
      for (const { messages = [], do: what } of steps) {
        if (what !== 'request') continue;
        const outputs = messages.filter(({ role }) => role === 'tool');
        const step = Math.floor(outputs.length / compact);
        if (step === before) expect(messages.slice(0, said.length)).to.deep.equal(said);
        expect(outputs.slice(-compact).filter(({ content }) => content?.includes('no longer shown'))).to.deep.equal([]);
        [said, before] = [messages, step];
      }
    },
  );

  law('every turn that did not end the loop is counted once', ({ steps }) => {
    for (const { do: what, turn, counted } of steps) if (what === 'request') expect(counted).to.equal(turn);
  });

  law('each request says how many turns are left, and asks with the prompt of its phase', ({ steps }, { phases }) => {
    for (const { messages = [], phase: at, phase_turn: turn, prompt, do: what } of steps) {
      if (what !== 'request') continue;
      const left = (phases[at]?.turns ?? 0) - turn;
      expect(messages.at(-1)?.content).to.match(new RegExp(`(?:^|\\n)${left} turns? (?:is|are) left`));
      expect(prompt).to.equal(phases[at]?.mission);
    }
  });

  law(
    'a hand-over loses nothing: what is closing stays so, what is unsafe stays so, programs and rejections are counted on',
    ({ steps }, { retain }) => {
      steps.forEach((step, index) => {
        const before = steps[index - 1];
        if (before === undefined) return;
        expect(step.closing).to.equal(before.closing || (before.do === 'evaluate' && before.chosen === AFTER_A_WRITE));
        expect(!step.safe || before.safe).to.equal(true);
        expect(step.rejections).to.be.at.least(before.rejections);
        expect(step.kept + step.omitted).to.be.within(
          before.kept + before.omitted,
          before.kept + before.omitted + (before.do === 'evaluate' ? 1 : 0),
        );
        expect(step.kept).to.be.at.most(retain ?? 0);
      });
    },
  );

  law('programs run in the mission of their phase, and one at most in a turn', ({ steps }, { phases }) => {
    const evaluations = steps.filter((step) => step.do === 'evaluate');
    for (const { mission, phase: at } of evaluations) expect(mission).to.equal(phases[at]?.mission);
    expect(new Set(evaluations.map(({ turn }) => turn)).size).to.equal(evaluations.length);
  });

  law('every loop ends within its turns, and nothing moves it afterwards', ({ steps, after }, { phases }) => {
    expect(steps.at(-1)?.do).to.be.oneOf(['done', 'abort']);
    expect(steps.filter((step) => step.do === 'request')).to.have.lengthOf.at.most(
      phases.reduce((sum, { turns }) => sum + turns, 0),
    );
    expect(after).to.deep.equal(after.map(() => 'failed'));
  });

  it('the sequences reach every step of the table', async () => {
    const reached = new Set<string>();
    const sample = fc.sample(plan, { numRuns: 2000, seed: 1 });
    for (const input of sample)
      for (const step of (await drive(input)).steps)
        reached.add([step.do, Object(step).status, Object(step).cause].filter(Boolean).join(' '));
    expect([...reached]).to.include.members([
      'request',
      'evaluate',
      'check',
      'validate',
      'verify',
      'done returned',
      'done subject-failure',
      'done provider-failure',
      'abort provider',
      'abort truncated',
      'abort phase-contract',
      'abort result-contract',
      'abort evaluations',
      'abort evaluation-unavailable',
      'abort capability-unavailable',
      'abort failed',
    ]);
  });
});
