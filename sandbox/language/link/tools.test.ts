import { expect } from 'chai';
import type { CapabilityReply, EvaluateReply } from '../../../contract/sandbox-protocol.ts';
import { guestUnderTest } from '../testing/guest-under-test.ts';

interface Called {
  readonly reply: EvaluateReply;
  /** Argument texts of the calls, in order. */
  readonly sent: readonly string[];
}

function evaluateWith(answer: CapabilityReply | string | Error, source: string): Called {
  const sent: string[] = [];
  const guest = guestUnderTest((text) => {
    const call: unknown = JSON.parse(text);
    if (typeof call === 'object' && call !== null && 'arguments' in call) sent.push(String(call.arguments));
    if (answer instanceof Error) throw answer;
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  });
  return { reply: guest.evaluate(source, { tools: ['t', 'call', 'kernel-result-contract'] }), sent };
}

const NOTHING: CapabilityReply = { reply: 'value', value: null };

describe('tool calls (language.md §14, §19)', () => {
  const ARGUMENTS: readonly (readonly [string, string])[] = [
    ['(tool/t)', '{}'],
    ['(tool/t {:b-c {:d-e 1} "a" 1.0})', '{"a":1.0,"\u007f:b-c":{"\u007f:d-e":1}}'],
    // Texts go out as they are written; which property a keyword means is decided where the schema is known.
    ['(tool/t {"X-Trace-Id" {"per-page" 1 :plain 2}})', '{"X-Trace-Id":{"per-page":1,"plain":2}}'],
    ['(tool/t {:a-b 1 "a_b" 2})', '{"a_b":2,"\u007f:a-b":1}'],
    ['(tool/t :x [1 #{2} (list 3)] :y :k/w)', '{"x":[1,[2],[3]],"y":"k/w"}'],
    ['(tool/t {1 \\a 2.5 nil nil true})', '{"1":"a","2.5":null,"nil":true}'],
    ['((identity tool/t) {:n 12345678901234567890})', '{"n":12345678901234567890}'],
    ['(mapv tool/t [{}])', '{}'],
    // A granted tool named call takes the name of a server's tool first.
    ["(tool/call 'web/fetch-page {:a-b 1})", '{"args":{"\u007f:a-b":1},"server":"web","tool":"fetch-page"}'],
    ['(tool/call "web/a/b" :x 1)', '{"args":{"x":1},"server":"web","tool":"a/b"}'],
    ["(apply tool/call ['web/t])", '{"args":{},"server":"web","tool":"t"}'],
    ['(tool/call {:x 1})', '{"x":1}'],
    // A value that is judged as the result it may become keeps its keys.
    [
      '(tool/kernel-result-contract {:value {:a-b {:c-d 1.0}} :phase-contract "p"})',
      '{"\u007f:phase-contract":"p","value":{"a-b":{"c-d":1.0}}}',
    ],
    ['(tool/kernel-result-contract {"value" nil})', '{"value":null}'],
    ['(tool/kernel-result-contract {:presentation true})', '{"presentation":true}'],
    ['(tool/t {:value {:a-b 1}})', '{"value":{"\u007f:a-b":1}}'],
    ['(tool/t {:program (program (f  1) ; c\n)})', '{"program":"(f 1)"}'],
  ];
  for (const [source, text] of ARGUMENTS) {
    it(`${source} sends ${text}`, () => {
      expect(evaluateWith(NOTHING, source).sent).to.deep.equal([text]);
    });
  }

  const REFUSED = [
    '(tool/t 1)',
    '(tool/t :a)',
    '(tool/t {"a" 1 \'a 2})',
    '(tool/t {:a ##NaN})',
    '(tool/t {:f inc})',
    '(tool/t {:a "\\ud800"})',
    '(tool/t {:a [(program 1)]})',
    "(tool/call 'web)",
    '(tool/call "web/")',
  ];
  for (const source of REFUSED) {
    it(`${source} raises invalid_tool_args and sends nothing`, () => {
      const { reply, sent } = evaluateWith(NOTHING, source);
      expect(reply).to.have.nested.property('fault.reason', 'invalid_tool_args');
      expect(sent).to.deep.equal([]);
    });
  }

  it('gives bare values with string keys, integers and doubles apart', () => {
    const { reply } = evaluateWith('{"reply":"value","value":{"a":[1,1.0,1e2,123456789012345678901]}}', '(tool/t)');
    expect(reply).to.have.property('value', '{"a" [1 1.0 100.0 123456789012345678901]}');
  });

  it('gives envelopes with keyword keys and words, the value inside untouched', () => {
    const envelope = {
      status: 'error',
      kind: 'provider_error',
      reason: 'rate_limited',
      'retryable?': true,
      details: { status: 'x' },
    };
    expect(evaluateWith({ reply: 'envelope', envelope }, '(tool/t)').reply).to.have.property(
      'value',
      '{:status :error, :kind :provider_error, :reason :rate_limited, :retryable? true, :details {"status" "x"}}',
    );
  });

  it('raises tool_error that a program can catch', () => {
    const { reply } = evaluateWith(
      { reply: 'error', message: 'no' },
      '(try (tool/t) (catch clojure.lang.ExceptionInfo e [(ex-message e) (ex-data e)]))',
    );
    expect(reply).to.have.property('value', '["no" {:kind "tool_error", :tool "t"}]');
  });

  const REFUSAL: CapabilityReply = {
    reply: 'envelope',
    envelope: { status: 'error', kind: 'provider_error', reason: 'domain_error', details: `no\n${'x'.repeat(4000)}` },
  };
  it('raises a failure under tool!, with what the server says cut (code-mode.md §5; §9, 40)', () => {
    const { reply } = evaluateWith(REFUSAL, '(tool!/t)');
    expect(reply).to.have.nested.property('fault.reason', 'tool_error');
    expect(reply)
      .to.have.nested.property('fault.message')
      .that.matches(/^tool\/t failed \(provider_error, domain_error\): no\nx+…$/)
      .and.has.lengthOf.below(1100);
    const caught = evaluateWith(
      REFUSAL,
      '(try (mapv tool!/t [{}]) (catch clojure.lang.ExceptionInfo e (get-in (ex-data e) [:error :reason])))',
    );
    expect(caught.reply).to.have.property('value', ':domain_error');
  });

  it('gives what the tool answers under tool! where nothing failed', () => {
    const envelope = { status: 'ok', value: { status: 'error' } };
    expect(evaluateWith({ reply: 'envelope', envelope }, '(tool!/t {:a 1})')).to.deep.include({
      sent: ['{"a":1}'],
    });
    expect(evaluateWith({ reply: 'envelope', envelope }, '((comp identity tool!/t))').reply).to.have.property(
      'value',
      '{:status :ok, :value {"status" "error"}}',
    );
    expect(evaluateWith({ reply: 'value', value: 7 }, '(tool!/t)').reply).to.have.property('value', '7');
  });

  it('keeps a function of tool! from one evaluation to the next', () => {
    const guest = guestUnderTest(() => JSON.stringify(REFUSAL));
    const evaluateReply = guest.evaluate('(def ask tool!/t) (def all (partial map ask))', { tools: ['t'] });
    expect(evaluateReply).to.have.property('outcome', 'continued');
    expect(guest.evaluate('(ask {})', { tools: ['t'] })).to.have.nested.property('fault.reason', 'tool_error');
  });

  it('knows the names under tool! as it knows them under tool', () => {
    const ask = (source: string): EvaluateReply => guestUnderTest().evaluate(source, { tools: ['find'] });
    expect(ask('(when false (tool!/fnd {}))')).to.have.nested.property(
      'fault.message',
      'Unknown tool: tool!/fnd (did you mean tool!/find?)',
    );
    expect(ask('(tool!/kernel-agent-protocol-error {})')).to.have.nested.property(
      'fault.reason',
      'private_tool_unauthorized',
    );
    expect(ask("(require '[clojure.string :as tool!])")).to.have.nested.property('fault.reason', 'reserved_namespace');
  });

  it('carries no call of a finally that runs after a limit', () => {
    const { reply, sent } = evaluateWith(NOTHING, '(try (.length (apply str (repeat 256001 "a"))) (finally (tool/t)))');
    expect(reply).to.have.nested.property('fault.reason', 'invalid_java_string');
    expect(sent).to.deep.equal([]);
    expect(
      evaluateWith(NOTHING, '(try (throw (Exception. "x")) (catch Exception e 1) (finally (tool/t)))').sent,
    ).to.deep.equal(['{}']);
  });

  it('refuses private routes before anything runs, also in dead code', () => {
    const { reply, sent } = evaluateWith(NOTHING, '(tool/t) (if false (tool/kernel-agent-protocol-error {}))');
    expect(reply).to.have.nested.property('fault.reason', 'private_tool_unauthorized');
    expect(reply)
      .to.have.nested.property('fault.details.private_tools')
      .that.deep.equals(['tool/kernel-agent-protocol-error']);
    expect(sent).to.deep.equal([]);
    const source = '(ns a.b) (defn f [] (tool/kernel-agent-protocol-error {}))';
    const compile = (id: string): unknown => guestUnderTest().compile([{ id, source, dependencies: [] }]);
    expect(compile('a.b')).to.have.nested.property('fault.reason', 'private_tool_unauthorized');
    expect(compile('agent.core')).to.have.property('status', 'compiled');
  });

  for (const answer of [
    { reply: 'closed', reason: 'run_closed' } as const,
    'not json',
    '{"reply":"other"}',
    '5',
    new Error('refused'),
  ]) {
    it(`ends the evaluation, past every catch, on ${answer instanceof Error ? 'a refusal' : JSON.stringify(answer)}`, () => {
      const { reply } = evaluateWith(answer, '(try (tool/t) (catch Throwable e 1))');
      expect(reply).to.have.nested.property('fault.reason', 'runtime_limit_exceeded');
    });
  }
});
