import type { Answer } from '../../../conformance/servers/llm/script.ts';

const TOOL = 'run_svc_lisp';

/** One thing that a model does wrong in its first answer to a task. */
export interface Mistake {
  /** `kind/name`. */
  readonly name: string;
  /** Name of the task. */
  readonly task: string;
  /** Its first answer, made from a program that is right. */
  readonly answer: (solution: string) => Answer;
  /** Whether the loop is in text mode. */
  readonly isText?: boolean;
}

/** The answer that calls the tool with a program, as it should. */
export function calling(program: string): Answer {
  return { toolCalls: [{ name: TOOL, args: { program } }] };
}

/** A mistake within the program: each text that is right becomes one that is not. */
function spoilt(name: string, task: string, ...changes: readonly (readonly [right: string, wrong: string])[]): Mistake {
  return {
    name,
    task,
    answer: (solution) =>
      calling(
        changes.reduce((program, [right, wrong]) => {
          if (!program.includes(right)) throw new Error(`${name}: the solution of ${task} does not hold ${right}`);
          return program.replace(right, () => wrong);
        }, solution),
      ),
  };
}

/** A mistake in how a program is handed over. */
function submissionMistake(name: string, task: string, answer: Mistake['answer'], isText = false): Mistake {
  return { name, task, answer, isText };
}

function block(program: string): string {
  return `\`\`\`clojure\n${program}\n\`\`\``;
}

/** All lines but the last, and the last. */
function apart(program: string): readonly [string, string] {
  const lines = program.split('\n');
  return [lines.slice(0, -1).join('\n'), lines.at(-1) ?? ''];
}

const PASSED: readonly Mistake[] = [
  submissionMistake('answer/prose', 'tables/paid-total', (program) => ({
    text: `I would do this:\n${block(program)}`,
  })),
  submissionMistake('answer/two-calls', 'joins/without-orders', (program) => ({
    toolCalls: apart(program).map((part) => ({ name: TOOL, args: { program: part } })),
  })),
  submissionMistake('answer/other-tool', 'tables/status-counts', (program) => ({
    toolCalls: [{ name: 'python', args: { program } }],
  })),
  submissionMistake('answer/no-json', 'text/longest-word', (program) => ({
    toolCalls: [{ name: TOOL, args: program }],
  })),
  submissionMistake('answer/other-key', 'text/acronym', (program) => ({
    toolCalls: [{ name: TOOL, args: { code: program } }],
  })),
  submissionMistake('answer/list-of-lines', 'joins/totals-by-city', (program) => ({
    toolCalls: [{ name: TOOL, args: { program: program.split('\n') } }],
  })),
  submissionMistake('answer/empty', 'dates/overdue', (program) => ({
    text: block(program),
    toolCalls: [{ name: TOOL, args: { program: '' } }],
  })),
  submissionMistake('answer/fence-in-argument', 'large/timeouts', (program) => calling(block(program))),
  submissionMistake('answer/prose-in-argument', 'tables/median', (program) =>
    calling(`This is the program\n${program}`),
  ),
  submissionMistake('answer/too-long', 'large/needle', (program) =>
    calling(`; ${'look at each reading '.repeat(4000)}\n${program}`),
  ),
  submissionMistake('text/no-fence', 'tables/outliers', (program) => ({ text: program }), true),
  submissionMistake(
    'text/two-blocks',
    'dates/by-month',
    (program) => ({ text: apart(program).map(block).join('\nand then\n') }),
    true,
  ),
];

const SYNTAX: readonly Mistake[] = [
  spoilt('syntax/missing-end', 'names/nested', ['"timeout_s"]))', '"timeout_s"])']),
  spoilt('syntax/missing-within', 'tables/paid-total', ['data/orders))', 'data/orders)']),
  spoilt('syntax/extra-end', 'text/longest-word', ['#" "))', '#" ")))']),
  spoilt('syntax/wrong-end', 'tables/median', ['(quot (count sorted) 2)', '(quot (count sorted) 2]']),
  spoilt('syntax/json-map', 'ideas/units', ['{"weight_g" (', '{"weight_g": (']),
  spoilt('syntax/open-text', 'text/errors-by-module', ['"ERROR"', '"ERROR']),
  spoilt('syntax/name-like-number', 'tables/best-customer', ['(def sums', '(def 1sums'], ['val sums', 'val 1sums']),
  spoilt('syntax/escape', 'dates/latest', ['#"\\."', '"\\."']),
  spoilt('syntax/twice-a-key', 'tables/report', ['{"id" (:id largest)', '{"id" (:id largest) "id" (:id largest)']),
];

