import { expect } from 'chai';
import type { CompileFault, CompileReply, ComponentSource, ExportFact } from '../../../contract/sandbox-protocol.ts';
import { component, guestUnderTest } from '../testing/guest-under-test.ts';

function compiled(components: readonly ComponentSource[]): CompileReply & { status: 'compiled' } {
  const reply = guestUnderTest().compile(components);
  if (reply.status === 'compiled') return reply;
  throw new Error(`${reply.fault.reason}: ${reply.fault.message}`);
}

function refused(components: readonly ComponentSource[]): CompileFault {
  const reply = guestUnderTest().compile(components);
  if (reply.status === 'refused') return reply.fault;
  throw new Error('it was compiled');
}

function exported(source: string): readonly ExportFact[] {
  return compiled([component('app', source)]).exports;
}

/** The bytes that a fault's span covers. */
function spanText(source: string, fault: CompileFault): string | null {
  if (fault.span === null) return null;
  return Buffer.from(source).subarray(fault.span.start_byte, fault.span.end_byte).toString();
}

/** Source, reason and the text of the span (language.md §13, compile reasons). */
const REFUSALS: readonly (readonly [string, string, string | null])[] = [
  ['(defn f [] 1)', 'missing_namespace', '(defn f [] 1)'],
  ['', 'compile_error', null],
  ['; only é\n', 'compile_error', null],
  ['(ns a) (println 1)', 'compile_error', '(println 1)'],
  ['(ns a) (do 1)', 'compile_error', '(do 1)'],
  ['(ns a) 5', 'compile_error', '5'],
  ['(ns a/b)', 'invalid_namespace', 'a/b'],
  ['(ns "a")', 'invalid_namespace', '"a"'],
  ['(ns a) (ns a)', 'invalid_namespace', '(ns a)'],
  ['(ns user)', 'reserved_namespace', 'user'],
  ['(ns data)', 'reserved_namespace', 'data'],
  ['(ns tool)', 'reserved_namespace', 'tool'],
  ['(ns tool!)', 'reserved_namespace', 'tool!'],
  ['(ns clojure.string)', 'reserved_namespace', 'clojure.string'],
  ['(ns String)', 'reserved_namespace', 'String'],
  ['(ns a {:visibility :public})', 'invalid_visibility', ':public'],
  ['(ns a {"visibility" 1})', 'invalid_metadata', '"visibility"'],
  ['(ns a) (defn f {:effect :none} [] 1)', 'invalid_metadata', ':none'],
  ['(ns a) (defn f {:requires "tool:x"} [] 1)', 'invalid_requires', '"tool:x"'],
  ['(ns a) (defn f {:requires ["x"]} [] 1)', 'invalid_requires', '"x"'],
  ['(ns a) (defn f {:signature "(x :int"} [x] 1)', 'invalid_signature', '"(x :int"'],
  ['(ns a) (defn f {:signature "(x :int) -> :int"} [] 1)', 'invalid_signature', '"(x :int) -> :int"'],
  ['(ns a) (defn f {:signature "() -> :int"} ([] 1) ([x] 1))', 'invalid_signature', '"() -> :int"'],
  ['(ns a) (defn f {:signature "() -> :int"} [& r] 1)', 'invalid_signature', '"() -> :int"'],
  ['(ns a) (def ^{:type ":int"} c "x")', 'invalid_signature', '(def ^{:type ":int"} c "x")'],
  ['(ns a) (def é 1) (defn f [] (nope é))', 'unbound_var', 'nope'],
  ['(ns a) (defn f [] (b/g))', 'unknown_namespace', 'b/g'],
  ['(ns a (:require [b :as b]))', 'unknown_namespace', 'b'],
  ['(ns a) (defn f [] 1) (defn f [] 2)', 'duplicate_ref', '(defn f [] 2)'],
  ['(ns a) (defn f [] 1) (defn g [] (a/f))', 'qualified_self_reference', 'a/f'],
  ['(ns a) (defn f [x] 1) (defn g [] (f))', 'invalid_arity', '(f)'],
  ['(ns a) (defn g [] (inc))', 'arity_error', '(inc)'],
  ['(ns a) (defn g [] (let [x] 1))', 'invalid_form', '[x]'],
  ['(ns a) (def c (/ 1 0))', 'compile_error', '(def c (/ 1 0))'],
  ['(ns a) (def c (atom 1))', 'compile_error', '(def c (atom 1))'],
  ['(ns a) (def c [(delay 1)])', 'compile_error', '(def c [(delay 1)])'],
  ['(ns a) (def c (iterate inc 1))', 'compile_error', '(def c (iterate inc 1))'],
  ['(ns a) (def c (return 1))', 'compile_error', '(def c (return 1))'],
  ['(ns a) (defn f [] {:a 1 :a 2})', 'duplicate_key', ':a'],
  ['(ns a) (defn f [] Thread/sleep)', 'unsupported_java_class', 'Thread/sleep'],
];

