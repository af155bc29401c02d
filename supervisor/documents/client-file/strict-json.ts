/**
 * A text of the JSON with comments and trailing commas that editors take for their settings, as strict JSON: what is
 * taken out leaves spaces, so that every place stays the same.
 */
export function strictJson(text: string): string {
  let plain = '';
  /** Where a comma is behind which only space came so far; -1: nowhere. */
  let comma = -1;
  for (let at = 0; at < text.length;) {
    const [piece = ''] = nextPiece(text, at);
    const isComment = piece.startsWith('//') || piece.startsWith('/*');
    if (isComment) plain += piece.replaceAll(/[^\r\n]/g, ' ');
    else if (comma !== -1 && (piece === '}' || piece === ']'))
      plain = `${plain.slice(0, comma)} ${plain.slice(comma + 1)}${piece}`;
    else plain += piece;
    if (piece === ',') comma = at;
    else if (!isComment && piece.trim() !== '') comma = -1;
    at += piece.length;
  }
  return plain;
}

const PIECE = /"(?:[^"\\]|\\[^])*"?|\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$)|\s+|[^]/y;

function nextPiece(text: string, at: number): readonly string[] {
  PIECE.lastIndex = at;
  return PIECE.exec(text) ?? [];
}
