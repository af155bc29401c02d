import { expect } from 'chai';
import type { Ended } from '../cli/program.ts';
import { repl, type ReplCase } from './repl-program.ts';

/** What a case must give; absent members are the empty text or exit 0. */
interface Expected {
  readonly status?: number;
  readonly stdout?: string | RegExp;
  readonly stderr?: string | RegExp;
}

function expectEnd(ended: Ended, { status = 0, stdout = '', stderr = '' }: Expected): void {
  for (const [name, text, wanted] of [
    ['stdout', ended.stdout, stdout],
    ['stderr', ended.stderr, stderr],
  ] as const) {
    if (typeof wanted === 'string')
      expect(text, `${name}; the other: ${name === 'stdout' ? ended.stderr : ended.stdout}`).to.equal(wanted);
    else expect(text, name).to.match(wanted);
  }
  expect(ended.status).to.equal(status);
}

type Row = readonly [rule: string, given: ReplCase, expected: Expected];

function suite(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    for (const [rule, replCase, expected] of rows) {
      it(rule, async () => expectEnd(await repl(replCase), expected));
    }
  });
}

const evals = (...sources: readonly string[]): ReplCase => ({ argv: sources.flatMap((source) => ['-e', source]) });

suite('repl --eval', [
  ['evaluates in order, keeping definitions', evals('(def x 20)', '(+ x 1)'), { stdout: "#'user/x\n21\n" }],
  [
    'keeps the last three values, exactly',
    evals('1', '[2]', '"x"', '[*1 *2 *3]'),
    { stdout: '1\n[2]\n"x"\n["x" [2] 1]\n' },
  ],
  ['takes the long spelling', { argv: ['--eval', '1', '--eval=2'] }, { stdout: '1\n2\n' }],
  ['shows prints before the value', evals('(println "a") (print "b") :v'), { stdout: 'a\nb\n:v\n' }],
  ['gives the value of the last form of a text, nil for none', evals('1 2', ''), { stdout: '2\nnil\n' }],
  ['has no *e before the first error, which ends it', evals('*e'), { stdout: 'nil\n' }],
  [
    'shows what return gives, and keeps it from the history',
    evals(':kept', '(do (def a 1) (return {:r 1}))', '[a *1]'),
    { stdout: ':kept\n{:r 1}\n[1 :kept]\n' },
  ],
  [
    'stops at the first failure',
    evals('1', '(/ 1 0)', '3'),
    { status: 1, stdout: '1\n', stderr: 'Error (arithmetic_error): Divide by zero\n  at -e:1:1\n' },
  ],
  [
    'shows what a failed form printed',
    evals('(println "before") (nth [] 1)'),
    { status: 1, stdout: 'before\n', stderr: /^Error \(index_error\): / },
  ],
  ['tells a text that does not read', evals('(a'), { status: 1, stderr: /^Error \(parse_error\): / }],
  ['tells names that are not there', evals('(nowhere 1)'), { status: 1, stderr: /^Error \(unbound_var\): .*nowhere/ }],
  [
    'documents the definitions of the session',
    evals('(defn f "Adds." [x] x)', '(doc f)', '(dir user)'),
    { stdout: `#'user/f\nuser/f\n([x])\n  Adds.\nnil\n["user/f"]\n` },
  ],
  ['has no tools', evals('(tool/x)'), { status: 1, stderr: /^Error \(unknown_tool\): / }],
  ['has no data, as an empty workflow', evals('data/x'), { stdout: 'nil\n' }],
  [
    'tells an explicit failure by its value',
    evals('(fail {:why 1})'),
    { status: 1, stderr: 'Error (explicit_failure): {:why 1}\n' },
  ],
  [
    'shows an infinite sequence as far as it goes',
    evals('(iterate inc 0)'),
    { stdout: /^\(0 1 2 .* 15 \.\.\.\)\n;; truncated: items\n$/ },
  ],
  [
    'tells memory that ran out',
    evals('(loop [a []] (recur (conj a (vec (range 10000)))))'),
    { status: 1, stderr: /^Error \(memory_exceeded\): / },
  ],
  [
    'tells recursion that never ends',
    evals('(defn f [] (inc (f)))', '(f)'),
    { status: 1, stdout: "#'user/f\n", stderr: /^Error \(memory_exceeded\): / },
  ],
]);