describe('components', () => {
  for (const [source, reason, text] of REFUSALS) {
    it(`refuse ${JSON.stringify(source)} as ${reason}`, () => {
      const fault = refused([component('app', source)]);
      expect([fault.reason, spanText(source, fault), fault.component]).to.deep.equal([reason, text, 'app']);
    });
  }

  it('give a parse error zero length at the offending byte', () => {
    const fault = refused([component('app', '(ns é) (defn f [] 1/2)')]);
    expect(fault.reason).to.equal('parse_error');
    expect(fault.span).to.deep.equal({ start_byte: 19, end_byte: 19 });
  });

  it('list all unbound names of a component together', () => {
    expect(refused([component('app', '(ns a) (defn f [] (x1 (y1))) (defn g [] z1)')]).details).to.deep.equal({
      unbound_names: ['x1', 'y1', 'z1'],
    });
  });

  describe('the set', () => {
    const SETS: readonly (readonly [string, readonly ComponentSource[], string, string | null])[] = [
      ['a bad id', [component('Bad', '(ns a)')], 'compile_error', 'Bad'],
      ['an id listed twice', [component('a', '(ns a)'), component('a', '(ns b)')], 'duplicate_component', 'a'],
      ['a missing dependency', [component('a', '(ns a)', ['b'])], 'unknown_dependency', 'a'],
      ['a cycle', [component('a', '(ns a)', ['b']), component('b', '(ns b)', ['a'])], 'dependency_cycle', 'a'],
      [
        'unsorted dependencies',
        [component('a', '(ns a)'), component('b', '(ns b)'), component('c', '(ns c)', ['b', 'a'])],
        'compile_error',
        'c',
      ],
      [
        'too many components',
        Array.from({ length: 129 }, (_, index) => component(`c${index}`, `(ns n${index})`)),
        'program_too_large',
        null,
      ],
      ['a namespace of two components', [component('a', '(ns x)'), component('b', '(ns x)')], 'invalid_namespace', 'b'],
    ];
    for (const [what, set, reason, id] of SETS) {
      it(`refuses ${what}`, () => {
        const fault = refused(set);
        expect([fault.reason, fault.component]).to.deep.equal([reason, id]);
      });
    }

    it('shows a component only what its direct dependencies export', () => {
      const base = component('base', '(ns base) (defn f [] 1) (defn- hidden [] 2)');
      const middle = component('middle', '(ns middle) (defn g [] (base/f))', ['base']);
      expect(compiled([middle, base]).exports.map((fact) => fact.ref)).to.deep.equal(['base/f', 'middle/g']);
      expect(refused([base, middle, component('top', '(ns top) (defn h [] (base/f))', ['middle'])]).reason).to.equal(
        'unknown_namespace',
      );
      expect(refused([base, component('top', '(ns top) (defn h [] (base/hidden))', ['base'])]).reason).to.equal(
        'unbound_var',
      );
      expect(refused([base, component('top', '(ns top) (def c (base/f))', ['base'])]).reason).to.equal(
        'dep_ref_in_def',
      );
      expect(refused([base, component('top', '(ns top) (defn h [] (base/f 1))', ['base'])]).reason).to.equal(
        'invalid_arity',
      );
    });

    it('compiles in an order that does not depend on the order given', () => {
      const parts = [component('b', '(ns b) (defn g [] (a/f))', ['a']), component('a', '(ns a) (defn f [] 1)')];
      expect(compiled(parts).code).to.equal(compiled(parts.toReversed()).code);
    });
  });

  describe('exports', () => {
    it('carry arities, requirements, effects, visibility and text', () => {
      const facts = exported(
        `(ns a {:visibility :discoverable})
         (def limit 10)
         (defn- helper [x] (tool/find {:x x}))
         (defn run "Runs." {:visibility :prompt} ([x] (helper x)) ([x y & more] (quote tool/other)))
         (defn save {:effect :write :requires ["tool:put"]} [] 1)
         (defn both [] (save) (run 1))`,
      );
      expect(facts).to.deep.equal([
        {
          ref: 'a/both',
          kind: 'function',
          arities: [0],
          variadic_from: null,
          requirements: ['tool:find', 'tool:put'],
          effect: 'write',
          declared_effect: null,
          visibility: 'discoverable',
          doc: null,
        },
        {
          ref: 'a/limit',
          kind: 'constant',
          arities: [],
          variadic_from: null,
          requirements: [],
          effect: 'unknown',
          declared_effect: null,
          visibility: 'discoverable',
          doc: null,
        },
        {
          ref: 'a/run',
          kind: 'function',
          arities: [1],
          variadic_from: 2,
          requirements: ['tool:find'],
          effect: 'read',
          declared_effect: null,
          visibility: 'prompt',
          doc: 'Runs.',
        },
        {
          ref: 'a/save',
          kind: 'function',
          arities: [0],
          variadic_from: null,
          requirements: ['tool:put'],
          effect: 'write',
          declared_effect: 'write',
          visibility: 'discoverable',
          doc: null,
        },
      ]);
    });

    it('reach through methods of multimethods', () => {
      const [fact] = exported('(ns a) (defmulti m :k) (defmethod m :x [_] (tool!/find {}))');
      expect(fact).to.include({ ref: 'a/m', kind: 'function', variadic_from: 0 });
      expect(fact?.requirements).to.deep.equal(['tool:find']);
    });
  });

  describe('a loaded bundle', () => {
    const CODE = compiled([
      component(
        'app',
        `(ns app) (def c {:a 1}) (declare late) (defn- hidden [] 1) (defn run [input] {"n" (late (get input "n"))}) (defn late [n] (+ n (:a c)))
         (defn ask [] (tool/find {:some-key 1.0}))
         (defn typed {:signature "(n :int) -> :string"} [n] (if (= n 0) 0 (str n)))
         (defn quit [] (return 7))`,
      ),
    ]).code;

    function evaluate(
      source: string,
      options: Parameters<ReturnType<typeof guestUnderTest>['evaluate']>[1] = {},
    ): ReturnType<ReturnType<typeof guestUnderTest>['evaluate']> {
      const calls: string[] = [];
      const guest = guestUnderTest((call) => {
        calls.push(call);
        return JSON.stringify({ reply: 'value', value: { calls } });
      });
      guest.load(CODE);
      return guest.evaluate(source, { projection: 'json', ...options });
    }

    it('answers the entry call', () => {
      expect(evaluate('(app/run data/input)', { data: { input: '{"n": 2.0}' } })).to.have.property(
        'value',
        '{"n":3.0}',
      );
    });

    it('sends tool calls as canonical JSON in which keywords with a hyphen are marked, and keeps floats', () => {
      const reply = evaluate('(app/ask)', { tools: ['find'] });
      expect(reply).to.have.property(
        'value',
        '{"calls":["{\\"arguments\\":\\"{\\\\\\"\u007f:some-key\\\\\\":1.0}\\",\\"name\\":\\"find\\"}"]}',
      );
    });

    it('hides private names and checks arities of direct calls', () => {
      expect(evaluate('(app/hidden)')).to.have.nested.property('fault.reason', 'invalid_form');
      expect(evaluate('(app/run)')).to.have.nested.property('fault.reason', 'invalid_arity');
      expect(evaluate('(app/none)')).to.have.nested.property('fault.details.members').that.includes('run');
    });

    it('tells of itself: dir, doc, source, export-meta', () => {
      expect(evaluate('[(dir) (dir app) (dir nope)]')).to.have.property(
        'value',
        '[["app"],["app/ask","app/c","app/late","app/quit","app/run","app/typed"],[]]',
      );
      expect(evaluate('(doc app/run) (source app/hidden)').prints).to.deep.equal([
        'app/run\n([input])',
        '(defn- hidden [] 1)',
      ]);
      expect(
        evaluate('(select-keys (export-meta app/typed) [:kind :arity :call :signature :effect])'),
      ).to.have.property(
        'value',
        '{"arity":[1],"call":"(app/typed n)","effect":"unknown","kind":"function","signature":"(n :int) -> :string"}',
      );
    });

    it('shows its components with their exact text', () => {
      expect(
        evaluate('[(components) (select-keys (component app) [:id :namespaces]) (component nope)]'),
      ).to.have.property('value', '[["app"],{"id":"app","namespaces":["app"]},null]');
      expect(
        evaluate(
          '(let [{:keys [source bytes sha256]} (component "app")] [(subs source 0 8) (= bytes (count source)) (count sha256)])',
        ),
      ).to.have.property('value', '["(ns app)",true,64]');
      expect(evaluate('(component)')).to.have.nested.property('fault.reason', 'invalid_arity');
      expect(evaluate('(components 1)')).to.have.nested.property('fault.reason', 'invalid_arity');
    });

    it('cannot be changed from outside', () => {
      expect(evaluate('(def app/c 1)')).to.have.nested.property('fault.reason', 'invalid_form');
      expect(evaluate('(defn late [n] 100) (app/run {"n" 1})')).to.have.property('value', '{"n":2}');
    });

    it('checks signatures, and nothing catches a violation', () => {
      expect(evaluate('(app/typed 5)')).to.have.property('value', '"5"');
      const input = evaluate('(try (app/typed "x") (catch Throwable e 1))');
      expect(input).to.have.nested.property('fault.reason', 'component_contract_error');
      expect(input).to.have.nested.property('fault.details.phase', 'input');
      expect(evaluate('(app/typed 0)')).to.have.nested.property('fault.details.phase', 'output');
    });

    it('lets an export return for the whole evaluation', () => {
      expect(evaluate('[(app/quit)]')).to.include({ outcome: 'returned', value: '7' });
    });
  });
});
