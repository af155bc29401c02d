import { expect } from 'chai';
import { setImmediate as turn } from 'node:timers/promises';
import type { ApprovalRequest } from '../../../contract/approval.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { ElicitingClient } from './eliciting-client.ts';

const REQUEST: ApprovalRequest = {
  approvalId: 'apr-00000000000000000000000000',
  runRef: 'cmd-0',
  application: null,
  tenant: null,
  principal: null,
  mission: null,
  evaluationId: 'e',
  tool: 'notes.write',
  installation: null,
  upstreamName: null,
  effect: 'write',
  description: '',
  arguments: '{}',
  argumentBytes: 2,
  argumentsHash: 'a',
  program: null,
  isPrivate: false,
  branch: null,
  askedAt: '2026-07-28T00:00:00.000Z',
  expiresAt: '2026-07-28T00:10:00.000Z',
  askedBefore: 0,
  rememberedDenials: 0,
};
const CAPABLE = new Map([['capabilities', new Map([['elicitation', new Map<string, JsonValue>()]])]]);

describe('a client that shows forms (approvals.md §6)', () => {
  it('is withdrawn the form that it does not answer in 45 seconds, and asked no more (38)', async () => {
    const sent: { readonly method: string; readonly id?: string; readonly params?: object }[] = [];
    const timers: { readonly ms: number; readonly act: () => void }[] = [];
    const client = new ElicitingClient({
      send: (text) => sent.push(JSON.parse(text)),
      timers: {
        after: (ms, act) => {
          timers.push({ ms, act });
          return () => undefined;
        },
      },
      toolScope: 'session',
    });
    expect(client.canBeAsked).to.equal(false);
    client.declare('2025-06-18', CAPABLE);
    expect(client.canBeAsked).to.equal(true);
    const never = new AbortController().signal;
    const both = [client.ask(REQUEST, never), client.ask(REQUEST, never)];
    await turn();
    // One form at a time.
    expect(sent.map(({ method }) => method)).to.deep.equal(['elicitation/create']);
    expect(timers.map(({ ms }) => ms)).to.deep.equal([45_000]);
    timers[0]?.act();
    expect(await Promise.all(both)).to.deep.equal(['silent', 'silent']);
    expect(sent.slice(1)).to.deep.equal([
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'approval-1' } },
    ]);
    expect(client.canBeAsked).to.equal(false);
    // It comes too late.
    client.receive({ id: 'approval-1', result: new Map([['action', 'decline']]) });
    expect(await client.ask(REQUEST, never)).to.equal('silent');
  });
});
