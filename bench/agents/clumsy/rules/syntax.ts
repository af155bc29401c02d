import { closerAt, formAt, offsetOf, partsOf, replaced, textOf } from '../forms.ts';
import { only, type Rule } from './rule.ts';

/** Closes what was told to be open: before the line that begins another form, where one was told, else at the end. */
export const closeForm: Rule = ({ program, reply, place }) => {
  if (!/Unclosed [([{]/.test(reply) || place === null) return null;
  const closer = closerAt(program, place);
  const next = /line (\d+) begins a new form/.exec(reply);
  const at = next === null ? program.length : offsetOf(program, Number(next[1]), 1) - 1;
  return closer === null ? null : program.slice(0, at) + closer + program.slice(at);
};

/** Takes a closing delimiter away that closes nothing. */
export const dropCloser: Rule = ({ program, reply, place }) => {
  const found = /Unmatched delimiter: ([)\]}])/.exec(reply);
  if (found === null || place === null || / needs [)\]}]/.test(reply)) return null;
  const from = program[place] === found[1] ? place : (formAt(program, place)?.end ?? program.length);
  const at = program.indexOf(found[1] ?? '', from);
  return at < 0 ? null : program.slice(0, at) + program.slice(at + 1);
};

/** Puts the closing delimiter that was told in the place of the one that was not meant. */
export const changeCloser: Rule = ({ program, reply }) => {
  const found = /Unmatched delimiter: ([)\]}]); the [([{] at line (\d+),? column (\d+) needs ([)\]}])/.exec(reply);
  if (found === null) return null;
  const open = offsetOf(program, Number(found[2]), Number(found[3]));
  const end = partsOf(program, open)?.at(-1)?.end ?? open + 1;
  const at = program.indexOf(found[1] ?? '', end);
  return at < 0 ? null : replaced(program, { start: at, end: at + 1 }, found[4] ?? '');
};

/** Takes the colon of JSON away that stands by itself. */
export const dropColon: Rule = ({ program, reply, place }) => {
  if (!/Invalid token: :(?![\w-])/.test(reply)) return null;
  const colons = [...program.matchAll(/(?<=")\s*:(?=\s)/g)].map(({ index, 0: text }) => ({ index, text }));
  const colon =
    colons.find(({ index, text }) => index <= (place ?? -1) && (place ?? -1) < index + text.length) ?? only(colons);
  return colon === null ? null : program.slice(0, colon.index) + program.slice(colon.index + colon.text.length);
};

/** Closes a text behind its first word, where it was told that it is open, or begins where none should. */
export const closeText: Rule = ({ program, reply }) => {
  const found =
    /(?:string|text)\b[^\n]{0,80}?(?:opened|opens|begins|began|starts|started) at line (\d+),? column (\d+)/i.exec(
      reply,
    );
  if (found === null) return null;
  const start = program.indexOf('"', offsetOf(program, Number(found[1]), Number(found[2])));
  const word = /^"[\w-]*/.exec(program.slice(start));
  return start < 0 || word === null ? null : replaced(program, { start, end: start + word[0].length }, `${word[0]}"`);
};

/** Gives a name that begins with a digit another beginning. */
export const renameNumber: Rule = ({ program, reply }) => {
  const found = /Invalid number: ([\w-]+); names cannot start with a digit/.exec(reply);
  return found === null ? null : program.replaceAll(found[1] ?? '', `n${found[1] ?? ''}`);
};

/** Writes a backslash twice in a text that does not know the escape. */
export const doubleBackslash: Rule = ({ program, reply }) => {
  const found = /(?:Unsupported|Invalid|Unknown) escape[^\\]*(\\.)/i.exec(reply);
  if (found === null) return null;
  // A pattern is told to be written without a second backslash.
  if (/regex|#"/.test(reply)) return program.replace(new RegExp(`"(?=[^"]*\\${found[1] ?? ''})`), '#"');
  return program.replace(found[1] ?? '', `\\${found[1] ?? ''}`);
};

/** Takes the second of two pairs away that have one key and one value. */
export const dropPair: Rule = ({ program, reply }) => {
  const found = /Duplicate key: ("[^"\n]*"|[^\s<]+)/.exec(reply);
  const key = found?.[1] ?? '';
  const first = key === '' ? -1 : program.indexOf(`${key} `);
  const second = program.indexOf(`${key} `, first + 1);
  const [value, again] = [formAt(program, first + key.length), formAt(program, second + key.length)];
  if (first < 0 || second < 0 || value === null || again === null) return null;
  if (textOf(program, value) !== textOf(program, again)) return null;
  return program.slice(0, second).trimEnd() + program.slice(again.end);
};
