/** One part of printed text; the first group that matches names its colour. */
const TOKEN =
  /(?<string>"(?:\\.|[^"\\])*"?)|(?<keyword>(?<![\w/]):[^\s,()[\]{}"]+)|(?<number>(?<![\w.*+!?<>=/-])-?\d[\w./+-]*)|(?<word>(?<![^\s([{,])(?:nil|true|false)(?![^\s)\]},]))|(?<notice>^;; .*$)/gm;
const CODES: Readonly<Record<string, readonly [on: string, off: string]>> = {
  string: ['32', '39'],
  keyword: ['35', '39'],
  number: ['36', '39'],
  word: ['33', '39'],
  notice: ['2', '22'],
};

/** A printed value with the colours of its parts; what a program prints by itself is left alone. */
export function coloured(text: string): string {
  return text.replace(TOKEN, (token: string, ...rest: readonly unknown[]) => {
    const groups = rest.at(-1);
    const name = Object.keys(CODES).find(
      (candidate) => typeof groups === 'object' && groups !== null && Object(groups)[candidate] !== undefined,
    );
    const [on, off] = CODES[name ?? ''] ?? ['39', '39'];
    return `\u001b[${on}m${token}\u001b[${off}m`;
  });
}
