/** How much of one program stands in another, whatever its names and literals are. */
import type { Program } from './table.ts';

/** Tokens in a row that are compared. */
const RUN = 6;

/** Names that a program gives are one; those of Clojure and all marks stay. */
function runs({ source }: Program): ReadonlySet<string> {
  const tokens = source.match(/#?"(?:[^"\\]|\\.)*"|\\\S|[()[\]{}]|#[({]|[^\s,()[\]{}"]+/g) ?? [];
  const input = new Set(
    [...source.matchAll(/\(defn?-? ([^\s()]+)|\[\[?([a-z][\w?!-]*) /g)].flatMap(([, defined, bound]) => [
      defined,
      bound,
    ]),
  );
  const shape = tokens.map((token) => {
    if (/^[#]?"/.test(token)) return '""';
    if (/^[-+]?\d/.test(token)) return '0';
    if (token.startsWith(':') || token.startsWith('\\')) return ':k';
    return input.has(token) ? 'x' : token;
  });
  return new Set(shape.slice(RUN - 1).map((_, at) => shape.slice(at, at + RUN).join(' ')));
}

/** The part of the shorter one's runs of tokens that the other has too, 0 to 1. */
export function likeness(left: Program, right: Program): number {
  const [a, b] = [runs(left), runs(right)];
  const least = Math.min(a.size, b.size);
  return least === 0 ? Number(left.source === right.source) : a.intersection(b).size / least;
}
