/** What no run of an application can bring about: answers in forms that no wire gives, and providers that break. */
import { expect } from 'chai';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { bare, ok, play, refusal, startBuiltSandbox } from '../../../sandbox/test/libraries/library-program.ts';

const CALL = '{:id "c" :name "run_svc_lisp" :args {"program" "1"}}';
const LIMIT = (bindings: string): string =>
  `{:content "x" :model "small" :finish_reason "length" :output_limit {:name "max_tokens" :value 5 :bindings ${bindings}}}`;

/** Answer, and kind and reason of the action (agent-library.md §5.2). */
const ANSWERS: readonly (readonly [string, string])[] = [
  ['"text"', '[:protocol-error :invalid-response]'],
  ['nil', '[:protocol-error :invalid-response]'],
  ['{}', '[:protocol-error :missing-tool-call]'],
  ['{:content " "}', '[:protocol-error :missing-tool-call]'],
  ['{:content "x"}', '[:protocol-error :assistant-text-without-tool-call]'],
  ['{:content "x" :tool_calls []}', '[:protocol-error :multiple-or-missing-tool-calls]'],
  [`{:tool_calls [${CALL} ${CALL}]}`, '[:protocol-error :multiple-or-missing-tool-calls]'],
  [`{:tool_calls [(dissoc ${CALL} :name)]}`, '[:protocol-error :wrong-tool-name]'],
  [`{:tool_calls [(assoc ${CALL} :id 7)]}`, '[:protocol-error :invalid-tool-call-id]'],
  [`{:tool_calls [(assoc ${CALL} :args_error "bad")]}`, '[:protocol-error :invalid-json-arguments]'],
  [`{:tool_calls [(assoc ${CALL} :args [1])]}`, '[:protocol-error :invalid-json-arguments]'],
  [`{:tool_calls [{:id "c" :name "run_svc_lisp" :arguments "{\\"program\\":\\"1\\"}"}]}`, '[:tool-call nil]'],
  [
    `{:tool_calls [{:id "c" :function {:name "run_svc_lisp" :arguments "{\\"program\\":\\"1\\"}"}}]}`,
    '[:tool-call nil]',
  ],
  [`{:tool_calls [${CALL}] :finish_reason "length" :model "small"}`, '[:tool-call nil]'],
  [LIMIT('["configured"]'), '[:model-output-truncated nil]'],
  [LIMIT('["application_limit" "remaining_context"]'), '[:model-output-truncated nil]'],
  [LIMIT('[]'), '[:protocol-error :assistant-text-without-tool-call]'],
  [LIMIT('["remaining_context" "application_limit"]'), '[:protocol-error :assistant-text-without-tool-call]'],
  [LIMIT('["made_up"]'), '[:protocol-error :assistant-text-without-tool-call]'],
  ['{:status :error :kind :provider_error :reason :timeout}', '[:provider-error nil]'],
  [
    '{:status :error :kind :limit_exceeded :reason :capability_quota :details {:limit "max_calls" :alias "small" :limit_value 1}}',
    '[:max-calls nil]',
  ],
  [
    '{:status :error :kind :limit_exceeded :reason :capability_quota :details {:limit "max_calls" :alias "small" :limit_value 0}}',
    '[:provider-error nil]',
  ],
  [
    '{:status :error :kind :limit_exceeded :reason :llm_total_tokens :details {:limit "llm_total_tokens" :limit_value 9 :remaining 9 :requested 10}}',
    '[:max-calls nil]',
  ],
  [
    '{:status :error :kind :limit_exceeded :reason :llm_total_tokens :details {:limit "llm_total_tokens" :limit_value 9 :remaining 10 :requested 11}}',
    '[:provider-error nil]',
  ],
];

/** A violation with name lists as long as the kernel makes them (documents.md §4). */
const VIOLATION =
  '{:kind "missing" :path "/a" :missing-required (vec (repeat 32 (apply str (repeat 128 "k")))) :allowed-keys (vec (repeat 32 (apply str (repeat 128 "j"))))}';

describe('parts of the agent loop by themselves', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = startBuiltSandbox();
  });
  after(async () => {
    await sandbox.close();
  });

  it('10 every answer has one meaning', async () => {
    const source = `[${ANSWERS.map(([answer]) => `(let [action (agent.native/normalize ${answer} 64000)] [(:kind action) (:reason action)])`).join(' ')}]`;
    const { ended } = await play(sandbox, ['agent.native'], source);
    expect(ended).to.equal(`continued [${ANSWERS.map(([, action]) => action).join(' ')}]`);
  });

  it('41 a provider that breaks ends the workflow, in run-outcome too', async () => {
    const { ended, calls } = await play(sandbox, ['agent.core'], '(agent.core/run-outcome "task" {})', [
      ok('{"namespaces":[],"entries":[]}'),
      ok({ workspace: 'loop-1' }),
      ok('{"namespaces":[],"entries":[]}'),
      refusal('provider_error', 'exception'),
      bare({ status: 'ok' }),
      refusal('protocol_error', 'invalid_llm_provider_failure'),
    ]);
    expect(calls.map((call) => call.split(' ')[0])).to.deep.equal([
      'kernel-mission-model-context',
      'kernel-workspace',
      'kernel-mission-model-context',
      'llm-request',
      'workflow-annotate',
      'kernel-llm-provider-failure',
    ]);
    expect(calls[5]).to.include('"reason":"exception"');
    expect(ended).to.match(/^failed .*exception/);
  });

  it('46 diagnostics of a contract are cut to 32768 characters and end with what to do', async () => {
    const source = `(let [text (agent.feedback/result-contract {:details {:value-kind "object" :violations (vec (repeat 8 ${VIOLATION}))}})] [(count text) (clojure.string/includes? text " ... (cut)\\nReturn a valid value with (return value).")])`;
    const { ended } = await play(sandbox, ['agent.feedback'], source);
    const [, length = '0', isCut] = /^continued \[(\d+) (true|false)\]$/.exec(ended) ?? [];
    expect(isCut, ended).to.equal('true');
    expect(Number(length)).to.be.within(32_700, 32_768);
  });
});
