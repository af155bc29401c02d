import { callsOf, formAt, partsOf, replaced, textOf } from '../forms.ts';
import { placed, type Rule } from './rule.ts';

/** Makes numbers of the texts that a sum was told to be of. */
export const parseNumbers: Rule = ({ program, reply, place }) => {
  const found = /(?:^|[\s>])([+*-]|sum-by)?:? ?argument \d+ must be a number, not string/.exec(reply);
  if (found === null) return null;
  const operator = found[1] ?? '+';
  const sums = ['reduce', 'apply']
    .flatMap((name) => callsOf(program, name))
    .flatMap((at) => formAt(program, at) ?? [])
    .filter((span) => textOf(program, span).split(/\s/)[1] === operator);
  const sum = placed(sums, place);
  const last = sum === null ? undefined : partsOf(program, sum.start)?.at(-1);
  return last === undefined ? null : replaced(program, last, `(map parse-long ${textOf(program, last)})`);
};

/** Changes the places of two arguments, where the collection was told to be a function. */
export const swapArguments: Rule = ({ program, reply, place }) => {
  const found = /([\w-]+) takes a collection, not a value of type function/.exec(reply);
  if (found === null) return null;
  const call = placed(
    callsOf(program, found[1] ?? '').flatMap((at) => formAt(program, at) ?? []),
    place,
  );
  const parts = call === null ? null : partsOf(program, call.start);
  if (call === null || parts === null || parts.length !== 3) return null;
  const [name, first, second] = parts.map((part) => textOf(program, part));
  return replaced(program, call, `(${name ?? ''} ${second ?? ''} ${first ?? ''})`);
};

/** Takes the parentheses away from a value that was told to be no function. */
export const dropCall: Rule = ({ program, reply }) => {
  const found = /(\S+) is a value of type \w+, not a function/.exec(reply);
  const name = found?.[1]?.replace(/^.*>/, '');
  return name !== undefined && program.includes(`(${name})`) ? program.replace(`(${name})`, name) : null;
};

/** Takes the last index of those that were told in the place of one beyond them. */
export const boundIndex: Rule = ({ program, reply }) => {
  const found = /index (\d+) is out of range; the indices are \d+ to (\d+)/.exec(reply);
  if (found === null) return null;
  const changed = program.replace(new RegExp(`(\\(nth [^()]+ )${found[1] ?? ''}\\)`), `$1${found[2] ?? ''})`);
  return changed === program ? null : changed;
};

/** Leaves the arguments out that a function was told not to take. */
export const dropArguments: Rule = ({ program, reply, place }) => {
  const found = /Wrong number of args \((\d+)\) passed to: (\S+?); it takes (\d+)/.exec(reply);
  if (found === null) return null;
  const calls = callsOf(program, found[2] ?? '').flatMap((at) => formAt(program, at) ?? []);
  const call = placed(
    calls.filter((span) => partsOf(program, span.start)?.length === Number(found[1]) + 1),
    place,
  );
  const parts = call === null ? null : partsOf(program, call.start);
  const last = parts?.[Number(found[3])];
  return call === null || last === undefined ? null : replaced(program, { start: last.end, end: call.end }, ')');
};
