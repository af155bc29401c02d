import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import type { ApprovalDecision, ApprovalRequest } from '../../../contract/approval.ts';
import { scrubbedCapability } from './scrubbed.ts';
import { CALL_PLACE, placeQuestion } from '../../../contract/call-place.ts';
import { Scrubber } from '../../../contract/provider-protocol/scrubber.ts';
import { capability, dataOf, harness, value, type HarnessOptions } from './testing/broker-harness.ts';

const ALLOW: ApprovalDecision = { decision: 'allow', scope: 'once', by: 'terminal' };
const DENY: ApprovalDecision = { decision: 'deny', scope: 'once', by: 'terminal' };
const WRITE = { effect: 'write', approval: 'writes' } as const;

describe('approval of a call (approvals.md §1, §2)', () => {
  /** A broker whose person answers so, and what that person was shown. */
  function asking(
    decide: (request: ApprovalRequest, signal: AbortSignal) => ReturnType<Asker>,
    { facts = WRITE, ...more }: Partial<HarnessOptions> & { readonly facts?: Parameters<typeof capability>[0] } = {},
  ) {
    const shown: ApprovalRequest[] = [];
    let sent = 0;
    const answer = () => {
      sent += 1;
      return value(null);
    };
    const opened = harness({
      capabilities: [capability({ answer, ...facts })],
      approvals: {
        ask: async (request, signal) => {
          shown.push(request);
          return decide(request, signal);
        },
      },
      ...more,
    });
    return { ...opened, shown, sent: () => sent };
  }
  type Asker = NonNullable<NonNullable<HarnessOptions['approvals']>['ask']>;

  const words = ['never', 'writes', 'always'] as const;
  const effects = ['read', 'unknown', 'write'] as const;
  const isAsked = { never: [], writes: ['unknown', 'write'], always: ['read', 'unknown', 'write'] };
  for (const approval of words)
    for (const effect of effects) {
      const expected = isAsked[approval].some((one) => one === effect);
      it(`${expected ? 'asks' : 'does not ask'} about ${effect} under \`${approval}\``, async () => {
        const { open, call, shown, sent } = asking(async () => ALLOW, { facts: { approval, effect } });
        expect(await call(open('m'), 'find')).to.include({ status: 'ok' });
        expect([shown.length, sent()]).to.deep.equal([expected ? 1 : 0, 1]);
      });
    }

  it('asks about nothing where no word is said', async () => {
    const { open, call, shown } = asking(async () => DENY, { facts: { effect: 'write' } });
    expect(await call(open('m'), 'find')).to.include({ status: 'ok' });
    expect(shown).to.deep.equal([]);
  });

  it('shows what is sent, without credentials, and puts neither arguments nor their hash in the trace', async () => {
    const scrubber = new Scrubber(['hunter2-token']);
    const tool = scrubbedCapability(
      capability({ ...WRITE, description: 'x'.repeat(400), provider: 'desk', upstreamName: 'findTicket' }),
      scrubber,
    );
    const { open, call, shown, events, records } = asking(async () => ALLOW, { capabilities: [tool] });
    await call(open('m'), 'find', { note: 'hunter2-token', n: 1 });
    expect(shown).to.have.length(1);
    expect(shown[0]).to.deep.include({
      runRef: 'cmd-1',
      application: 'desk',
      mission: 'm',
      tool: 'find',
      installation: 'desk',
      upstreamName: 'findTicket',
      effect: 'write',
      description: 'x'.repeat(300),
      branch: null,
      askedBefore: 0,
    });
    expect(shown[0]?.approvalId).to.match(/^apr-[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/);
    expect(shown[0]?.arguments).to.not.include('hunter2');
    expect(shown[0]?.arguments).to.include('"n":1');
    const trace = JSON.stringify(events.map((event) => [event.type, dataOf(event)]));
    expect(trace).to.not.include('hunter2');
    expect(trace).to.not.include(shown[0]?.argumentsHash);
    expect(events.map(({ type }) => type)).to.deep.equal([
      'approval-requested',
      'approval-decided',
      'capability-started',
      'capability-stopped',
    ]);
    const [request, answered] = records.map((record) => [record.type, dataOf(record)] as const);
    expect(request?.[0]).to.equal('approval-request');
    expect(request?.[1]).to.deep.include({
      environment: 'mission',
      mission_name: 'm',
      tool: 'find',
      argument_bytes: 30,
      arguments: shown[0]?.arguments,
      arguments_hash: shown[0]?.argumentsHash,
      stack: [],
    });
    expect(answered).to.deep.equal([
      'approval-decision',
      { environment: 'mission', mission_name: 'm', decision: 'allowed', by: 'terminal', scope: 'once', waited_ms: 0 },
    ]);
    expect(JSON.stringify([request, answered])).to.not.include('hunter2');
    const [requested, decided, started] = events.map(dataOf);
    expect(requested).to.include({ environment: 'mission', mission_name: 'm', name: 'find', effect: 'write' });
    expect(decided).to.include({ decision: 'allowed', by: 'terminal', scope: 'once' });
    expect(started).to.include({ approval_id: shown[0]?.approvalId });
  });

  it('answers a no as data that says so, with the reason, and sends nothing', async () => {
    const { open, call, broker, events, sent } = asking(async () => ({ ...DENY, reason: 'ask Ann first' }));
    const scope = open('m');
    expect(await call(scope, 'find')).to.deep.equal({
      status: 'error',
      kind: 'capability_denied',
      reason: 'approval_denied',
      'retryable?': false,
      details: { reason: 'ask Ann first' },
    });
    expect(sent()).to.equal(0);
    expect(broker.counts().capabilityCalls).to.deep.equal({});
    expect(broker.counts().refusals).to.deep.equal({ 'mission/capability_denied/approval_denied': 1 });
    expect(events.map(({ type }) => type)).to.deep.equal(['approval-requested', 'approval-decided']);
    expect(JSON.stringify(events.map(dataOf))).to.not.include('Ann');
    expect((await scope.end()).terminalProviderFailure).to.equal(null);
    expect((await scope.end()).terminalHostFailure).to.equal(null);
  });

  it('keeps the reason and who gave it in the inspection alone, without credentials', async () => {
    const tool = scrubbedCapability(capability(WRITE), new Scrubber(['hunter2-token']));
    const reason = `${'x'.repeat(490)} \u001b[2J hunter2-token`;
    const { open, call, records, events } = asking(async () => ({ ...DENY, reason, principal: 'ann' }), {
      capabilities: [tool],
    });
    const reported = JSON.stringify(await call(open('m'), 'find'));
    expect(reported).to.include('xxx').and.not.include('hunter2');
    expect(dataOf(records[1])).to.include({ decision: 'denied', principal: 'ann' });
    expect(dataOf(records[1])['reason'])
      .to.match(/^x{490} \u001b/)
      .and.not.include('hunter2');
    expect(JSON.stringify(events.map(dataOf)))
      .to.not.include('xxx')
      .and.not.include('ann');
  });

  for (const before of [499, 500, 505, 508])
    it(`keeps no part of a credential that lies across the end of a reason, after ${before} characters`, async () => {
      const tool = scrubbedCapability(capability(WRITE), new Scrubber(['hunter2-token']));
      const reason = `${'x'.repeat(before)}hunter2-token`;
      const { open, call, records } = asking(async () => ({ ...DENY, reason }), { capabilities: [tool] });
      expect(JSON.stringify(await call(open('m'), 'find')))
        .to.include('xxx')
        .and.not.include('hunt');
      expect(JSON.stringify(dataOf(records[1])))
        .to.include('xxx')
        .and.not.include('hunt');
    });

  for (const length of [511, 512, 513])
    it(`cuts a reason of ${length} characters at 512`, async () => {
      const { open, call } = asking(async () => ({ ...DENY, reason: '🎫'.repeat(length) }));
      const { details } = await call(open('m'), 'find');
      expect(Array.from(String(Object(details).reason))).to.have.length(Math.min(length, 512));
    });

  it('makes no call whose question or answer cannot be put on record', async () => {
    for (const type of ['approval-request', 'approval-decision']) {
      const { open, call, sent, broker } = asking(async () => ALLOW, { keep: (record) => record.type !== type });
      expect(await call(open('m'), 'find')).to.include({ reply: 'closed' });
      expect(sent()).to.equal(0);
      expect(broker.ending()).to.deep.equal({ kind: 'inspection_sink' });
    }
  });

  describe('where it is (approvals.md §3)', () => {
    const PLACE = { component: null, ref: null, line: 3, column: 1, text: '(tool/find {})' };
    const located = { name: 'find', arguments: '{"id":1}', saysPlace: true };
    const placesCall = (places: unknown) => ({ name: CALL_PLACE, arguments: JSON.stringify(places), saysPlace: true });

    it('is asked back before the question, and shown', async () => {
      const { open, shown } = asking(async () => ALLOW);
      const scope = open('m');
      expect(await scope.call(located)).to.equal(placeQuestion(null));
      expect(shown).to.deep.equal([]);
      const reply = await scope.call(placesCall([PLACE, { ...PLACE, line: 9 }]));
      expect(JSON.parse(reply)).to.have.nested.property('envelope.status', 'ok');
      expect(shown[0]).to.deep.include({ place: PLACE, stack: [{ ...PLACE, line: 9 }] });
    });

    it('is not asked about a call that nobody is asked about', async () => {
      for (const decision of [{ ...ALLOW, scope: 'tool' } as const, DENY]) {
        const { open, shown } = asking(async () => decision);
        const scope = open('m');
        await scope.call(located);
        await scope.call(placesCall([PLACE]));
        const second = JSON.parse(await scope.call(located));
        expect(second).to.have.property('reply', 'envelope');
        expect(shown).to.have.length(1);
      }
    });

    it('may be anything, and is then not known', async () => {
      const { open, shown } = asking(async () => ALLOW);
      const scope = open('m');
      await scope.call(located);
      await scope.call({ ...placesCall([]), arguments: '[{"line":"\u001b"}]' });
      expect(shown[0]).to.not.have.property('place');
    });

    it('is nothing to say where nobody asked', async () => {
      const { open, sent } = asking(async () => ALLOW);
      expect(JSON.parse(await open('m').call(placesCall([PLACE])))).to.have.nested.property(
        'envelope.reason',
        'capability_absent',
      );
      expect(sent()).to.equal(0);
    });

    it('names the outermost branch, and carries the program to it', async () => {
      const { open, shown } = asking(async () => ALLOW);
      const scope = open('m', { program: '(pmap f xs)' });
      const branch = { branch: '3/0', branchOf: '12/2', ended: new AbortController().signal };
      expect(await scope.call({ ...located, ...branch })).to.equal(placeQuestion('(pmap f xs)'));
      await scope.call({ ...placesCall([PLACE]), ...branch });
      expect(shown[0]).to.deep.include({ branch: { index: 4, of: 12 }, place: PLACE });
    });

    it('leaves no call behind when its evaluation ends before it was said', async () => {
      const { open, shown, sent } = asking(async (_, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return DENY;
      });
      const scope = open('m');
      await scope.call(located);
      await scope.end();
      expect(sent()).to.equal(0);
      expect(shown.length).to.be.at.most(1);
    });
  });

  it('answers the same call after a no unasked, and asks about other arguments', async () => {
    const { open, call, shown } = asking(async () => DENY);
    await call(open('m'), 'find', { id: 1 });
    expect(await call(open('m'), 'find', { id: 1 })).to.include({ reason: 'approval_denied' });
    await call(open('m'), 'find', { id: 2 });
    expect(shown.map(({ arguments: input }) => input)).to.deep.equal(['{"id":1}', '{"id":2}']);
    expect(shown[1]).to.include({ askedBefore: 1, rememberedDenials: 1 });
  });

  it('cuts a reason at 512 characters, not bytes', async () => {
    const { open, call } = asking(async () => ({ ...DENY, reason: '😀'.repeat(513) }));
    expect(await call(open('m'), 'find')).to.have.nested.property('details.reason', '😀'.repeat(512));
  });

  it('says why nobody can be asked', async () => {
    const unattended = harness({ capabilities: [capability(WRITE)] });
    expect(await unattended.call(unattended.open('m'), 'find')).to.deep.include({
      kind: 'capability_denied',
      reason: 'approval_unavailable',
      details: { how: 'unattended' },
    });
    const nobody = harness({ capabilities: [capability(WRITE)], approvals: {} });
    expect(await nobody.call(nobody.open('m'), 'find')).to.deep.include({ details: { how: 'unattended' } });
    for (const how of ['later_unsupported', 'client_without_elicitation', 'store_unavailable'] as const) {
      const { open, call } = asking(async () => ({ unavailable: how }));
      expect(await call(open('m'), 'find')).to.deep.include({ reason: 'approval_unavailable', details: { how } });
    }
  });

  it('takes a callback that throws, or answers badly, for one that is not there', async () => {
    const bad: readonly unknown[] = [null, 'yes', {}, { decision: 'maybe', scope: 'once' }, { decision: 'allow' }];
    for (const answer of bad) {
      const { open, call, sent } = asking(async () => JSON.parse(JSON.stringify(answer)));
      expect(await call(open('m'), 'find'), JSON.stringify(answer)).to.deep.include({
        details: { how: 'store_unavailable' },
      });
      expect(sent()).to.equal(0);
    }
    const { open, call } = asking(() => {
      throw new Error('no');
    });
    expect(await call(open('m'), 'find')).to.deep.include({ details: { how: 'store_unavailable' } });
  });

  it('asks nobody about a call that cannot be made: bad arguments, a spent quota', async () => {
    const bad = asking(async () => ALLOW, { facts: { ...WRITE, accepts: ({ value }) => value.size === 0 } });
    expect(await bad.call(bad.open('m'), 'find', { n: 1 })).to.include({ reason: 'invalid_arguments' });
    expect(bad.shown).to.deep.equal([]);
    const spent = asking(async () => ALLOW, { limits: { mission_capability_calls: 1 } });
    await spent.call(spent.open('m'), 'find', { n: 1 });
    expect(await spent.call(spent.open('m'), 'find', { n: 2 })).to.include({ reason: 'capability_quota' });
    expect(spent.shown).to.have.length(1);
  });

  it('finds a quota spent that another call took while a person thought', async () => {
    let other: Promise<unknown> = Promise.resolve();
    const { open, call, sent } = asking(
      async ({ arguments: input }) => {
        if (input === '{"n":1}') await other;
        return ALLOW;
      },
      { limits: { mission_capability_calls: 1 } },
    );
    const first = call(open('m'), 'find', { n: 1 });
    await Promise.resolve();
    other = call(open('m'), 'find', { n: 2 });
    expect(await other).to.include({ status: 'ok' });
    expect(await first).to.include({ reason: 'capability_quota' });
    expect(sent()).to.equal(1);
  });

  it('allows everything where the person who started the run said so', async () => {
    const { open, call, events, shown } = asking(async () => DENY, { approvals: { allowsAll: true } });
    expect(await call(open('m'), 'find')).to.include({ status: 'ok' });
    expect(shown).to.deep.equal([]);
    expect(dataOf(events[1])).to.include({ decision: 'allowed', by: 'flag' });
  });

  it('ends with its caller, and withdraws the question', async () => {
    const withdrawn = Promise.withResolvers<string>();
    const { open, call, sent } = asking(
      (_, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => withdrawn.resolve('withdrawn'));
        }),
    );
    const scope = open('m');
    const requested = call(scope, 'find');
    await new Promise(setImmediate);
    await scope.end();
    expect(await requested).to.deep.equal({ reply: 'closed', reason: 'run_closed' });
    expect(await withdrawn.promise).to.equal('withdrawn');
    expect(sent()).to.equal(0);
  });

  describe('over time', () => {
    let timers: SinonFakeTimers;
    beforeEach(() => {
      timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    });
    afterEach(() => {
      timers.restore();
    });

    it('expires when nobody decides in time, and not before', async () => {
      const { open, call, events } = asking(() => new Promise(() => undefined), { now: () => timers.now });
      const requested = call(open('m', { deadlineAt: 1000 }), 'find');
      await timers.tickAsync(599_999);
      expect(events.map(({ type }) => type)).to.deep.equal(['approval-requested']);
      await timers.tickAsync(1);
      expect(await requested).to.deep.include({
        reason: 'approval_expired',
        details: { limit: 'approval_timeout_ms', limit_value: 600_000 },
      });
      expect(dataOf(events[1])).to.include({ decision: 'expired', by: 'expiry', waited_ms: 600_000 });
    });

    for (const first of [ALLOW, null])
      it(`ends as its store says when its time is over: ${first === null ? 'expired' : 'decided before'}`, async () => {
        const settled: string[] = [];
        const { open, call, events } = asking(() => new Promise(() => undefined), {
          now: () => timers.now,
          approvals: {
            ask: () => new Promise(() => undefined),
            settle: async ({ approvalId }) => {
              settled.push(approvalId);
              return first;
            },
          },
        });
        const requested = call(open('m'), 'find');
        await timers.tickAsync(600_000);
        expect(await requested).to.include(first === null ? { reason: 'approval_expired' } : { status: 'ok' });
        expect(dataOf(events[1])).to.include({ decision: first === null ? 'expired' : 'allowed' });
        expect(settled).to.have.length(1);
      });

    it('takes nothing of the time of the run', async () => {
      const { open, call } = asking(() => new Promise((resolve) => setTimeout(resolve, 500_000, ALLOW)), {
        now: () => timers.now,
      });
      const scope = open('m', { deadlineAt: 90_000 });
      const requested = call(scope, 'find');
      await timers.tickAsync(500_000);
      expect(await requested).to.include({ status: 'ok' });
      expect(await call(scope, 'runtime-remaining')).to.have.property('value', 100_000);
    });

    it('ends with the lifetime of the run', async () => {
      const { open, call } = asking(() => new Promise(() => undefined), {
        now: () => timers.now,
        approvals: { ask: () => new Promise(() => undefined), limits: { lifetimeMs: 5000, timeoutMs: 600_000 } },
      });
      const scope = open('m');
      const requested = call(scope, 'find');
      await timers.tickAsync(4999);
      expect(await call(open('m'), 'runtime-remaining')).to.have.property('value', 100_000);
      await timers.tickAsync(1);
      expect(await call(open('m'), 'runtime-remaining')).to.deep.equal({ reply: 'closed', reason: 'run_closed' });
      await scope.end();
      await requested;
    });
  });
});
