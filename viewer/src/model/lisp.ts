/** A piece of a program, by what it is. */
export interface Token {
  readonly kind: 'comment' | 'string' | 'keyword' | 'number' | 'form' | 'paren' | 'plain';
  readonly text: string;
}

const TOKEN =
  /(;[^\n]*)|("(?:[^"\\]|\\.)*"?|\\(?:[a-zA-Z]\w*|.))|(:[\w?!*+<>=/.-]+)|(-?\b\d[\w./]*)|([()[\]{}])|((?<=\()[^\s()[\]{}";]+)|([^\s()[\]{}";:]+|\s+|.)/gs;
const KINDS = ['comment', 'string', 'keyword', 'number', 'paren', 'form', 'plain'] as const;

/** A program in pieces; together they are its text again. */
export function tokensOf(source: string): readonly Token[] {
  return [...source.matchAll(TOKEN)].map((match) => {
    const at = match.slice(1).findIndex((group) => group !== undefined);
    return { kind: KINDS[at] ?? 'plain', text: match[0] };
  });
}
