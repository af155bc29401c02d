import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import type { ApprovalRequest } from '../../contract/approval.ts';
import { TerminalAsker, type Terminal } from './terminal-asker.ts';

const REQUEST: ApprovalRequest = {
  approvalId: 'apr-1',
  runRef: 'cmd-0k3abcdefghjkmnpqrstvwxyz',
  application: null,
  tenant: null,
  principal: null,
  mission: 'desk',
  evaluationId: 'mission-evaluation-1',
  tool: 'tickets.close',
  installation: null,
  upstreamName: null,
  effect: 'write',
  description: '',
  arguments: '{"id":1}',
  argumentBytes: 8,
  argumentsHash: '',
  program: '(program)',
  isPrivate: false,
  branch: null,
  askedAt: '2030-01-02T03:04:05.000000Z',
  expiresAt: '2030-01-02T03:14:05.000000Z',
  askedBefore: 0,
  rememberedDenials: 0,
};

class FakeTerminal implements Terminal {
  shown = '';
  discarded = 0;
  readonly lines: (string | null)[];
  #wake: () => void = () => undefined;

  constructor(lines: (string | null)[]) {
    this.lines = lines;
  }

  write(text: string): void {
    this.shown += text;
  }

  columns(): number {
    return 80;
  }

  async discardTyped(): Promise<void> {
    this.discarded += 1;
  }

  type(line: string): void {
    this.lines.push(line);
    this.#wake();
  }

  async readLine(signal: AbortSignal): Promise<string | null> {
    while (this.lines.length === 0 && !signal.aborted)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve());
      });
    return signal.aborted ? null : (this.lines.shift() ?? null);
  }

  close(): void {
    this.shown += '<closed>';
  }
}

describe('asker on a terminal (approvals.md §5)', () => {
  let timers: SinonFakeTimers;
  let acquired: string[];

  beforeEach(() => {
    timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    acquired = [];
  });
  afterEach(() => {
    timers.restore();
  });

  function askerOn(terminal: Terminal | null, refused: string[] = []): TerminalAsker {
    return new TerminalAsker({
      open: () => terminal,
      hold: () => {
        acquired.push('held');
        return () => acquired.push('released');
      },
      now: () => Date.parse(REQUEST.askedAt),
      refused: ({ tool }) => refused.push(tool),
    });
  }

  async function answerTo(...lines: string[]) {
    const terminal = new FakeTerminal(lines);
    const answer = askerOn(terminal).ask(REQUEST, new AbortController().signal);
    timers.tick(50);
    return { answer: await answer, shown: terminal.shown, discarded: terminal.discarded };
  }

  const meanings: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    ['y', { decision: 'allow', scope: 'once', by: 'terminal' }],
    ['yes', { decision: 'allow', scope: 'once', by: 'terminal' }],
    ['n', { decision: 'deny', scope: 'once', by: 'terminal' }],
    ['No', { decision: 'deny', scope: 'once', by: 'terminal' }],
    ['a', { decision: 'allow', scope: 'tool', by: 'terminal' }],
    ['always', { decision: 'allow', scope: 'tool', by: 'terminal' }],
    ['r wrong ticket', { decision: 'deny', scope: 'once', by: 'terminal', reason: 'wrong ticket' }],
  ];
  for (const [line, meaning] of meanings)
    it(`understands ${line}`, async () => {
      const { answer, discarded } = await answerTo(line);
      expect(answer).to.deep.equal(meaning);
      expect(discarded).to.equal(1);
    });

  it('asks for the reason where none is typed, and takes an empty one for none', async () => {
    expect((await answerTo('r', 'not today')).answer).to.include({ reason: 'not today' });
    expect((await answerTo('reason', 'not today')).answer).to.include({ reason: 'not today' });
    expect((await answerTo('r', '')).answer).to.not.have.property('reason');
  });

  it('decides nothing by an empty line or by another word, and asks again', async () => {
    const { answer, shown } = await answerTo('', 'yyy', 'ja', 'yes please', 'n');
    expect(answer).to.include({ decision: 'deny' });
    expect(shown.split('approval 1 of 1')).to.have.length(6);
  });

  it('shows program, arguments and what the keys mean, without deciding', async () => {
    const { answer, shown } = await answerTo('p', 's', '?', 'y');
    expect(answer).to.include({ decision: 'allow' });
    expect(shown).to.include('(program)\n').and.include('{"id":1}\n').and.include('let this call leave');
  });

  it('asks about three that came together one after the other, and says how many there are', async () => {
    const terminal = new FakeTerminal([]);
    const asker = askerOn(terminal);
    const { signal } = new AbortController();
    const requested = ['a', 'b', 'c'].map((tool) => asker.ask({ ...REQUEST, tool }, signal));
    timers.tick(50);
    for (const line of ['y', 'n', 'y']) {
      await turn();
      terminal.type(line);
    }
    const answers = await Promise.all(requested);
    expect(answers.map((answer) => ('decision' in answer ? answer.decision : answer))).to.deep.equal([
      'allow',
      'deny',
      'allow',
    ]);
    expect(terminal.shown.match(/approval \d of \d/g)).to.deep.equal([
      'approval 1 of 3',
      'approval 2 of 3',
      'approval 3 of 3',
    ]);
    expect(acquired).to.deep.equal(['held', 'released']);
  });

  it('goes on with the next when a question has another end', async () => {
    const terminal = new FakeTerminal([]);
    const asker = askerOn(terminal);
    const first = new AbortController();
    const one = asker.ask(REQUEST, first.signal);
    const other = asker.ask({ ...REQUEST, tool: 'other' }, new AbortController().signal);
    timers.tick(50);
    await turn();
    first.abort();
    await one;
    await turn();
    terminal.type('y');
    expect(await other).to.include({ decision: 'allow' });
  });

  it('says that nobody can be asked without a terminal, and when it is gone', async () => {
    const refused: string[] = [];
    const nobody = await askerOn(null, refused).ask(REQUEST, new AbortController().signal);
    expect([nobody, refused]).to.deep.equal([{ unavailable: 'unattended' }, ['tickets.close']]);
    const terminal = new FakeTerminal([null]);
    const requested = askerOn(terminal).ask(REQUEST, new AbortController().signal);
    timers.tick(50);
    expect(await requested).to.deep.equal({ unavailable: 'unattended' });
  });
});
