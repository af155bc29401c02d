/** What to do about a fault of the compiler whose own words only say what is wrong, by how they begin or end. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^Unclosed [([{]/u, 'write the bracket that closes it, or remove one that opens too much'],
  [/^Unclosed string/u, 'write the quote that ends it; a quote inside of a text is \\"'],
  [/^Unmatched delimiter: .* is closed already$/u, 'remove it'],
  [/^Unmatched delimiter: .* needs .$/u, 'write the one that is needed, or correct the one that opens'],
  [/^Unclosed group/u, 'close the group, or write \\( for the bracket itself'],
  [/^Map literal must contain/u, 'give each key a value'],
  [/^Duplicate key: /u, 'write each key once'],
  [/requires an even number of forms in its binding vector$/u, 'give each name a value'],
  [
    /^Can only recur from tail position/u,
    'write recur as the last form of its loop or function, or call the function by its name',
  ],
  [/^Mismatched argument count to recur/u, 'give recur one value for each name of its loop or function'],
  [/^if takes 2 or 3 parts/u, 'put several forms of a branch into (do …), or write cond'],
  [
    /^A definition stands before any \(ns \u2026\)$/u,
    'begin the file with (ns NAME), where NAME is the id of the component',
  ],
  [/^An initialiser failed: /u, 'correct the form; what may fail at run time belongs in a function'],
  [/ is defined twice$/u, 'rename one of the two, or remove it'],
  [/^(?:Unable to resolve symbol|No such var): [^\s(;]+$/u, 'define it, or correct its name'],
];

/** Null where the compiler says what to do, or nobody knows. */
export function compileRemedyOf(message: string): string | null {
  return REMEDIES.find(([form]) => form.test(message))?.[1] ?? null;
}
