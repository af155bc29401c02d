/** What the libraries `csv` and `text` make of texts (first-day.md §1). */
import { expect } from 'chai';
import type { Sandbox } from '../../pool/interface.ts';
import { play, startBuiltSandbox } from './library-program.ts';

/** Program, printed value; or the reason of the error. */
type Row = readonly [source: string, ended: string];

const CSV: readonly Row[] = [
  [String.raw`(csv/read "id,sum\n1,2\n3,4\n")`, '[{"id" "1", "sum" "2"} {"id" "3", "sum" "4"}]'],
  [String.raw`(csv/read "id,sum\r\n1,2")`, '[{"id" "1", "sum" "2"}]'],
  [String.raw`(csv/read "a,b\n1,2" {"header" false})`, '[["a" "b"] ["1" "2"]]'],
  [String.raw`(csv/read "a;b\n1;2" {"separator" ";"})`, '[{"a" "1", "b" "2"}]'],
  [String.raw`(csv/read "a\n'x,y'" {"quote" "'"})`, '[{"a" "x,y"}]'],
  [
    String.raw`(csv/read "a,b\n\"x, \"\"y\"\"\",\"two\nlines\"\n1,\n" {"header" false})`,
    String.raw`[["a" "b"] ["x, \"y\"" "two\nlines"] ["1" ""]]`,
  ],
  [String.raw`(csv/read "\"a\",b\r\n\"\",\"2\"\r\n" {"header" false})`, '[["a" "b"] ["" "2"]]'],
  [String.raw`(csv/read "5\" pipe,1\n" {"header" false})`, String.raw`[["5\" pipe" "1"]]`],
  [String.raw`(csv/read "\ufeffa\n\n1\n")`, '[{"a" "1"}]'],
  [String.raw`(csv/read "")`, '[]'],
  [String.raw`(csv/read "a,b\n")`, '[]'],
  [
    String.raw`(csv/write [{"id" 1 "name" "a, b"} {"id" nil "name" "c \"d\""}])`,
    String.raw`"id,name\r\n1,\"a, b\"\r\n,\"c \"\"d\"\"\"\r\n"`,
  ],
  [String.raw`(csv/write [["a" :k true] [1.5 "" "x\ny"]])`, String.raw`"a,k,true\r\n1.5,,\"x\ny\"\r\n"`],
  [String.raw`(csv/write [{"a" 1 "b" 2}] {"header" ["b" "a"] "separator" ";"})`, String.raw`"b;a\r\n2;1\r\n"`],
  [String.raw`(csv/write [{"a" 1}] {"header" false})`, String.raw`"1\r\n"`],
  [String.raw`(csv/write [[""] ["x"]])`, String.raw`"\"\"\r\nx\r\n"`],
  [String.raw`(csv/write [])`, '""'],
  [
    String.raw`(let [rows [["" "a,b"] ["\"" "x\r\ny"] [" z " ""]]] (= rows (csv/read (csv/write rows) {"header" false})))`,
    'true',
  ],
];

const CSV_FAULTS: readonly Row[] = [
  [String.raw`(csv/read "a,b\n1\n")`, 'csv: row 2 has 1 fields where the header has 2'],
  [String.raw`(csv/read "a,a\n1,2\n")`, 'csv: two columns have one name'],
  [String.raw`(csv/read "a\n\"x\n")`, 'csv: row 2 has a quote that is not closed'],
  [String.raw`(csv/read "\"x\"y\n")`, 'csv: row 1 has text behind a quote'],
  [String.raw`(csv/read "a" {"separator" "::"})`, 'csv: separator is one character, and no line end'],
  [String.raw`(csv/read "a" {"separator" "\""})`, 'csv: separator and quote differ'],
  [String.raw`(csv/read "a" {"headers" false})`, 'csv: an option is none of header, quote, separator'],
  [String.raw`(csv/read 5)`, 'csv: only a text can be read'],
  [String.raw`(csv/write [[[1]]])`, 'csv: a field is a text, a number, a boolean, a keyword or nil'],
  [String.raw`(csv/write [{"a" 1} 5])`, 'csv: all rows are vectors, or all are maps'],
];