suite('repl --preview-chars', [
  [
    'bounds what is shown',
    { argv: ['--preview-chars', '64', '-e', '(apply str (repeat 200 "a"))'] },
    { stdout: /^"a{20,}…"\n;; truncated: output\n$/ },
  ],
  [
    'is 64 to 65536',
    { argv: ['--preview-chars', '63', '-e', '1'] },
    { status: 2, stderr: /^error: arguments\/invalid_arguments: / },
  ],
]);

suite('repl with a script', [
  [
    'evaluates a file as one program',
    { argv: ['s.clj'], files: { 's.clj': '#!/usr/bin/env svc\n(def a 1)\n(println a)\n(inc a)\n' } },
    { stdout: '1\n2\n' },
  ],
  ['evaluates standard input as one program', { argv: ['-'], stdin: '(def a 1)\n(inc\n a)' }, { stdout: '2\n' }],
  [
    'names the place of a mistake',
    { argv: ['s.clj'], files: { 's.clj': '1\n  (/ 1 0)\n' } },
    { status: 1, stderr: 'Error (arithmetic_error): Divide by zero\n  at s.clj:2:3\n' },
  ],
  [
    'keeps nothing of a script that fails half-way',
    { argv: ['-l', 's.clj', '-e', 'a'], files: { 's.clj': '(def a 1) (println a) (/ 1 0)' } },
    { status: 1, stdout: '1\n', stderr: /^Error \(arithmetic_error\)/ },
  ],
  [
    'says that a file is not there',
    { argv: ['none.clj'] },
    { status: 1, stderr: /^error: repl\/source_unavailable: [^\n]* \(run_ref: cmd-[0-9a-z]{26}\)\n$/ },
  ],
  ['says that a directory is no script', { argv: ['.'] }, { status: 1, stderr: /^error: repl\/source_unavailable: / }],
  [
    'says that a file is not UTF-8',
    { argv: ['-'], stdin: Uint8Array.of(0x22, 0xff, 0x22) },
    { status: 1, stderr: /^error: repl\/malformed_source: / },
  ],
  [
    'says that a file is too large',
    { argv: ['-'], stdin: ' '.repeat(262_145) },
    { status: 1, stderr: /^error: repl\/source_limit_exceeded: / },
  ],
  ['evaluates the largest file', { argv: ['-'], stdin: `${' '.repeat(262_143)}1` }, { stdout: '1\n' }],
]);

suite('repl --load', [
  [
    'defines before anything else, and shows its prints only',
    { argv: ['-e', '(f 1)', '-l', 's.clj'], files: { 's.clj': '(println "loaded") (defn f [x] [x])' } },
    { stdout: 'loaded\n[1]\n' },
  ],
  [
    'goes before the line loop',
    { argv: ['--load', 's.clj'], files: { 's.clj': '(def a 5)' }, stdin: 'a\n' },
    { stdout: /svc> 5\n/ },
  ],
  [
    'that fails is a failed session, also of a line loop',
    { argv: ['-l', 's.clj'], files: { 's.clj': '(boom)' }, stdin: '1\n' },
    { status: 1, stderr: /^Error \(unbound_var\): [^\n]*\n/ },
  ],
  [
    'that is not there is a failed session',
    { argv: ['-l', 'none.clj'] },
    { status: 1, stderr: /^error: repl\/source_unavailable: / },
  ],
]);

const lines = (...typed: readonly string[]): ReplCase => ({
  argv: [],
  stdin: typed.map((line) => `${line}\n`).join(''),
});
const BANNER = /^[^\n]*scratch[^\n]*\n/.source;

