import type { Readable } from 'node:stream';
import type { TypedAt } from '../../approvals/terminal-turns.ts';

/** What a line loop gets when it asks for a line. */
export type LineEvent =
  | { readonly kind: 'line'; readonly text: string }
  /** No text: longer than a form may be, or not UTF-8. */
  | { readonly kind: 'refused'; readonly reason: 'too-long' | 'not-utf8' }
  /** The person gave up what was typed so far. */
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'end' };

export interface LineSource {
  /** Shows the prompt and waits. */
  next(prompt: string): Promise<LineEvent>;
  /** Calls back, until the returned function is called, when an evaluation is to be given up. */
  onInterrupt(interrupt: () => void): () => void;
  /** Makes a whole form one that can be recalled. */
  remember(form: string): void;
  close(): Promise<void>;
  /** Of lines that are typed at a terminal; absent: they are not. */
  readonly terminal?: TypedAt;
}

const LF = 0x0a;

/** Lines of a pipe or file. Keeps no more of a line than the bound; the rest of a longer one is passed over. */
export function streamLines(
  stream: Readable,
  maximumBytes: number,
  showPrompt: (prompt: string) => Promise<void>,
): LineSource {
  const chunks = stream[Symbol.asyncIterator]();
  // A failure before the first read would find nobody listening; that read then meets it.
  stream.on('error', () => undefined);
  let buffered = Buffer.alloc(0);
  let atEnd = false;

  async function fill(): Promise<void> {
    try {
      const { done, value } = await chunks.next();
      if (done === true) atEnd = true;
      else buffered = Buffer.concat([buffered, Buffer.from(value)]);
    } catch {
      // A stream that fails, or is closed to stop the session, has no further lines.
      atEnd = true;
    }
  }

  /** The next line without its end; null at the end of the stream. Cuts what is longer than the bound. */
  async function take(): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean } | null> {
    let isWhole = true;
    for (;;) {
      const end = buffered.indexOf(LF);
      if (end !== -1) {
        const bytes = buffered.subarray(0, end);
        buffered = buffered.subarray(end + 1);
        return { bytes, isWhole: isWhole && bytes.length <= maximumBytes };
      }
      if (buffered.length > maximumBytes) {
        isWhole = false;
        buffered = Buffer.alloc(0);
      }
      if (atEnd) {
        const bytes = buffered;
        buffered = Buffer.alloc(0);
        return bytes.length === 0 && isWhole ? null : { bytes, isWhole };
      }
      await fill();
    }
  }

  return {
    async next(prompt) {
      await showPrompt(prompt);
      const line = await take();
      if (line === null) return { kind: 'end' };
      if (!line.isWhole) return { kind: 'refused', reason: 'too-long' };
      try {
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line.bytes);
        return { kind: 'line', text: text.endsWith('\r') ? text.slice(0, -1) : text };
      } catch {
        return { kind: 'refused', reason: 'not-utf8' };
      }
    },
    onInterrupt: () => () => undefined,
    remember: () => undefined,
    close: async () => {
      stream.destroy();
    },
  };
}
