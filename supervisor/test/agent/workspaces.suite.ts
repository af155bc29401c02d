/** Every loop has a continuation of its own, or one that it shares by name (world.md §3.1). */
import { expect } from 'chai';
import { useAgents } from './agent-run.ts';
import type { AgentApplication, Said } from './scenario.ts';

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const LOOPS = 32;
/** One mission, a loop for each document. */
const FAN_OUT: AgentApplication = {
  body: '(vec (pmap (fn [doc] (agent.core/run-value (str "Sum up " (get doc "id") ".") {"data" {"doc" doc} "max_turns" 3})) (get (:agent input) "docs")))',
  agent: { docs: range(LOOPS).map((n) => ({ id: `document-${String(n)};`, words: range(n + 1) })) },
  limits: {
    workflow_timeout_ms: 300_000,
    parallel_timeout_ms: 300_000,
    run_duration_ms: 400_000,
    evaluation_admission_timeout_ms: 60_000,
    normal_event_count: 4096,
    normal_event_bytes: 1_048_576,
  },
};
const about = (n: number, program: string): Said => ({
  about: `Sum up document-${String(n)};`,
  program,
  delayMs: 50,
});

const TWO: AgentApplication = {
  body: '[(agent.core/run-value "First." (:agent input)) (agent.core/run-value "Second." (:agent input))]',
};

describe('workspaces of agent loops (world.md §3.1)', () => {
  const agents = useAgents();

  it(`${String(LOOPS)} loops at once in one mission, each with its document, and all use the same names`, async () => {
    const answers = range(LOOPS).flatMap((n) => [
      about(n, '(def words (get data/doc "words"))'),
      about(n, '(def total (reduce + words))'),
      about(n, '(return [(get data/doc "id") (count words) total])'),
    ]);
    const { value, code, envelope, requests } = await agents.play(FAN_OUT, answers);
    expect(code, JSON.stringify(envelope['error'])).to.equal(null);
    expect(value).to.deep.equal(range(LOOPS).map((n) => [`document-${String(n)};`, n + 1, (n * (n + 1)) / 2]));
    const shown = requests.filter(({ system }) => system.includes('- Value: data/doc\n'));
    expect(shown).to.have.lengthOf(3 * LOOPS);
  });

  it('a loop begins without what an earlier one defined, and without its values', async () => {
    const { value, requests } = await agents.play(TWO, ['(def a 7)', '(return a)', '(+ a 1)', '(return [*1])']);
    expect(value).to.deep.equal([7, [null]]);
    expect(requests.at(-1)?.messages.at(-1)?.content).to.include('unbound');
  });

  it('loops of one name go on from each other, and kernel/eval does not see them', async () => {
    const application = {
      body: '(let [cfg {"workspace" "notes"}] [(agent.core/run-value "First." cfg) (agent.core/run-value "Other." {}) (agent.core/run-value "Second." cfg) (:outcome (kernel/eval-source "default" "a"))])',
    };
    const { value } = await agents.play(application, ['(def a 7)', '(return a)', '(return 1)', '(return (inc a))']);
    expect(value).to.deep.equal([7, 1, 8, 'evaluation_error']);
  });

  it('a name is free again after a loop that a function of the workflow ended', async () => {
    const application = {
      body: '(let [cfg {"workspace" "notes"} failed (try (agent.core/run-outcome "First." (assoc cfg "verify" (fn [_] (throw (ex-info "no" {}))))) (catch Throwable e (ex-message e)))] [failed (agent.core/run-value "Second." cfg)])',
    };
    const { value } = await agents.play(application, ['(return 1)', '(return 2)']);
    expect(value).to.deep.equal(['no', 2]);
  });

  it('data of a loop hides that of its mission of the same name, and stays with the loop', async () => {
    const application = {
      body: '(let [read (fn [cfg] (agent.core/run-value "Read." cfg))] [(read {"data" {"a" 2 "odd name" 0}}) (read {}) (:value (kernel/eval-source "default" "(return data/a)"))])',
      missions: { default: { data: { a: 1, b: 5 } } },
    };
    const refused = await agents.play(application, []);
    expect(refused.code).to.equal('invalid_agent_config');
    const named = { ...application, body: application.body.replace(' "odd name" 0', '') };
    const { value } = await agents.play(named, ['(return [data/a data/b])', '(return [data/a data/b])']);
    expect(value).to.deep.equal([[2, 5], [1, 5], 1]);
  });

  it('refuses two loops in one workspace at once', async () => {
    const body = '(vec (pmap (fn [n] (agent.core/run-value (str "Loop " n) {"workspace" "notes"})) [1 2]))';
    // Whichever is first is never answered: it holds the workspace until the other one has asked for it.
    const { code, envelope } = await agents.play({ body }, [{ fault: 'silent' }]);
    expect([code, Object(envelope['error']).message]).to.deep.equal([
      'invalid_agent_config',
      'agent option workspace violates rule workspace-in-use',
    ]);
  });

  const refusals: readonly (readonly [title: string, body: string, message: string])[] = [
    [
      'a workspace without a name',
      '(agent.core/run-value "x" {"workspace" " "})',
      'agent option workspace violates rule invalid-workspace',
    ],
    ['data that is no map', '(agent.core/run-value "x" {"data" [1]})', 'agent option data violates rule invalid-data'],
    [
      'more data than a call may carry',
      '(agent.core/run-value "x" {"data" {"a" (apply str (repeat 300000 "x"))}})',
      'agent option data violates rule invalid-data',
    ],
  ];
  for (const [title, body, message] of refusals) {
    it(`refuses ${title}`, async () => {
      const { code, envelope } = await agents.play({ body }, ['(def a 1)']);
      expect([code, Object(envelope['error']).message]).to.deep.equal(['invalid_agent_config', message]);
    });
  }

  it('what loops held that are over leaves its room to later ones', async () => {
    const application = {
      body: '(mapv (fn [n] (agent.core/run-value (str "Loop " n) {})) (range 4))',
      limits: { evaluation_memory_bytes: 100_000 },
    };
    const answers = range(4).flatMap(() => ['(def a (apply str (repeat 60000 "x"))) nil', '(return (count a))']);
    const { value, envelope } = await agents.play(application, answers);
    expect(value).to.deep.equal([60_000, 60_000, 60_000, 60_000]);
    expect(Object(envelope['execution']).evaluation_memory).to.deep.include({ defined_count: 1 });
  });
});
