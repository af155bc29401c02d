import { expect } from 'chai';
import type { FormEnd, Session } from '../../../supervisor/api/sessions.ts';
import { runLineLoop, type LoopEnd } from './line-loop.ts';
import type { LineEvent, LineSource } from './lines.ts';
import type { Screen } from './pages.ts';
import { replOutput } from './streams.ts';

const FACTS = { prints: [], code: null, recovered: null, outcome: null, ended: false };

/** A session whose forms are whole when their brackets are, and whose values are their texts. */
function session(
  ends: Readonly<Record<string, Partial<FormEnd>>> = {},
  hasEnded = false,
  whole: string | null = null,
): Session & { readonly seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    readiness: async (source) => {
      if (source.trim() === '') return 'empty';
      return source.split('(').length > source.split(')').length ? 'incomplete' : 'complete';
    },
    evaluate: async (source) => {
      seen.push(source);
      return Object.assign({ ...FACTS, kind: 'value' as const, text: source }, ends[source]);
    },
    sourceBytes: 1000,
    names: async () => [],
    documentation: async () => null,
    wholeValue: async () => whole,
    hasEnded: () => hasEnded,
    close: async () => null,
  };
}

interface LoopReport {
  readonly end: LoopEnd;
  readonly text: string;
}

async function converse(
  events: readonly (string | LineEvent)[],
  with_: Session,
  options: {
    readonly isTerminal?: boolean;
    readonly context?: string;
    readonly pointer?: string;
    readonly hasColour?: boolean;
    readonly screen?: Screen;
  } = {},
): Promise<LoopReport> {
  const waiting = [...events];
  let text = '';
  const output = replOutput(async (_descriptor, written) => {
    text += written;
    return 'written';
  });
  const lines: LineSource = {
    next: async (prompt) => {
      text += prompt;
      const event = waiting.shift() ?? { kind: 'end' };
      return typeof event === 'string' ? { kind: 'line', text: event } : event;
    },
    onInterrupt: () => () => undefined,
    remember: () => undefined,
    close: async () => undefined,
  };
  const end = await runLineLoop({
    session: with_,
    banner: 'here\n',
    context: options.context ?? null,
    pointer: () => options.pointer ?? '',
    lines,
    output,
    isTerminal: options.isTerminal ?? false,
    hasColour: options.hasColour ?? false,
    screen: () => options.screen ?? null,
    signal: new AbortController().signal,
    showCode: async () => undefined,
  });
  return { end, text: text.slice(text.indexOf('\n') + 1) };
}