suite('repl line loop', [
  [
    'prompts, waits for whole forms, and ends with the input',
    lines('(+ 1', '', '2)', '"a', 'b"'),
    { stdout: new RegExp(`${BANNER}svc> \\.\\.\\.> \\.\\.\\.> 3\nsvc> \\.\\.\\.> "a\\\\nb"\nsvc> \n$`) },
  ],
  [
    'is not misled by brackets in strings, chars and comments',
    lines('"("', '[\\(', '; )', '1]'),
    { stdout: new RegExp(`${BANNER}svc> "\\("\nsvc> \\.\\.\\.> \\.\\.\\.> \\[\\\\\\( 1\\]\nsvc> \n$`) },
  ],
  [
    'tells mistakes on stdout and goes on; they are no failure',
    lines('(/ 1 0)', ')', 'nope', '*1'),
    {
      stdout: new RegExp(
        `${BANNER}svc> Error \\(arithmetic_error\\): Divide by zero\n {2}at repl:1:1\nsvc> Error \\(parse_error\\): [^\n]*\n {2}at [^\n]*\nsvc> Error \\(unbound_var\\): [^\n]*\n {2}at [^\n]*\nsvc> nil\nsvc> \n$`,
      ),
    },
  ],
  [
    'changes nothing by a failed form',
    lines('(def a (atom 1))', '(do (reset! a 2) (def b 3) (/ 1 0))', '@a', 'b'),
    { stdout: /svc> 1\nsvc> Error \(unbound_var\): [^\n]*b/ },
  ],
  [
    'has the last error as *e, whatever came after it',
    lines('*e', '(throw (ex-info "m" {:a 1}))', '1', '[(ex-message *e) (ex-data *e)]', 'nope', '(ex-message *e)'),
    {
      stdout:
        /svc> nil\nsvc> Error [^]*svc> 1\nsvc> \["m" \{:a 1\}\]\nsvc> Error [^]*svc> "Unable to resolve symbol: nope[^\n]*"\n/,
    },
  ],
  [
    'has as *e what an isolate that is lost said',
    lines('(loop [a []] (recur (conj a (vec (range 10000)))))', '(ex-message *e)'),
    { stdout: /svc> Error \(memory_exceeded\): ([^\n]*)\n[^]*svc> "\1"\n/ },
  ],
  ['ends by :quit', lines(':quit', '1'), { stdout: new RegExp(`${BANNER}svc> $`) }],
  ['ends by :exit', lines(':exit', '1'), { stdout: new RegExp(`${BANNER}svc> $`) }],
  ['helps', lines(':help'), { stdout: /:quit, :exit/ }],
  [
    'takes a keyword that is none of its words for a value',
    lines(':kw', ':a.b/c'),
    { stdout: /svc> :kw\nsvc> :a\.b\/c\n/ },
  ],
  [
    'keeps what was required, also when the isolate is lost, and drops what a failed form required',
    lines(
      "(require '[clojure.string :as s :refer [blank?]])",
      '(ns a.b (:require [clojure.set :as sets]))',
      "(require '[clojure.walk :as w]) (/ 1 0)",
      '(loop [a []] (recur (conj a (vec (range 10000)))))',
      '[(s/upper-case "a") (blank? "") (sets/union #{1} #{2})]',
      '(w/walk 1 2 3)',
    ),
    { stdout: /fresh isolate[^]*svc> \["A" true #\{1 2\}\]\nsvc> Error \(invalid_form\): No such namespace: w/ },
  ],
  [
    'bounds what is required',
    lines(
      `(require ${Array.from({ length: 1025 }, (_, nth) => `'[clojure.set :as a${nth}]`).join(' ')})`,
      '(a7/union)',
    ),
    { stdout: /svc> Error \(symbol_limit_exceeded\)[^]*No such namespace: a7/ },
  ],
  [
    'has pprint, unless a definition has its name',
    lines('(pprint {:a [1]})', '(defn pprint [x] [:mine x])', '(pprint 1)'),
    { stdout: /svc> \{:a \[1\]\}\nnil\n[^]*svc> \[:mine 1\]/ },
  ],
  [
    'shows values as long as they were asked for',
    { argv: ['--preview-chars', '64'], stdin: '(vec (range 100))\n' },
    { stdout: /svc> \[0 1 [^\n]{1,56}\n;; truncated: items\n/ },
  ],
  [
    'shows by its number what a terminal would act upon, in values, prints, messages and data',
    lines(
      '(str (char 27) (char 0x9b) (char 0x202e))',
      '(println (char 27))',
      '(throw (ex-info (str (char 27) "m") {:a (str (char 0x9b))}))',
      '(fail (str (char 27)))',
    ),
    {
      stdout:
        /^[^\u001b\u009b]*"⟨U\+001B⟩⟨U\+009B⟩⟨U\+202E⟩"\nsvc> ⟨U\+001B⟩\nnil\nsvc> Error \(uncaught_exception\): ⟨U\+001B⟩m\n[^\n]*\n {2}data: \{:a "⟨U\+009B⟩"\}\nsvc> Error \(explicit_failure\): "⟨U\+001B⟩"\n/,
    },
  ],
  [
    'tells a form that the input ends in',
    lines('(inc'),
    { stdout: /Error \(parse_error\): [^\n]*\n {2}at repl:1:1\n$/ },
  ],
  [
    'goes on after memory ran out, with what could be written down',
    lines('(def a 1)', '(def t (transient []))', '(loop [a []] (recur (conj a (vec (range 10000)))))', '(inc 1)', 'a'),
    {
      stdout:
        /svc> Error \(memory_exceeded\): [^\n]*\nThe session goes on in a fresh isolate, without what [^\n]*\nsvc> 2\nsvc> 1\n/,
    },
  ],
  [
    'refuses a line that is not UTF-8 and goes on',
    { argv: [], stdin: Buffer.concat([Uint8Array.of(0xff, 0x0a), Buffer.from('7\n')]) },
    { stdout: /Error \(parse_error\): [^\n]*\nsvc> 7\n/ },
  ],
  [
    'refuses a line that is too long and goes on',
    { argv: [], stdin: `${'1 '.repeat(140_000)}\n7\n` },
    { stdout: /Error \(program_too_large\): [^\n]*\nsvc> 7\n/ },
  ],
]);

suite('repl arguments', [
  [
    'no script beside expressions',
    { argv: ['-e', '1', 's.clj'] },
    { status: 2, stderr: /^error: arguments\/conflicting_arguments: / },
  ],
  [
    'no short form glued to its value',
    { argv: ['-e1'] },
    { status: 2, stderr: /^error: arguments\/invalid_arguments: / },
  ],
  [
    'no private streams in scratch',
    { argv: ['--private-unattended', '-e', '1'] },
    { status: 2, stderr: /^error: arguments\/invalid_arguments: / },
  ],
  [
    'no mission without its application',
    { argv: ['--mission', 'm', '-e', '1'] },
    { status: 2, stderr: /^error: arguments\/invalid_arguments: / },
  ],
  ['the human format is the one of scratch', { argv: ['--format', 'clojure', '-e', '1'] }, { stdout: '1\n' }],
]);

suite('repl --trace', [
  [
    'is refused where it cannot be appended to, before anything is evaluated',
    { argv: ['--trace', 'absent/t.jsonl', '-e', '(println 1)'] },
    { status: 7, stderr: /^error: repl\/trace_directory_missing: [^\n]*; make its directory first\n$/ },
  ],
  [
    'is no file of another kind',
    { argv: ['--trace', 't.jsonl', '-e', '(println 1)'], files: { 't.jsonl': 'other\n' } },
    { status: 7, stderr: /^error: repl\/invalid_trace_destination: / },
  ],
  [
    'is none of a private name',
    { argv: ['--trace', 't.private.jsonl', '-e', '(println 1)'] },
    { status: 7, stderr: /^error: repl\/invalid_trace_destination: / },
  ],
]);

suite('repl SVC_SHOW_CODE', [
  [
    'shows the generated code on stderr',
    { ...evals('(let [answer 41] (inc answer))'), environment: { SVC_SHOW_CODE: '1' } },
    { stdout: '42\n', stderr: /const answer\S* = 41;/ },
  ],
  [
    'shows it for forms that fail as well',
    { ...evals('(/ 1 0)'), environment: { SVC_SHOW_CODE: '1' } },
    { status: 1, stderr: /divide[^]*Error \(arithmetic_error\)/ },
  ],
]);
