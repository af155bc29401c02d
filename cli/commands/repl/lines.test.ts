import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import * as sinon from 'sinon';
import { streamLines, type LineEvent, type LineSource } from './lines.ts';
import { terminalLines } from './terminal-lines.ts';

async function all(source: LineSource): Promise<LineEvent[]> {
  const events: LineEvent[] = [];
  for (let event = await source.next('> '); event.kind !== 'end'; event = await source.next('> ')) events.push(event);
  return events;
}

function linesOf(...chunks: readonly (string | Uint8Array)[]): LineSource {
  return streamLines(
    Readable.from(
      chunks.map((chunk) => Buffer.from(chunk)),
      { objectMode: false },
    ),
    8,
    async () => undefined,
  );
}

const line = (text: string): LineEvent => ({ kind: 'line', text });

describe('lines of a pipe', () => {
  it('keep their text, whatever ends them', async () => {
    expect(await all(linesOf('a\r\n\n', 'b'))).to.deep.equal([line('a'), line(''), line('b')]);
    expect(await all(linesOf())).to.deep.equal([]);
  });

  it('are the same however the bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 3 })), fc.integer({ min: 1, max: 4 }), async (texts, size) => {
        const wanted = texts.map((text) => text.replaceAll(/[\r\n]/g, 'é'));
        const bytes = Buffer.from(wanted.map((text) => `${text}\n`).join(''));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        expect(await all(linesOf(...chunks))).to.deep.equal(wanted.map(line));
      }),
    );
  });

  it('are refused when too long, and the next one is read', async () => {
    const tooLong: LineEvent = { kind: 'refused', reason: 'too-long' };
    expect(await all(linesOf('123456789\nb\n'))).to.deep.equal([tooLong, line('b')]);
    expect(await all(linesOf('12345', '67890', '12345', '67\nb'))).to.deep.equal([tooLong, line('b')]);
    expect(await all(linesOf('1234567890'))).to.deep.equal([tooLong]);
  });

  it('are refused when they are not UTF-8', async () => {
    expect(await all(linesOf(Uint8Array.of(0xff, 0x0a), 'a'))).to.deep.equal([
      { kind: 'refused', reason: 'not-utf8' },
      line('a'),
    ]);
  });

  it('end when the stream fails', async () => {
    const stream = new PassThrough();
    const source = streamLines(stream, 8, async () => undefined);
    stream.destroy(new Error('gone'));
    expect(await all(source)).to.deep.equal([]);
  });
});

