/**
 * No code but the agent's own component can name a private route, in whatever way it tries (runtime.md §6, language.md
 * §14).
 */
import { expect } from 'chai';
import { REPORTERS, useReporters } from './reporter-runs.ts';

const ROUTE = 'tool/kernel-agent-protocol-error';

describe('callers of private routes', () => {
  const runs = useReporters();

  describe('components that are not the agent', () => {
    for (const route of Object.values(REPORTERS)) {
      it(`the workflow's own cannot name ${route}, not even in dead code`, async () => {
        const { code, envelope, exitStatus } = await runs.run({ body: `(if false (tool/${route} {}) 1)` });
        expect([code, exitStatus]).to.deep.equal(['compile_failed', 3]);
        expect(envelope)
          .to.have.property('error')
          .that.deep.includes({
            phase: 'bundle',
            message: 'a component could not be compiled: private_tool_unauthorized',
            source: { kind: 'component', name: 'main.clj' },
          });
        expect(envelope.execution).to.deep.equal({ state: 'not_started' });
      });

      it(`a mission's own cannot name ${route}`, async () => {
        const done = await runs.run({
          body: '1',
          mission: [{ id: 'a', path: 'a.clj' }],
          files: { 'a.clj': `(ns a)\n(defn f [] (tool/${route} {}))` },
        });
        expect([done.code, done.exitStatus]).to.deep.equal(['compile_failed', 3]);
        expect(done.envelope).to.have.nested.property(
          'error.message',
          'a component could not be compiled: private_tool_unauthorized',
        );
      });
    }

    const names: readonly (readonly [id: string, text: string])[] = [
      ['agent', `(ns agent)\n(defn f [] (${ROUTE} {}))`],
      ['agent.core.more', `(ns agent.core.more)\n(defn f [] (${ROUTE} {}))`],
      ['agent.cor', `(ns agent.core)\n(defn f [] (${ROUTE} {}))`],
      ['agent_core', `(ns agent_core)\n(def f ${ROUTE})`],
    ];
    for (const [id, text] of names) {
      it(`${text.split('\n')[0]} under the id ${id}`, async () => {
        const done = await runs.run({ body: '1', components: [{ id, path: 'a.clj' }], files: { 'a.clj': text } });
        expect([done.code, done.exitStatus]).to.deep.equal(['compile_failed', 3]);
      });
    }

    const LOCAL = { id: 'agent.core', path: 'a.clj' };
    const FILES = { 'a.clj': '(ns agent.core)\n(defn f [] 1)' };
    it('none of the application bears the id of the agent, with or beside the library', async () => {
      for (const input of [
        { components: [LOCAL] },
        { shipped: ['kernel'], components: [LOCAL] },
        { mission: [LOCAL] },
        { mission: [{ library: 'agent.core' }, LOCAL] },
      ]) {
        const done = await runs.run({ body: '1', files: FILES, ...input });
        expect([done.code, done.exitStatus], JSON.stringify(input)).to.deep.equal(['schema_violation', 3]);
        expect(done.envelope)
          .to.have.nested.property('error.message')
          .that.includes('a component id belongs to a library');
      }
    });

    it('a mission that selects the agent lacks what the agent needs', async () => {
      const done = await runs.run({ body: '1', mission: [{ library: 'agent.core' }] });
      expect([done.code, done.exitStatus]).to.deep.equal(['mission_capability_ungranted', 3]);
    });
  });

  describe('what the agent keeps to itself', () => {
    const reaching: readonly (readonly [form: string, code: string])[] = [
      ['(agent.core/kept {})', 'undefined_variable'],
      ["(#'agent.core/kept {})", 'undefined_variable'],
      ['(@(var agent.core/kept) {})', 'undefined_variable'],
      ["(do (require '[agent.core :refer [kept]]) (kept {}))", 'compile_failed'],
      ["(eval '(agent.core/kept {}))", 'undefined_variable'],
      [`(eval '(${ROUTE} {}))`, 'undefined_variable'],
      [`((resolve '${ROUTE}) {})`, 'undefined_variable'],
      [`(#'${ROUTE} {})`, 'compile_failed'],
      [`(map ${ROUTE} [{}])`, 'compile_failed'],
      [`((fn [f] (f {})) ${ROUTE})`, 'compile_failed'],
      [`#(${ROUTE} %)`, 'compile_failed'],
      [`(-> {} ${ROUTE})`, 'compile_failed'],
      ['(do (def agent.core/limit 1) 1)', 'compile_failed'],
      ['(tool/kernel_agent_protocol_error {})', 'capability_requirement_missing'],
      [`(tool/call '${ROUTE} {})`, 'capability_requirement_missing'],
    ];
    for (const [form, code] of reaching) {
      it(`${form}: ${code}`, async () => {
        const done = await runs.run({ body: form });
        expect(done.code).to.equal(code);
        expect(done.envelope.execution).to.deep.equal({ state: 'not_started' });
      });
    }

    for (const [form, printed] of [
      [`'${ROUTE}`, ROUTE],
      [`('${ROUTE} {})`, 'nil'],
      [`(apply (symbol "${ROUTE}") [{}])`, 'nil'],
    ] as const) {
      it(`its name is a name: ${form}`, async () => {
        const done = await runs.run({ body: form });
        expect(done.value).to.deep.equal({ 'a-b': 0, answer: printed });
        expect(done.usage).to.include({ agent_protocol_errors: 0 });
      });
    }
  });

  describe('programs of missions', () => {
    const evaluated = (program: string, application = {}) =>
      runs.run({
        body: `(let [told (kernel/eval-source "m" ${JSON.stringify(program)})] [(get told "outcome") (get told "reason")])`,
        ...application,
      });

    for (const route of Object.values(REPORTERS)) {
      it(`cannot name ${route}`, async () => {
        const done = await evaluated(`(if false (tool/${route} {}) 1)`);
        expect(done.value).to.deep.equal({ 'a-b': 0, answer: '["evaluation_error" "private_tool_unauthorized"]' });
        expect(done.usage).to.deep.include({
          capability_denials: { private_tool_unauthorized: 1 },
          agent_protocol_errors: 0,
          protocol_errors: 0,
        });
        expect(done.events.some(({ data }) => data['name'] === route)).to.equal(false);
      });
    }

    const reaching: readonly (readonly [program: string, reason: string])[] = [
      [`(map ${ROUTE} [{}])`, 'private_tool_unauthorized'],
      [`(let [{call :x} {:x ${ROUTE}}] (call {}))`, 'private_tool_unauthorized'],
      [`(do (ns agent.core) (${ROUTE} {}))`, 'private_tool_unauthorized'],
      [`(do (in-ns 'agent.core) (${ROUTE} {}))`, 'private_tool_unauthorized'],
      [`(try (${ROUTE} {}) (catch Throwable e 1))`, 'private_tool_unauthorized'],
      [`(eval '(${ROUTE} {}))`, 'unbound_var'],
      [`((resolve '${ROUTE}) {})`, 'unbound_var'],
      [`(do (defmacro m [] '(${ROUTE} {})) (m))`, 'unbound_var'],
      [`(#'${ROUTE} {})`, 'invalid_form'],
      ['(agent.core/protocol-error {})', 'invalid_form'],
      [`(tool/call '${ROUTE} {})`, 'unknown_tool'],
      ['(tool/kernel_agent_protocol_error {})', 'unknown_tool'],
      ['(data/params {})', 'runtime_error'],
      // Names of values, however they are made, are no functions that call.
      [`('${ROUTE} {})`, ''],
      [`(apply (symbol "tool" "kernel-agent-protocol-error") [{}])`, ''],
      ['(tool/cap-describe {:name "kernel-agent-protocol-error"})', ''],
    ];
    for (const [program, reason] of reaching) {
      it(`${program}: ${reason === '' ? 'nothing is called' : reason}`, async () => {
        const done = await evaluated(program);
        expect(done.value).to.deep.equal({
          'a-b': 0,
          answer: reason === '' ? '["continued" nil]' : `["evaluation_error" "${reason}"]`,
        });
        expect(done.usage).to.include({ agent_protocol_errors: 0 });
        expect(done.events.filter(({ data }) => String(data['name']).startsWith('kernel-agent'))).to.deep.equal([]);
      });
    }

    it('are told nothing of them', async () => {
      const done = await runs.run({
        body: '[(kernel/mission-inventory "m") (kernel/mission-model-context "m") (kernel/eval-source "m" "(tool/cap-list)")]',
      });
      expect(done.code).to.equal(null);
      for (const route of Object.values(REPORTERS)) expect(JSON.stringify(done.value)).to.not.include(route);
    });

    it('cannot be given the functions of the agent', async () => {
      const done = await runs.run({
        body: '(kernel/eval-source-with "m" "(data/params {})" agent.core/protocol-error)',
      });
      expect([done.code, done.usage['agent_protocol_errors']]).to.deep.equal(['evaluation_failed', 0]);
    });

    it('are refused by a check as well, and so are those that a workflow embeds', async () => {
      const checked = await runs.run({
        body: `(let [told (kernel/check-source "m" "(${ROUTE} {})")] [(get told "outcome") (get (get told "diagnostic") "kind")])`,
      });
      expect(checked.value).to.deep.equal({ 'a-b': 0, answer: '["invalid" "private_tool_unauthorized"]' });
      const embedded = await runs.run({ body: `(get (kernel/eval "m" (program (${ROUTE} {}))) "reason")` });
      expect(embedded.value).to.deep.equal({ 'a-b': 0, answer: '"private_tool_unauthorized"' });
    });
  });
});