describe('the line loop (cli.md §11)', () => {
  it('shows control characters by their numbers, and as they are between :raw and :raw', async () => {
    const loopReport = await converse(
      ['v', ':raw', 'v', ':raw', 'v'],
      session({ v: { kind: 'value', text: '"\u001b[2J"' } }),
    );
    expect(loopReport.text).to.match(
      /^svc> "⟨U\+001B⟩\[2J"\nsvc> Control characters [^\n]*\nsvc> "\u001b\[2J"\nsvc> Control characters [^\n]*\nsvc> "⟨U\+001B⟩\[2J"\n/,
    );
  });

  it('tells the context of a mission, and where an error may have been meant to be', async () => {
    const failing = session({ bad: { kind: 'failed', error: { kind: 'invalid_form', message: 'm', place: null } } });
    const loopReport = await converse([':context', ':help', 'bad', ':x'], failing, {
      context: 'what a model is told\n',
      pointer: 'look there\n',
    });
    expect(loopReport.text).to.match(
      /^svc> what a model is told\nsvc> :context [^\n]*\n:help[^]*\nsvc> look there\nError \(invalid_form\): m\nsvc> :x\n/,
    );
  });

  it('shows the last value whole, page by page at a terminal and at once elsewhere', async () => {
    const long = 'abcdef\nghi\njkl\nmno';
    const screen = { rows: 3, columns: 4 };
    expect((await converse([':more'], session({}, false, long))).text).to.equal(`svc> ${long}\nsvc> \n`);
    expect((await converse([':more', '', '', '1'], session({}, false, long), { screen })).text).to.equal(
      'svc> abcd\nef\n-- Enter: more, q: enough -- ghi\njkl\n-- Enter: more, q: enough -- mno\nsvc> 1\nsvc> \n',
    );
    expect((await converse([':more', 'q', '1'], session({}, false, long), { screen })).text).to.equal(
      'svc> abcd\nef\n-- Enter: more, q: enough -- svc> 1\nsvc> \n',
    );
    expect((await converse([':more'], session())).text).to.include('too long to be printed whole');
  });

  it('colours values where that was asked for', async () => {
    const value = session({ v: { kind: 'value', text: '{:a "x y" "k" [1 -2.5 nil true] sym :b/c}' } });
    expect((await converse(['v'], value)).text).to.include('{:a "x y"');
    const on = (code: number, text: string): string => `\u001b[${code}m${text}\u001b[39m`;
    expect((await converse(['v'], value, { hasColour: true })).text).to.include(
      `{${on(35, ':a')} ${on(32, '"x y"')} ${on(32, '"k"')} [${on(36, '1')} ${on(36, '-2.5')} ${on(33, 'nil')} ${on(33, 'true')}] sym ${on(35, ':b/c')}}`,
    );
  });

  it('evaluates each form when it is whole', async () => {
    const reported = session();
    expect(await converse(['1', '(a', '', ' b)', ''], reported)).to.deep.equal({
      end: 'done',
      text: 'svc> 1\nsvc> ...> ...> (a\n\n b)\nsvc> svc> \n',
    });
    expect(reported.seen).to.deep.equal(['1', '(a\n\n b)']);
  });

  it('answers its own commands, but not inside a form', async () => {
    const reported = session();
    const { text } = await converse([':help', ' :context ', '(:help', ':quit', ')', ':quit', 'unseen'], reported);
    expect(text).to.include(':quit, :exit').and.include('svc>  :context \n');
    expect(reported.seen).to.deep.equal([' :context ', '(:help\n:quit\n)']);
    expect((await converse([':exit', '1'], session())).text).to.equal('svc> ');
  });

  it('forgets a form that was given up', async () => {
    const reported = session();
    await converse(['(a', { kind: 'interrupted' }, '2'], reported);
    expect(reported.seen).to.deep.equal(['2']);
  });

  it('evaluates what was begun when the input ends, for its error', async () => {
    const reported = session();
    await converse(['(a'], reported);
    expect(reported.seen).to.deep.equal(['(a\n']);
  });

  it('tells errors, lost definitions and refused lines on stdout, and goes on', async () => {
    const failing = session({
      bad: { kind: 'failed', error: { kind: 'timeout', message: 'm', place: null }, prints: ['p'], recovered: 'all' },
    });
    const { end, text } = await converse(
      ['bad', { kind: 'refused', reason: 'not-utf8' }, { kind: 'refused', reason: 'too-long' }, '1'],
      failing,
    );
    expect(end).to.equal('done');
    expect(text).to.match(
      /^svc> p\nError \(timeout\): m\nThe session goes on in a fresh isolate.*\nsvc> Error \(parse_error\).*\nsvc> Error \(program_too_large\).*\nsvc> 1\nsvc> \n$/,
    );
  });

  it('ends with the next line once the session has ended', async () => {
    const error = { kind: 'run_timeout', message: 'm', place: null };
    const over = session({ '': { kind: 'failed', error, ended: true } }, true);
    expect(await converse(['1', '2'], over)).to.deep.equal({ end: 'limit', text: 'svc> Error (run_timeout): m\n' });
    expect(over.seen).to.deep.equal(['']);
  });

  it('names the session, and on a terminal what to ask', async () => {
    const { text } = await converse([], session(), { isTerminal: true });
    expect(text).to.match(/^apropos, doc, dir, export-meta and source /);
  });
});
