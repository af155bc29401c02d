import { expect } from 'chai';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { failure } from '../../../contract/outcome.ts';
import { explanationOf } from '../../../contract/diagnostics/explanation.ts';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import { plainApplication } from '../testing/run-fixture.ts';
import type { WorkflowEnd } from '../workflow-end.ts';
import { failureAdvice, guardAdvice } from './failure-advice.ts';

const SOURCE = '(ns main)\n(defn- inner [x]\n  (nth x 9))\n(defn run [input] (inner [input]))';
const WORKFLOW = {
  ...plainApplication().workflow,
  components: [
    { id: 'main', dependencies: [], source: SOURCE, file: 'main.clj', opens: 'app/main.clj', isLibrary: false },
  ],
};

function spanOf(text: string) {
  const start = SOURCE.indexOf(text);
  return { start_byte: start, end_byte: start + text.length };
}

const FAULT: EvaluationFault = {
  reason: 'uncaught_exception',
  message: 'secret message',
  span: null,
  details: {},
  exception_class: 'clojure.lang.ExceptionInfo',
  public_error: null,
  report: {
    message: 'secret message',
    trail: [
      { component: 'main', ref: 'main/inner', span: spanOf('(nth x 9)') },
      { component: 'main', ref: 'main/run', span: spanOf('(inner [input])') },
      { component: null, ref: null, span: { start_byte: 0, end_byte: 5 } },
      { component: 'unknown', ref: 'a/b', span: { start_byte: 0, end_byte: 5 } },
    ],
    data: '{:secret 1}',
    cause: 'secret cause',
  },
};

function adviceOf(artifactClass: 'normal' | 'private', isInspected = false) {
  return failureAdvice(
    { kind: 'evaluation_error', fault: FAULT },
    { application: plainApplication({ artifactClass, workflow: WORKFLOW }), isInspected },
  );
}

describe('what people are told of a failed workflow (cli.md §4)', () => {
  it('is the place, the calls of the program alone, its message, its data and what to do', () => {
    const [fault, ...others] = adviceOf('normal').faults?.faults ?? [];
    expect(others).to.deep.equal([]);
    expect(fault?.place).to.deep.equal({
      file: 'main.clj',
      opens: 'app/main.clj',
      line: 3,
      column: 3,
      within: 'main/inner',
      excerpt: { text: '  (nth x 9))', length: 9 },
    });
    expect(fault?.callers.map(({ line, within }) => [line, within])).to.deep.equal([[4, 'main/run']]);
    expect(fault).to.deep.include({ problem: 'secret message; caused by: secret cause', data: '{:secret 1}' });
    expect(fault?.remedy).to.be.a('string');
  });

  it('is the place alone where the run is private', () => {
    const { faults } = adviceOf('private');
    expect(JSON.stringify(faults)).not.to.include('secret');
    expect(faults?.faults).to.have.lengthOf(1);
    expect(faults?.faults[0]).to.deep.include({ callers: [], problem: null, data: null, remedy: null });
    expect(faults?.faults[0]?.place).to.deep.equal({
      file: 'main.clj',
      opens: 'app/main.clj',
      line: 3,
      column: 3,
      within: 'main/inner',
      excerpt: null,
    });
  });

  it('is what the machine may lack where the process of the program was lost, and no limit of it', () => {
    const { faults } = failureAdvice(
      { kind: 'host_lost', signal: null },
      { application: plainApplication(), isInspected: false },
    );
    const [fault] = faults?.faults ?? [];
    expect(fault?.place).to.equal(null);
    expect(fault?.problem).to.match(
      /ended from outside, or lacked memory, address space or processes of this machine; no limit of the program was reached$/,
    );
    expect(fault?.remedy).to.match(/ulimit -a/);
  });

  for (const [signal, problem] of [
    [
      'SIGKILL',
      /was ended by SIGKILL from outside: by another process, or by a system that had no memory left; no limit/,
    ],
    ['SIGSEGV', /was ended by SIGSEGV: by another process, or by a fault of the engine; no limit/],
    ['SIGABRT', /was ended by SIGABRT, from outside or because this machine lacked memory/],
    ['SIGSTOP', /was stopped by SIGSTOP from outside; no limit/],
  ] as const) {
    it(`names ${signal}, where that ended the process of the program`, () => {
      const { faults } = failureAdvice(
        { kind: 'host_lost', signal },
        { application: plainApplication(), isInspected: false },
      );
      expect(faults?.faults[0]?.problem).to.match(problem);
    });
  }

  it('says what --inspect would add, unless it was given', () => {
    expect(adviceOf('normal').hint).to.match(/--inspect/);
    expect(adviceOf('normal', true).hint).to.equal(null);
  });

  it('is where a value cannot be written as JSON, and how it may be', () => {
    const fault: EvaluationFault = {
      reason: 'projection_error',
      message: '##NaN has no JSON form at /a',
      span: null,
      details: {},
      exception_class: null,
      public_error: null,
    };
    const ends: readonly WorkflowEnd[] = [
      { kind: 'value_unrepresentable', fault },
      { kind: 'failed', json: null, fault },
    ];
    for (const end of ends) {
      const explainedFault = failureAdvice(end, { application: plainApplication(), isInspected: true }).faults
        ?.faults[0];
      expect(explainedFault).to.deep.include({ place: null, problem: '##NaN has no JSON form at /a' });
      expect(explainedFault?.remedy).to.match(/^use nil or a text in place/);
    }
    expect(
      failureAdvice(
        { kind: 'value_unrepresentable', fault: null },
        { application: plainApplication(), isInspected: true },
      ).faults,
    ).to.equal(null);
  });

  it('is what a guard of the run found wrong with a value', () => {
    const guardTexts = (
      code: 'result_invalid' | 'result_limit_exceeded' | 'result_contract_failed',
      artifactClass: 'normal' | 'private' = 'normal',
    ) =>
      guardAdvice({ ok: false, diagnostic: diagnostic(code) }, plainApplication({ artifactClass })).faults?.faults[0]
        ?.problem;
    expect(guardTexts('result_invalid')).to.equal('the value is nested deeper than 500 levels');
    expect(guardTexts('result_limit_exceeded')).to.equal('terminal_result_bytes is 1000000 bytes, the default');
    expect(guardTexts('result_contract_failed')).to.equal(undefined);
    expect(guardTexts('result_invalid', 'private')).to.equal(undefined);
  });

  it('is what the guard itself knows of a value, and of a private run its place alone', () => {
    const place = { file: 'result.schema.json', line: 3, column: 5, within: null, excerpt: null };
    const faults = explanationOf({ place, problem: 'the number is above 10', remedy: 'write less' });
    const refused = failure(diagnostic('result_contract_failed'), { faults });
    expect(guardAdvice(refused, plainApplication()).faults).to.deep.equal(faults);
    expect(guardAdvice(refused, plainApplication({ artifactClass: 'private' })).faults).to.deep.equal(
      explanationOf({ place }),
    );
  });

  it('believes no span beyond the source', () => {
    const trail = [{ component: 'main', ref: 'main/run', span: { start_byte: 9_000_000, end_byte: 0 } }];
    const fault = { ...FAULT, report: { message: 'm', trail, data: null, cause: null } };
    const { faults } = failureAdvice(
      { kind: 'evaluation_error', fault },
      { application: plainApplication({ workflow: WORKFLOW }), isInspected: true },
    );
    expect(faults?.faults[0]?.place).to.deep.include({
      line: 4,
      column: 35,
      excerpt: { text: '(defn run [input] (inner [input]))', length: 0 },
    });
  });
});
