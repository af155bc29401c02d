import { expect } from 'chai';
import type { ApprovalRequest } from '../../contract/approval.ts';
import { cutArguments } from '../../contract/cut-arguments.ts';
import { allArguments, programText, questionText } from './question-text.ts';

const REQUEST: ApprovalRequest = {
  approvalId: 'apr-01234567890123456789012345',
  runRef: 'cmd-0k3abcdefghjkmnpqrstvwxyz',
  application: 'desk',
  tenant: null,
  principal: null,
  mission: 'desk',
  evaluationId: 'mission-evaluation-1',
  tool: 'tickets.close',
  installation: 'tickets',
  upstreamName: 'close_ticket',
  effect: 'write',
  description: 'Closes a ticket.',
  arguments: '{"id":4711,"note":"duplicate of 4690"}',
  argumentBytes: 38,
  argumentsHash: 'f'.repeat(64),
  program: '(tool/tickets.close {:id 4711})',
  isPrivate: false,
  place: { component: null, ref: null, line: 3, column: 1, text: '(tool/tickets.close {:id 4711})' },
  stack: [{ component: 'desk.core', ref: 'desk.core/close', line: 9, column: 2, text: '(each close)' }],
  branch: null,
  askedAt: '2030-01-02T03:04:05.000000Z',
  expiresAt: '2030-01-02T03:14:05.000000Z',
  askedBefore: 0,
  rememberedDenials: 0,
};
const PLACE = { index: 1, of: 3, leftMs: 598_700, columns: 100 };

describe('text of a question (approvals.md §3, §5)', () => {
  it('says what would be sent, to what, and until when', () => {
    expect(questionText(REQUEST, PLACE)).to.equal(
      [
        'approval 1 of 3   write   tickets.close   run cmd-0k3abcde…   answer within 9:58',
        '  {"id":4711,"note":"duplicate of 4690"}   38 bytes',
        '  line 3: (tool/tickets.close {:id 4711})',
        '  the server says: Closes a ticket.',
        '',
      ].join('\n'),
    );
  });

  it('names the branch of a parallel operation', () => {
    expect(questionText({ ...REQUEST, branch: { index: 4, of: 12 } }, PLACE)).to.include(
      '\n  line 3: (tool/tickets.close {:id 4711})   branch 4 of 12\n',
    );
    const { place: _, ...unplaced } = REQUEST;
    expect(questionText({ ...unplaced, branch: { index: 4, of: 12 } }, PLACE)).to.include('\n  branch 4 of 12\n');
  });

  it('names the component that calls, and all calls that led there beside the program', () => {
    const place = {
      component: 'desk.core',
      ref: 'desk.core/close',
      line: 9,
      column: 2,
      text: '(tool/tickets.close t)',
    };
    expect(questionText({ ...REQUEST, place }, PLACE)).to.include('\n  desk.core line 9: (tool/tickets.close t)\n');
    expect(programText(REQUEST)).to.equal(
      [
        '(tool/tickets.close {:id 4711})',
        '  at line 3: (tool/tickets.close {:id 4711})',
        '  by desk.core line 9: (each close)',
        '',
      ].join('\n'),
    );
  });

  it('says how often the run has asked', () => {
    expect(questionText({ ...REQUEST, askedBefore: 2 }, PLACE)).to.include('\n  asked before in this run: 2\n');
    expect(questionText({ ...REQUEST, askedBefore: 2, rememberedDenials: 1 }, PLACE)).to.include(
      '\n  asked before in this run: 2   refused by an earlier no: 1\n',
    );
  });

  it('lets nothing of a program or server act on the terminal', () => {
    const hostile = {
      ...REQUEST,
      tool: 'a\u001b[2Jb',
      description: 'x\u202ey\n[y]es\r',
      arguments: '{"a":"\\u001b","b":"\u202e"}',
      program: '; \u001b]0;owned\u0007\n(x)',
      place: { component: 'a\u001b[2J', ref: null, line: 1, column: 1, text: 'x\u202e\u001b\n[y]es' },
    };
    const shown = questionText(hostile, PLACE) + allArguments(hostile) + programText(hostile);
    // eslint-disable-next-line no-control-regex
    expect(shown).to.not.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
    expect(shown).to.include('⟨U+001B⟩');
    // A line of its own cannot be forged.
    expect(shown).to.not.match(/^\[y\]es/m);
  });

  it('shows what nobody could see, so that two calls that differ look different', () => {
    const hidden = {
      ...REQUEST,
      tool: 'close\u200b',
      arguments: '{"path":"a\u{e0041}\u200d.txt"}',
      program: '(tool/close\u00ad {})',
    };
    const shown = questionText(hidden, PLACE) + programText(hidden);
    expect(shown)
      .to.include('close⟨U+200B⟩')
      .and.include(String.raw`{"path":"a\udb40\udc41\u200d.txt"}`)
      .and.include('(tool/close⟨U+00AD⟩ {})');
    expect(allArguments(hidden)).to.include(String.raw`a\udb40\udc41\u200d.txt`);
  });

  it('cuts 1 MB of arguments to head and tail, and says how much is between', () => {
    const text = `{"a":"${'x'.repeat(1_000_000)}TAIL"}`;
    const cut = cutArguments(text);
    expect(Array.from(cut).length).to.be.below(2120);
    expect(cut).to.match(/^\{"a":"x/);
    expect(cut).to.match(/TAIL"\}$/);
    expect(cut).to.include(` … ${Array.from(text).length - 2048} of ${Array.from(text).length} characters … `);
    expect(cutArguments('x'.repeat(2048))).to.equal('x'.repeat(2048));
    expect(cutArguments('x'.repeat(2049))).to.include(' … 1 of 2049 characters … ');
  });

  it('keeps to the width of the terminal, wide characters counted as two', () => {
    for (const columns of [40, 80]) {
      const shown = questionText({ ...REQUEST, arguments: `{"a":"${'漢字'.repeat(100)}"}` }, { ...PLACE, columns });
      for (const line of shown.split('\n')) {
        const width = Array.from(line).reduce((sum, character) => sum + (character > '\u2fff' ? 2 : 1), 0);
        expect(width, line).to.be.below(columns);
      }
    }
  });

  it('shows the sizes alone of a private run', () => {
    const request = { ...REQUEST, isPrivate: true };
    const shown = questionText(request, PLACE) + allArguments(request) + programText(request);
    expect(shown).to.include('tickets.close').and.include('38 bytes');
    expect(shown).to.not.include('4711');
    expect(shown).to.not.include('duplicate');
    expect(shown).to.include('\n  line 3\n');
  });
});
