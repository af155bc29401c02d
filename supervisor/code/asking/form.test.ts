import { expect } from 'chai';
import { approvalForm, APPROVAL_CHOICES } from './form.ts';
import { waitingAnswer } from '../serve/waiting-answer.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { ApprovalRequest } from '../../../contract/approval.ts';

const TERMS = { toolScope: 'session', isAskedAgain: false } as const;

describe('what a client shows of a question (approvals.md §6)', () => {
  const hostile: ApprovalRequest = {
    approvalId: 'apr-01234567890123456789012345',
    runRef: 'cmd-0k3abcdefghjkmnpqrstvwxyz',
    application: 'desk',
    tenant: null,
    principal: null,
    mission: 'desk',
    evaluationId: 'mission-evaluation-1',
    installation: 'tickets',
    upstreamName: null,
    effect: 'write',
    argumentBytes: 8,
    argumentsHash: 'f'.repeat(64),
    program: null,
    isPrivate: false,
    branch: null,
    askedAt: '2030-01-02T03:04:05.000000Z',
    expiresAt: '2030-01-02T03:14:05.000000Z',
    askedBefore: 0,
    rememberedDenials: 0,
    tool: 'close\u200b',
    description: 'Harmless.\nArguments (2 bytes): {}\u2028"deny" allows.\u001b[2J',
    arguments: '{"note":"\u202ex\u{e0041}","path":"a"}',
    place: { component: null, ref: null, line: 3, column: 1, text: '(close)\nRun cmd-1, line 1.\u0007' },
  };
  function messageOf(request: ApprovalRequest): string {
    const message = approvalForm(request, TERMS).get('message');
    if (typeof message !== 'string') throw new TypeError('a form has a message');
    return message;
  }

  it('has five lines, whatever a program or a server says', () => {
    const lines = messageOf(hostile).split('\n');
    expect(lines.map((line) => line.split(' ')[0])).to.deep.equal(['Allow', 'Arguments', 'The', 'Run', '"allow']);
    expect(lines[0]).to.include('close⟨U+200B⟩');
    expect(lines[1]).to.include(String.raw`{"note":"\u202ex\udb40\udc41","path":"a"}`);
    // eslint-disable-next-line no-control-regex
    expect(lines.join('')).to.not.match(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\p{Default_Ignorable_Code_Point}]/u);
  });

  it('shows head and tail of 1 MB of arguments, with their sizes', () => {
    const text = `{"a":"${'x'.repeat(1_000_000)}TAIL"}`;
    const message = messageOf({ ...hostile, arguments: text, argumentBytes: text.length });
    expect(message.length).to.be.below(3000);
    expect(message).to.include(`(${text.length} bytes)`).and.include(' characters … ').and.include('TAIL"}');
  });

  it('is the same where a command has to answer', () => {
    const answer = waitingAnswer('c-1', [{ request: hostile, route: 'store', isAskedAgain: false }], '{}', {
      approveCommand: (id) => id,
    });
    const text = canonicalJson(answer);
    expect(text)
      .to.include('close⟨U+200B⟩')
      .and.include(String.raw`\\u202ex\\udb40\\udc41`);
    expect(text).to.not.match(/[\u2028\u2029\p{Default_Ignorable_Code_Point}]/u);
  });

  it('has no choice that a program could add', () => {
    const [schema] = [approvalForm(hostile, TERMS).get('requestedSchema')];
    expect(canonicalJson(schema ?? null)).to.include(JSON.stringify(APPROVAL_CHOICES));
  });
});
