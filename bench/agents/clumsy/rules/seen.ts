import { topForms, textOf } from '../forms.ts';
import type { Rule } from './rule.ts';

const NUMBERS: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, five: 5, ten: 10 };

function hasReturned(program: string): boolean {
  return program.includes('(return ');
}

/** Returns what it printed. */
export const returnPrinted: Rule = ({ program, reply }) =>
  reply.startsWith('The program succeeded') && program.includes('(println ') && !hasReturned(program)
    ? program.replace('(println ', '(return ')
    : null;

/** Counts what it sees: by the size that was told, else by its eyes. */
export const countSeen: Rule = ({ program, reply, task }) => {
  if (!reply.startsWith('The program succeeded') || hasReturned(program) || !/Return the number of/.test(task))
    return null;
  const size = /cut: \d+ of (\d+) items/.exec(reply);
  const seen = /user=> [[(]([\s\S]*)/.exec(reply)?.[1] ?? '';
  return `(return ${size === null ? String(seen.split('} {').length) : (size[1] ?? '')})`;
};

/** Takes the first of what it sees in order, as many as the task asks for. */
export const takeSeen: Rule = ({ program, reply, task }) => {
  const match = /Return the "(\w+)" of the (\w+) /.exec(task);
  const count = NUMBERS[match?.[2] ?? ''];
  if (!reply.startsWith('The program succeeded') || hasReturned(program) || count === undefined) return null;
  return `(return (mapv (fn [row] (get row "${match?.[1] ?? ''}")) (take ${String(count)} *1)))`;
};

/** Returns the value that it was shown. */
export const returnSeen: Rule = ({ program, reply }) => {
  const last = topForms(program).at(-1);
  if (!reply.startsWith('The program succeeded') || hasReturned(program) || last === undefined) return null;
  return textOf(program, last).startsWith('(def') ? null : '(return *1)';
};
