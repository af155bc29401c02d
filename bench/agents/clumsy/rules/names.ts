import { renamed } from '../forms.ts';
import { nearest } from '../nearest.ts';
import { namesIn, type Rule } from './rule.ts';

/** A symbol that is unknown, and what was told in its place. */
const UNKNOWN =
  /(?:Unable to resolve symbol|Unknown tool|Unsupported method|No such data|Unsupported class|No such namespace)[^:\n]*: ([^\s;,(]+)/;

/** Takes the name that was told in the place of one that is unknown; of several the nearest. */
export const takeName: Rule = ({ program, reply }) => {
  const unknown = UNKNOWN.exec(reply)?.[1];
  if (unknown === undefined) return null;
  const match = /(?:did you mean|\(use) ([^?)\n]+)/.exec(reply);
  const granted = /granted: ([^\n<]+)/.exec(reply);
  const names = match !== null ? namesIn(match[1] ?? '') : granted !== null ? namesIn(granted[1] ?? '') : [];
  const name = names.length === 1 ? names[0] : (nearest(unknown, names) ?? (match === null ? undefined : names[0]));
  return name === undefined ? null : renamed(program, unknown, name);
};

/** Takes the key that a map was told to have in the place of one under which nothing is found. */
export const takeKey: Rule = ({ program, reply }) => {
  const found = /(:[\w-]+|"[^"\n]+") found nothing; the maps? ha(?:s|ve) ([^)\n<]+)/.exec(reply);
  const key = found?.[1];
  if (found === null || key === undefined) return null;
  const list = found[2] ?? '';
  const name = nearest(key, list.includes('"') ? namesIn(list) : namesIn(list).map((one) => one.replace(/^:/, '')));
  if (name === null) return null;
  if (key.startsWith('"')) return program.replaceAll(key, `"${name}"`);
  return /^[\w-]+$/.test(name) ? renamed(program, key, `:${name}`) : null;
};
