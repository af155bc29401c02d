import { linePosition } from '../../contract/json/line-position.ts';
import type { ExplainedPlace } from '../../contract/diagnostics/explanation.ts';
import type { ByteSpan } from '../../contract/sandbox-protocol.ts';
import type { SourceName } from './components/source-name.ts';

/** A source that a person may open. */
export interface NamedSource extends SourceName {
  readonly bytes: Uint8Array;
}

const decoder = new TextDecoder();

/** Characters of a line that an excerpt shows; of a longer one there is none. */
const LINE_LENGTH_MAX = 400;

/**
 * A span of a source as people read it: by line and column, with the line. A span that reaches beyond the source is
 * cut.
 */
export function placeInSource(
  { file, opens, bytes }: NamedSource,
  span: ByteSpan,
  within: string | null,
): ExplainedPlace {
  const { line, column, lineStart, lineEnd } = linePosition(bytes, span.start_byte);
  const start = Math.min(span.start_byte, lineEnd);
  const text = decoder.decode(bytes.subarray(lineStart, lineEnd));
  const length = Array.from(
    decoder.decode(bytes.subarray(start, Math.max(start, Math.min(span.end_byte, lineEnd)))),
  ).length;
  return {
    file,
    ...(opens === null ? {} : { opens }),
    line,
    column,
    within,
    excerpt: text.length > LINE_LENGTH_MAX ? null : { text, length },
  };
}
