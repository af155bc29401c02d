/** Names that other languages and other Lisps have, by what does it here. */
const ROWS: readonly (readonly [instead: string, names: string])[] = [
  ['write (fn [x] …) or #(… %)', 'lambda function λ fun'],
  ['write (defn name [x] …)', 'defun define'],
  ['write (let [x 1] …)', 'let* letrec'],
  ['write (atom x), then (reset! a y) or (swap! a f)', 'setq setf set-car! set-cdr!'],
  ['use do', 'progn begin'],
  ['use cond', 'elif elseif switch'],
  ['use first', 'car head'],
  ['use rest', 'cdr tail'],
  ['use count', 'length len size clojure.string/length clojure.string/count'],
  ['use reduce', 'foldl foldr fold inject'],
  ['use conj, into or concat', 'append push'],
  ['use empty?', 'null?'],
  ['use get, or assoc', 'hash-ref gethash'],
  ['use println', 'display print-line'],
  ['use ex-info and throw', 'raise error'],
  ['use clojure.string/includes?', 'clojure.string/contains? clojure.string/include? clojure.string/contains'],
  ['use subs', 'substring clojure.string/substring clojure.string/subs clojure.string/slice'],
  ['use str', 'concatenate clojure.string/concat clojure.string/str clojure.string/append'],
  ['use format', 'sprintf clojure.string/format'],
  [
    'use clojure.string/upper-case',
    'clojure.string/upper clojure.string/to-upper-case clojure.string/uppercase clojure.string/to-upper',
  ],
  [
    'use clojure.string/lower-case',
    'clojure.string/lower clojure.string/to-lower-case clojure.string/lowercase clojure.string/to-lower',
  ],
  ['use clojure.string/trim', 'clojure.string/strip'],
  ['use clojure.string/replace', 'clojure.string/replace-all clojure.string/gsub'],
  ['use (apply str (repeat n s))', 'clojure.string/repeat'],
  ['use clojure.string/blank? or empty?', 'clojure.string/empty?'],
  ['use (format "%5s" s), with a minus sign for the other side', 'clojure.string/pad-left clojure.string/pad-right'],
  [
    'use json/parse-string',
    'json/decode json/parse json/read json/loads json/load json/read-json json/from-json json/decode-string',
  ],
  [
    'use json/generate-string',
    'json/encode json/stringify json/write json/dumps json/dump json/write-json json/to-json json/generate json/encode-string',
  ],
];

const BY_NAME: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([instead, names]) => names.split(' ').map((name) => [name, instead] as const)),
);

/** What to write here instead of a name of another language, unqualified or as `library/name`; null for other names. */
export function nameElsewhere(name: string): string | null {
  return BY_NAME.get(name) ?? null;
}
