/**
 * What the compiler finds in the shipped libraries, and what programs see of them (agent-library.md §1, language.md
 * §13).
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Sandbox } from '../../pool/interface.ts';
import { LIBRARIES, closureOf, exportsOf, librarySource, play, startBuiltSandbox } from './library-program.ts';

/** What every entry of the agent loop may call. */
const LOOP =
  'tool:kernel-agent-config-failure,tool:kernel-agent-protocol-error,tool:kernel-check-source,tool:kernel-eval,tool:kernel-llm-provider-failure,tool:kernel-mission-model-context,tool:kernel-phase-return-contract-failure,tool:kernel-result-contract,tool:kernel-result-contract-failure,tool:kernel-runtime-limit-failure,tool:kernel-workspace,tool:llm-request,tool:workflow-annotate';

/** Export, accepted counts of arguments, requirements, visibility. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  'agent.core': [
    'agent.core/fail-outcome 1 tool:kernel-agent-outcome-failure,tool:kernel-llm-provider-failure prompt',
    `agent.core/run 2 ${LOOP} prompt`,
    `agent.core/run-outcome 2 ${LOOP.replace('tool:kernel-agent-protocol-error', 'tool:kernel-agent-outcome-failure,tool:kernel-agent-protocol-error')} prompt`,
    `agent.core/run-phased-result-value 2 ${LOOP} prompt`,
    `agent.core/run-result-value 2 ${LOOP} prompt`,
    `agent.core/run-value 2 ${LOOP} prompt`,
  ],
  'agent.failover': [
    `agent.failover/run-outcome 3 ${LOOP.replace('tool:kernel-agent-protocol-error', 'tool:kernel-agent-outcome-failure,tool:kernel-agent-protocol-error').replace('tool:kernel-mission-model', 'tool:kernel-mission-inventory,tool:kernel-mission-model').replace('tool:workflow', 'tool:runtime-usage,tool:workflow')} prompt`,
  ],
  'agent.failure': ['agent.failure/classify 1 - discoverable'],
  'agent.feedback': [
    'agent.feedback/capability-error 1,2 - prompt',
    'agent.feedback/compacted 2 - discoverable',
    'agent.feedback/evaluation-error 1,2 - prompt',
    'agent.feedback/non-retryable 1 - prompt',
    'agent.feedback/outgrown 2 - discoverable',
    'agent.feedback/phase-budget 3 - discoverable',
    'agent.feedback/phase-result-contract 1 - prompt',
    'agent.feedback/protocol-error 1,2 - prompt',
    'agent.feedback/rejection 1 - discoverable',
    'agent.feedback/result-contract 1 - prompt',
    'agent.feedback/success 2 - prompt',
    'agent.feedback/summary 2 - discoverable',
    'agent.feedback/terminal-source-required 1 - prompt',
    'agent.feedback/transition 2 - discoverable',
    'agent.feedback/turn-budget 2 - prompt',
    'agent.feedback/with-fence-ids 1 - discoverable',
    'agent.feedback/with-summary 3 - discoverable',
  ],
  'agent.machine': ['agent.machine/advance 2 - discoverable', 'agent.machine/start 2 - discoverable'],
  'agent.main': [`agent.main/run 1 ${LOOP} prompt`],
  'agent.native': [
    'agent.native/normalize 2 - prompt',
    'agent.native/normalize-text 2 - discoverable',
    'agent.native/tool-schema 0 - prompt',
  ],
  'agent.prompt': [
    'agent.prompt/initial-state 1 - discoverable',
    'agent.prompt/render 1 tool:kernel-mission-model-context discoverable',
    'agent.prompt/transition 2 - discoverable',
  ],
  'agent.retry': ['agent.retry/backoff-ms 2 - prompt', 'agent.retry/retry? 2 - prompt'],
  analysis: [
    'analysis/counters 1 tool:analysis-counters prompt',
    'analysis/open 1 tool:analysis-open prompt',
    'analysis/read 2 tool:analysis-read prompt',
    'analysis/runs 1 tool:analysis-runs prompt',
  ],
  cap: [
    'cap/describe 1 tool:cap-describe discoverable',
    'cap/fold-pages 4 - discoverable',
    'cap/list 0 tool:cap-list discoverable',
    'cap/search 1 tool:cap-search discoverable',
    'cap/unwrap! 1 - discoverable',
  ],
  csv: ['csv/read 1,2 - prompt', 'csv/write 1,2 - prompt'],
  'debug.nav': [
    'debug.nav/counters 1 tool:debug.nav.counters prompt',
    'debug.nav/follow 3 tool:debug.nav.read prompt',
    'debug.nav/open 1 tool:debug.nav.open prompt',
    'debug.nav/read 2 tool:debug.nav.read prompt',
    'debug.nav/runs 1 tool:debug.nav.runs prompt',
  ],
  decision: ['decision/request 1 tool:decision-request prompt'],
  kernel: [
    'kernel/check-source 2 tool:kernel-check-source prompt',
    'kernel/check-terminal-source 2 tool:kernel-check-source prompt',
    'kernel/eval 2 tool:kernel-eval prompt',
    'kernel/eval-source 2 tool:kernel-eval prompt',
    'kernel/eval-source-with 3 tool:kernel-eval prompt',
    'kernel/eval-with 3 tool:kernel-eval prompt',
    'kernel/mission-inventory 1 tool:kernel-mission-inventory prompt',
    'kernel/mission-model-context 1,2 tool:kernel-mission-model-context prompt',
    'kernel/phase-return-contract-presentation 1 tool:kernel-result-contract prompt',
    'kernel/result-contract-presentation 0 tool:kernel-result-contract prompt',
    'kernel/validate-phase-return 2 tool:kernel-result-contract prompt',
    'kernel/validate-result 1 tool:kernel-result-contract prompt',
  ],
  llm: ['llm/request 1 tool:llm-request prompt', 'llm/request! 1 tool:llm-request prompt'],
  'prompt.audit': [
    'prompt.audit/delta 2 - discoverable',
    'prompt.audit/measure 1 - discoverable',
    'prompt.audit/segments 1 - discoverable',
  ],
  result: ['result/error 2 - prompt', 'result/ok 1 - prompt', 'result/ok? 1 - prompt'],
  runtime: ['runtime/remaining 0 tool:runtime-remaining prompt', 'runtime/usage 0 tool:runtime-usage prompt'],
  text: [
    'text/dedent 1 - prompt',
    'text/indent 2 - prompt',
    'text/lines 1 - prompt',
    'text/table 1 - prompt',
    'text/words 1 - prompt',
    'text/wrap 2 - prompt',
  ],
  'workflow.event': ['workflow.event/annotate 2 tool:workflow-annotate prompt'],
};

describe('shipped libraries (agent-library.md §1)', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = startBuiltSandbox();
  });
  after(async () => {
    await sandbox.close();
  });

  it('are exactly the sources that the build brought along', () => {
    const files = readdirSync(join(import.meta.dirname, '../../../dist/libraries')).map((name) =>
      name.replace(/\.clj$/, ''),
    );
    expect([...LIBRARIES.keys()].toSorted()).to.deep.equal(files.toSorted());
    for (const id of LIBRARIES.keys())
      expect(librarySource(id)).to.equal(new TextDecoder().decode(LIBRARIES.get(id)?.source));
  });

  for (const [id, facts] of Object.entries(FACTS)) {
    it(`${id} exports what its table says, every function with a docstring`, async () => {
      const exports = await exportsOf(sandbox, closureOf([id]));
      const own = exports.filter(({ ref }) => ref.startsWith(`${id}/`));
      expect(
        own.map(
          ({ ref, arities, requirements, visibility }) =>
            `${ref} ${arities.join()} ${requirements.join() || '-'} ${visibility}`,
        ),
      ).to.deep.equal(facts);
      for (const { doc } of own) expect(doc).to.be.a('string').with.length.greaterThan(10);
    });
  }

  it('pass their requirements on to what calls them', async () => {
    const probe = {
      id: 'probe',
      dependencies: ['kernel', 'result'],
      source: '(ns probe) (defn run [x] (result/ok (kernel/eval "m" (program 1))))',
    };
    const run = (await exportsOf(sandbox, [...closureOf(['kernel', 'result']), probe])).find(
      ({ ref }) => ref === 'probe/run',
    );
    expect(run?.requirements).to.deep.equal(['tool:kernel-eval']);
  });

  it('are named only by components that list them as dependencies', async () => {
    const probe = { id: 'probe', dependencies: [], source: '(ns probe) (defn run [x] (result/ok x))' };
    const refusal = await exportsOf(sandbox, [...closureOf(['result']), probe]).then(
      () => 'compiled',
      (error: unknown) => String(error),
    );
    expect(refusal).to.match(/unknown_namespace/);
  });

  it('show their source, their text and themselves', async () => {
    const shown = await play(sandbox, ['result'], '(source result/ok?) (doc result/ok) (dir result)');
    expect(shown.ended).to.equal('continued ["result/error" "result/ok" "result/ok?"]');
    expect(shown.reply.prints[0]).to.match(/^\(defn ok\?/);
    expect(shown.reply.prints[1]).to.include('{:ok true :value value}');
    const meta = await play(sandbox, ['result'], '(:signature (export-meta result/ok?))');
    expect(meta.ended).to.equal('continued "(candidate :any) -> :bool"');
  });

  it('keep their helpers to themselves, and cannot be redefined', async () => {
    expect((await play(sandbox, ['cap'], '(cap/refuse 1 2)')).ended).to.equal('invalid_form');
    expect((await play(sandbox, ['cap'], '(def cap/unwrap! 1)')).ended).to.equal('invalid_form');
  });
});

/** Routes that only the shipped agent may name (runtime.md §6, "Private routes"). */
const PRIVATE_ROUTES = [
  'kernel-runtime-limit-failure',
  'kernel-llm-provider-failure',
  'kernel-result-contract-failure',
  'kernel-phase-return-contract-failure',
  'kernel-agent-config-failure',
  'kernel-agent-outcome-failure',
  'kernel-agent-protocol-error',
];

describe('private routes (language.md §14, agent-library.md §1)', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = startBuiltSandbox();
  });
  after(async () => {
    await sandbox.close();
  });

  for (const name of PRIVATE_ROUTES) {
    it(`${name} is refused in components and programs, called or not`, async () => {
      const probe = { id: 'probe', dependencies: [], source: `(ns probe) (defn run [x] (if x 1 (tool/${name} {})))` };
      expect(
        await exportsOf(sandbox, [probe]).then(
          () => 'compiled',
          (error: unknown) => String(error),
        ),
      ).to.match(/private_tool_unauthorized/);
      expect((await play(sandbox, ['result'], `(if true 1 (tool/${name} {}))`)).ended).to.equal(
        'private_tool_unauthorized',
      );
      expect((await play(sandbox, ['result'], `(map tool/${name} [])`)).ended).to.equal('private_tool_unauthorized');
    });
  }
});