const NAMES: readonly Mistake[] = [
  spoilt('name/typing-error', 'tables/paid-total', ['(filter', '(fliter']),
  spoilt('name/data', 'joins/revenue-by-category', ['data/products', 'data/product']),
  spoilt('name/data-without-prefix', 'dates/by-month', ['data/invoices', 'invoices']),
  spoilt('name/tool', 'chains/note', ['tool/search-notes', 'tool/search-note']),
  spoilt('name/camel-case-tool', 'names/two-tools', ['tool/get-user-by-email', 'tool/getUserByEmail']),
  spoilt('name/of-python', 'large/how-many', ['(count', '(len']),
  spoilt('name/method', 'dates/days-between', ['.toEpochDay end', '.toEpochDays end']),
  spoilt('name/key', 'names/net-sum', [':total_net', ':net_total']),
  spoilt('name/key-with-space', 'names/spaces', ['"unit price"', '"unit_price"']),
];

const TYPES: readonly Mistake[] = [
  spoilt('type/text-as-number', 'text/units', ['(parse-long (nth fields 2))', '(nth fields 2)']),
  spoilt('type/swapped', 'tables/outliers', ['(filter large? data/orders)', '(filter data/orders large?)']),
  spoilt('type/value-called', 'dates/overdue', ['data/today))', '(data/today)))']),
  spoilt('type/index', 'text/units', ['(nth fields 2)', '(nth fields 3)']),
  spoilt('type/too-many-arguments', 'text/units', ['(parse-long (nth fields 2))', '(parse-long (nth fields 2) 10)']),
];

const ARGUMENTS: readonly Mistake[] = [
  spoilt('argument/text-for-number', 'chains/price-abroad', ['4711', '"4711"']),
  spoilt('argument/unknown-key', 'chains/latest-order', ['"customer_id"', '"customer"']),
  spoilt('argument/other-case', 'chains/price-abroad', ['"EUR"', '"eur"']),
  spoilt('argument/missing', 'chains/price-abroad', [' "to" "EUR"', '']),
  spoilt('argument/too-large', 'chains/note', ['"limit" 5', '"limit" 500']),
  spoilt('argument/one-for-many', 'chains/book-flight', ['"seats" 2', '"seats" 2 "passengers" "both"']),
  spoilt('argument/no-map', 'chains/pages', ['{"page" number}', 'number']),
];

const TOOLS: readonly Mistake[] = [
  spoilt('tool/unknown-value', 'failures/unknown-city', ['"Cologne"', '"Koeln"']),
  spoilt('tool/bound', 'failures/page-size', ['(def size 40)', '(def size 120)']),
  spoilt('tool/not-tried-again', 'failures/once-away', [
    '(if (= :ok (:status first-reply)) first-reply (visitors))',
    'first-reply',
  ]),
  spoilt('tool/form', 'failures/once-away', ['2026-11-20', '20.11.2026']),
  spoilt('tool/envelope', 'chains/latest-order', ['(if (= :ok (:status reply)) (:value reply) (fail reply))', 'reply']),
];

const VALUES: readonly Mistake[] = [
  spoilt('value/text-for-number-within', 'tables/report', ['(:total largest)', '(str (:total largest))']),
  spoilt('value/other-key', 'ideas/units', ['"weight_g"', '"weight"']),
  spoilt('value/extra-key', 'failures/some-missing', ['{"sum"', '{"note" "all read" "sum"']),
  spoilt('value/in-a-list', 'ideas/units', [
    '{"weight_g" (reduce + (map grams data/weights))}',
    '[{"weight_g" (reduce + (map grams data/weights))}]',
  ]),
  spoilt('value/as-text', 'tables/status-counts', [
    '(frequencies statuses)',
    '(json/generate-string (frequencies statuses))',
  ]),
  spoilt('value/pairs', 'tables/status-counts', ['(frequencies statuses)', '(vec (frequencies statuses))']),
  spoilt('value/not-verified', 'ideas/percentages', ['(update parts 0 + (- 100 (reduce + parts)))', 'parts']),
  spoilt('value/counted-twice', 'ideas/duplicates', ['(distinct data/events)', 'data/events']),
  spoilt('value/two-forms', 'ideas/one-form', [
    '(return (apply max data/seats))',
    '(def most (apply max data/seats))\n(return most)',
  ]),
];

const SEEN: readonly Mistake[] = [
  spoilt('seen/not-returned', 'joins/chain-of-command', ['(return (mapv', '(identity (mapv']),
  spoilt('seen/printed', 'text/addresses', ['(return (vec', '(println (vec']),
  spoilt('seen/counted-by-eye', 'large/how-many', ['(return (count data/readings))', 'data/readings']),
  spoilt('seen/cut', 'large/top', ['(return (mapv :at (take 5 order)))', 'order']),
];

/** What a clumsy model does first. */
export const MISTAKES: readonly Mistake[] = [
  ...PASSED,
  ...SYNTAX,
  ...NAMES,
  ...TYPES,
  ...ARGUMENTS,
  ...TOOLS,
  ...VALUES,
  ...SEEN,
];
