/**
 * Every difference from Clojure that is accepted, each with programs that show it: the marked rows of the conformance
 * tables.
 */
import { readRecording, readTable, tableNames, type Recorded, type Row } from '../../conformance/language/table.ts';

interface Difference {
  readonly title: string;
  readonly text: string;
}

/** Programs of one difference that the page shows; the tables have them all. */
const SHOWN = 3;

/** By the mark of the tables, in the order of the page. */
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  A1: {
    title: 'Keys of maps may be texts or keywords',
    text: 'A look-up that would find nothing finds the same key written the other way, as keyword, symbol or text, with a dash or an underscore: data from JSON has texts, programs have keywords. A look-up that finds something finds what Clojure finds.',
  },
  A2: {
    title: 'No ratios',
    text: 'A division of integers that comes out even is an integer, any other a double. A literal such as `1/3` is refused.',
  },
  A3: {
    title: 'One kind of integer, of any size',
    text: "Arithmetic never overflows, so that `+` is `+'`. `1N` reads as `1` and nothing prints with an `N`. There are no decimals (`1M` is refused).",
  },
  A4: {
    title: 'Sequence functions finish',
    text: 'Over a finite collection `map`, `filter`, `for` and similar functions do all of their work at once, stage after stage: what they print and the tools they call come in order, and an error is raised at the call. Only endless or explicitly lazy sequences, and what is made of those, are lazy.',
  },
  A5: {
    title: 'No chance, no threads, no host',
    text: "What would give another answer tomorrow, or reach the machine, is not there: random numbers, futures, refs, agents, `eval`, macros of one's own, classes beyond the listed ones. Clocks are granted or absent; branches of `pmap` share nothing that changes.",
  },
  A7: {
    title: 'Texts and identities',
    text: 'Messages of exceptions that built-ins raise, the print form and hash of opaque objects (protocols, objects of `reify`, queues, matchers), `str` of a record without a `toString` of its own (here its print form), numbers of `gensym`, positions in metadata, classes of sequences, `identical?` on equal scalars, the last digit of transcendental functions, and vectors where Java answers arrays.',
  },
  boxed: {
    title: 'Arithmetic on values, not on primitives',
    text: "Clojure compiles arithmetic on constants to that of Java's primitives, which differs in corners from the same functions on values; here it is always the latter.",
  },
  extension: { title: 'More than Clojure has', text: 'Programs that Clojure refuses and that mean something here.' },
  limit: { title: 'What would never end', text: 'A step of nothing through a sequence is an error at once.' },
  later: {
    title: 'Definitions may come later in a program',
    text: 'A function may name what the same program defines after it.',
  },
  1.12: {
    title: 'Clojure 1.12',
    text: 'The recordings were made with release 1.11; these programs are of 1.12, which svc-lisp follows.',
  },
  JDK19: {
    title: 'Numbers as texts since Java 19',
    text: 'The recordings were made with an earlier Java, which wrote some doubles with more digits than they need and knew another set of word characters.',
  },
};

interface Shown {
  readonly row: Row;
  readonly recorded: Recorded;
  readonly test: string;
}

function marked(): readonly Shown[] {
  return tableNames().flatMap((name) => {
    const answers = readRecording(name);
    return readTable(name).flatMap((row, index) => {
      const recorded = answers[index];
      return row.difference === null || recorded === undefined
        ? []
        : [{ row, recorded, test: `${name.replace('expressions/', '')}:${index + 1}` }];
    });
  });
}

/** A cell of a table: on one line, its bars escaped. */
function cell(text: string): string {
  const line = text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', String.raw`\|`);
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

function tableRow({ row, recorded, test }: Shown): string {
  const theirs = 'value' in recorded ? recorded.value : recorded.error;
  return `| ${cell(row.source)} | ${cell(theirs)} | ${cell(row.difference?.expected ?? '')} | ${test} |`;
}

/** The whole page. A mark that is told by nobody fails. */
export function conformanceGapsPage(): string {
  const all = marked();
  const unreported = [...new Set(all.map(({ row }) => row.difference?.id ?? ''))].filter(
    (id) => !Object.hasOwn(DIFFERENCES, id),
  );
  if (unreported.length > 0) throw new Error(`differences without a text: ${unreported.join(', ')}`);
  const programs = tableNames().reduce((count, name) => count + readTable(name).length, 0);
  const sections = Object.entries(DIFFERENCES).flatMap(([id, { title, text }]) => {
    const of = all.filter(({ row }) => row.difference?.id === id);
    return [
      `## ${title}`,
      '',
      text,
      '',
      '| Program | Clojure | svc-lisp | Test |',
      '|---|---|---|---|',
      ...of.slice(0, SHOWN).map(tableRow),
      '',
      ...(of.length > SHOWN ? [`${of.length - SHOWN} more rows of the tests are marked \`${id}\`.`, ''] : []),
    ];
  });
  return [
    '# Differences from Clojure',
    '',
    `svc-lisp is Clojure without what a bounded, deterministic sandbox cannot have. ${programs} programs are run here and by Clojure and must agree; ${all.length} do not, on purpose. Each difference is shown by a few of them; the last column names the row of the tests (\`conformance/language\`). [Limits](limits.md) are not part of Clojure either.`,
    '',
    ...sections,
  ].join('\n');
}
