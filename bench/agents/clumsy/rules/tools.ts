import type { Rule } from './rule.ts';

function isToolFailure(reported: string): boolean {
  return reported.startsWith("The program failed with a tool's error");
}

/** Takes the value that the tool's own words name in the place of the one that they refuse. */
export const takeWord: Rule = ({ program, reply }) => {
  const found = /"([^"]+)"; did you mean "([^"]+)"/.exec(reply);
  return isToolFailure(reply) && found !== null ? program.replace(`"${found[1] ?? ''}"`, `"${found[2] ?? ''}"`) : null;
};

/** Keeps to the bound that the tool's own words name. */
export const keepBound: Rule = ({ program, reply }) => {
  const found = /(\w+) is (\d+), and must be at most (\d+)/.exec(reply);
  if (!isToolFailure(reply) || found === null) return null;
  const changed = program.replace(new RegExp(`\\b${found[2] ?? ''}(?=\\))`), found[3] ?? '');
  return changed === program ? null : changed;
};

/** Writes a date as the tool's own words ask for. */
export const writeDate: Rule = ({ program, reply }) => {
  const found = /"(\d{1,2})\.(\d{1,2})\.(\d{4})", and must be written YYYY-MM-DD/.exec(reply);
  if (!isToolFailure(reply) || found === null) return null;
  const [, day = '', month = '', year = ''] = found;
  return program.replace(`${day}.${month}.${year}`, `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
};

/** Sends the same again where the tool's own words ask for it. */
export const tryAgain: Rule = ({ program, reply }) =>
  isToolFailure(reply) && /\btry again\b/.test(reply) ? program : null;