const TEXT: readonly Row[] = [
  [String.raw`(text/lines "a\r\nb\n\nc\n")`, '["a" "b" "" "c"]'],
  [String.raw`(text/lines "")`, '[]'],
  [String.raw`(text/words "  two\twords\n")`, '["two" "words"]'],
  [String.raw`(text/words "")`, '[]'],
  [String.raw`(text/dedent "    a\n      b\n\n    c\n")`, String.raw`"a\n  b\n\nc\n"`],
  [String.raw`(text/dedent "a\n  b")`, String.raw`"a\n  b"`],
  [String.raw`(text/indent "a\n\nb\n" 2)`, String.raw`"  a\n\n  b\n"`],
  [String.raw`(text/indent "a" "> ")`, '"> a"'],
  [String.raw`(text/wrap "one two three\nfour\n\nfive" 9)`, String.raw`"one two\nthree\nfour\n\nfive"`],
  [String.raw`(text/wrap "incomprehensible word" 4)`, String.raw`"incomprehensible\nword"`],
  [
    String.raw`(text/table "| id | name |\n|----|:----:|\n| 1  | a \\| b |\n| 2 | |\n")`,
    '[{"id" "1", "name" "a | b"} {"id" "2", "name" ""}]',
  ],
  [String.raw`(text/table "id | name\n1 | a")`, '[{"id" "1", "name" "a"}]'],
  [
    String.raw`(text/table "NAME       READY  AGE\nfirst one      1  2 d\nb             10\n")`,
    '[{"NAME" "first one", "READY" "1", "AGE" "2 d"} {"NAME" "b", "READY" "10", "AGE" ""}]',
  ],
  [String.raw`(text/table "a   b\n--- ---\n1   2\n")`, '[{"a" "1", "b" "2"}]'],
  [String.raw`(text/table "")`, '[]'],
];

const TEXT_FAULTS: readonly Row[] = [
  [String.raw`(text/wrap "a" 0)`, 'text: a width is a number from 1 to 10000'],
  [String.raw`(text/wrap "a" 10001)`, 'text: a width is a number from 1 to 10000'],
  [String.raw`(text/indent "a" -1)`, 'text: a prefix is a text, or a number from 0 to 10000'],
  [String.raw`(text/table "| a | a |")`, 'text: two columns have one name'],
];

/** Program of the size, and what it says beyond its limit. */
const LIMITS: readonly (readonly [name: string, most: number, program: (size: number) => string, refusal: string])[] = [
  [
    'characters that csv reads',
    1_000_000,
    (size) => `(count (csv/read (apply str (repeat ${size} "x")) {"header" false}))`,
    'csv: the text has more than 1000000 characters',
  ],
  [
    'rows that csv reads',
    50_000,
    (size) => `(count (csv/read (apply str (repeat ${size} "x\\n")) {"header" false}))`,
    'csv: the text has more than 50000 rows',
  ],
  [
    'fields of a row that csv reads',
    1000,
    (size) => `(count (csv/read (apply str (repeat ${size - 1} ",")) {"header" false}))`,
    'csv: row 1 has more than 1000 fields',
  ],
  [
    'rows that csv writes',
    50_000,
    (size) => `(count (csv/write (repeat ${size} ["x"])))`,
    'csv: there are more than 50000 rows',
  ],
  [
    'fields of a row that csv writes',
    1000,
    (size) => `(count (csv/write [(repeat ${size} "x")]))`,
    'csv: a row has more than 1000 fields',
  ],
  [
    'characters that csv writes',
    1_000_000,
    (size) => `(count (csv/write [[(apply str (repeat ${size - 2} "x"))]]))`,
    'csv: the text has more than 1000000 characters',
  ],
  [
    'characters of a text',
    1_000_000,
    (size) => `(count (text/lines (apply str (repeat ${size} "x"))))`,
    'text: the text has more than 1000000 characters',
  ],
  [
    'columns of a line',
    10_000,
    (size) => `(count (text/wrap "a" ${size}))`,
    'text: a width is a number from 1 to 10000',
  ],
];

describe('csv and text (first-day.md §1)', () => {
  let sandbox: Sandbox;
  before(() => {
    sandbox = startBuiltSandbox();
  });
  after(async () => {
    await sandbox.close();
  });

  const shown = async (library: string, source: string): Promise<string> =>
    (await play(sandbox, [library], `(try ${source} (catch Exception e (ex-message e)))`)).ended;

  for (const [library, rows] of [
    ['csv', CSV],
    ['text', TEXT],
  ] as const)
    for (const [source, value] of rows)
      it(source, async () => {
        expect(await shown(library, source)).to.equal(`continued ${value}`);
      });

  for (const [library, rows] of [
    ['csv', CSV_FAULTS],
    ['text', TEXT_FAULTS],
  ] as const)
    for (const [source, message] of rows)
      it(`${source} is refused`, async () => {
        expect(await shown(library, source)).to.equal(`continued ${JSON.stringify(message)}`);
      });

  for (const [name, most, program, refusal] of LIMITS)
    it(`takes at most ${most} ${name}`, async () => {
      const library = refusal.slice(0, refusal.indexOf(':'));
      for (const size of [most - 1, most]) expect(await shown(library, program(size))).to.match(/^continued \d+$/);
      expect(await shown(library, program(most + 1))).to.equal(`continued ${JSON.stringify(refusal)}`);
    });
});