/** Lets streams hand on what they have. */
const settled = async (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('lines of a terminal', () => {
  // Node edits no lines of a terminal that this variable calls dumb, as in many a log of CI.
  beforeEach(() => {
    sinon.stub(process, 'env').value({ ...process.env, TERM: 'xterm' });
  });
  afterEach(() => {
    sinon.restore();
  });

  function terminal(history: readonly string[] = []) {
    const input = new PassThrough();
    const output = new PassThrough();
    let text = '';
    output.on('data', (chunk) => {
      text += String(chunk);
    });
    const saved: (readonly string[])[] = [];
    const source = terminalLines({
      input,
      output,
      canEdit: true,
      complete: async () => [[], ''],
      history,
      saveHistory: async (lines) => {
        saved.push(lines);
      },
    });
    return { input, source, saved, shown: () => text };
  }

  it('come as they are typed, also ahead of the prompt', async () => {
    const { input, source } = terminal();
    input.write('a\rb\r');
    expect([await source.next('> '), await source.next('> ')]).to.deep.equal([line('a'), line('b')]);
    await source.close();
  });

  it('are given up by Ctrl+C', async () => {
    const { input, source } = terminal();
    const first = source.next('> ');
    input.write('half\u0003');
    expect(await first).to.deep.equal({ kind: 'interrupted' });
    const second = source.next('> ');
    input.write('x\r');
    expect(await second).to.deep.equal(line('x'));
    await source.close();
  });

  it('let Ctrl+C give up an evaluation', async () => {
    const { input, source } = terminal();
    const interrupted = new Promise<string>((resolve) => {
      source.onInterrupt(() => resolve('interrupted'));
    });
    input.write('\u0003');
    expect(await interrupted).to.equal('interrupted');
    await source.close();
  });

  it('let Ctrl+C give up an evaluation that is about to begin', async () => {
    const { input, source } = terminal();
    const next = source.next('> ');
    input.write('a\r\u0003');
    await next;
    let interrupted = false;
    source.onInterrupt(() => {
      interrupted = true;
    });
    expect(interrupted).to.equal(true);
    await source.close();
  });

  it('end with Ctrl+D on an empty line', async () => {
    const { input, source } = terminal();
    const next = source.next('> ');
    input.write('\u0004');
    expect(await next).to.deep.equal({ kind: 'end' });
  });

  it('wait for the prompt that they are for', async () => {
    const { input, source, shown } = terminal();
    const first = source.next('1> ');
    input.write('a\rb\rc');
    expect(await first).to.deep.equal(line('a'));
    await settled();
    expect(shown()).not.to.include('b');
    expect(await source.next('2> ')).to.deep.equal(line('b'));
    const third = source.next('3> ');
    await settled();
    expect(shown()).to.match(/1> [^b]*a[^b]*2> [^c]*b[^c]*3> .*c$/s);
    input.write('\r');
    expect(await third).to.deep.equal(line('c'));
    await source.close();
  });

  it('that were typed ahead are dropped by Ctrl+C, and a paste that holds its character is not', async () => {
    const { input, source } = terminal();
    const first = source.next('> ');
    input.write('a\rb\r');
    await first;
    let interruptions = 0;
    const release = source.onInterrupt(() => {
      interruptions += 1;
    });
    input.write('c\r\u001b[200~x\u0003');
    await settled();
    expect(interruptions).to.equal(0);
    input.write('\u001b[201~\r\u0003d\r');
    await settled();
    expect(interruptions).to.equal(1);
    release();
    expect(await source.next('> ')).to.deep.equal(line('d'));
    await source.close();
  });

  it('are remembered as whole forms, oldest first, behind earlier ones', async () => {
    const { input, source, saved } = terminal(['old']);
    const first = source.next('> ');
    input.write('(new\r)\r');
    await first;
    await source.next('> ');
    source.remember('(new\n)');
    source.remember(' ');
    source.remember('old');
    await source.close();
    expect(saved).to.deep.equal([['(new\n)', 'old']]);
  });

  it('recall a form of several lines as it was', async () => {
    const { input, source } = terminal(['(a\n b\n c)']);
    const next = source.next('> ');
    input.write('\u001b[A\r');
    expect(await next).to.deep.equal(line('(a\n b\n c)'));
    await source.close();
  });

  describe('searched with Ctrl+R', () => {
    async function typed(keys: string, history: readonly string[]): Promise<LineEvent> {
      const { input, source } = terminal(history);
      const next = source.next('> ');
      await settled();
      // In pieces, as keys arrive; an escape sequence is one.
      for (const key of keys.match(/\u001b\[[A-D]|[^]/g) ?? []) {
        input.write(key);
        await settled();
      }
      const event = await next;
      await source.close();
      return event;
    }
    const history = ['(def a 1)', '(f\n a)', '(def b 2)'];

    it('are the newest that hold the text, then older ones', async () => {
      expect(await typed('\u0012def\r', history)).to.deep.equal(line('(def b 2)'));
      expect(await typed('\u0012def\u0012\r', history)).to.deep.equal(line('(def a 1)'));
      expect(await typed('\u0012def\u0012\u0012\r', history)).to.deep.equal(line('(def a 1)'));
      expect(await typed('\u0012a)\r', history)).to.deep.equal(line('(f\n a)'));
      expect(await typed('\u0012axx\u007f\u007f)\r', history)).to.deep.equal(line('(f\n a)'));
    });

    it('may be edited', async () => {
      expect(await typed('\u0012def a\u001b[D\u007f3\r', history)).to.deep.equal(line('(def a 3)'));
    });

    it('leave what was typed where nothing is wanted or found', async () => {
      expect(await typed('abc\u0012def\u0007\r', history)).to.deep.equal(line('abc'));
      expect(await typed('abc\u0012def\u0003\r', history)).to.deep.equal(line('abc'));
      expect(await typed('abc\u0012zz\r', history)).to.deep.equal(line('abc'));
      expect(await typed('\u001b[A\u001b[A\u001b[A\u001b[A\u0012b 2\r', history)).to.deep.equal(line('(def b 2)'));
      expect(await typed('\u0012zz\r', [])).to.deep.equal(line(''));
    });
  });

  it('can be recalled from earlier sessions', async () => {
    const { input, source } = terminal(['older', 'old']);
    const next = source.next('> ');
    input.write('\u001b[A\r');
    expect(await next).to.deep.equal(line('old'));
    await source.close();
  });
});
