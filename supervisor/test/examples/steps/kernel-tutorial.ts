import { program, words, type RecordedStep } from '../recorded-step.ts';

const tree = 'kernel-tutorial';
const alias = 'deepseek';

const TOPICS: Readonly<Record<string, string>> = {
  atoms: 'Holding one value that changes over time.',
  delays: 'Putting off work until its value is needed.',
  keywords: 'Naming the keys of maps.',
  lists: 'Holding code, and growing at the front.',
  loops: 'Repeating a step without growing the stack.',
  maps: 'Finding values by their keys.',
  numbers: 'Counting and measuring.',
  ratios: 'Exact fractions, where a language has them.',
  sequences: 'Looking at any collection one element at a time.',
  sets: 'Knowing whether something is a member.',
  strings: 'Holding text.',
  vectors: 'Reaching elements by their position.',
};

const extract: RecordedStep = {
  tree,
  step: '02-deepseek-extract',
  alias,
  script: [
    words(
      JSON.stringify({ owner: 'Mara', project: 'Lighthouse', risk: 'the contract with the printers is not signed' }),
    ),
  ],
};

const fileAgent: RecordedStep = {
  tree,
  step: '03-file-agent',
  alias,
  script: [
    program(
      '[(cap/unwrap! (tool/read-text-file {"path" "brief.txt" "max_lines" 4})) (apropos "page")]',
      'I read the first page, and look for something that reads all of them.',
    ),
    program('(doc cap/fold-pages)'),
    program(
      [
        '(defn page [cursor] (cap/unwrap! (tool/read-text-file {"path" "brief.txt" "max_lines" 4 "cursor" cursor})))',
        '(return (str/join "\\n" (get (cap/fold-pages page conj [] {"max_pages" 20}) "value")))',
      ].join('\n'),
    ),
  ],
};

const multiTurn: RecordedStep = {
  tree,
  step: '04-multi-turn-agent',
  alias,
  script: [program('(defn twice [n] (* 2 n))\nnil'), program('(return (twice 21))')],
};

const fanOut: RecordedStep = {
  tree,
  step: '07-parallel-fan-out',
  alias,
  script: [
    ...Object.entries(TOPICS).map(([topic, answer]) => words(answer, `What are ${topic} good for?`)),
    words('Each kind of value has one thing that it does best.', 'Summarise:'),
  ],
};

export const KERNEL_TUTORIAL: readonly RecordedStep[] = [extract, fileAgent, multiTurn, fanOut];
