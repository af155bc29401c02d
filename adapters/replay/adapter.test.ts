import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import type { ProviderSession } from '../../contract/provider-protocol/session.ts';
import { EVENT_LOOP_PACE } from '../../system/event-loop-pace.ts';
import { replaySession } from './adapter.ts';
import { loadFixtures } from './load.ts';

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const A = digest('a');
const B = digest('b');
const C = digest('c');
const FILE = [
  {
    schema_version: 2,
    request_hash: A,
    response: {
      content: 'always',
      tokens: { input: 9, output: 1, total_cost: { currency: 'USD', microunits: 4 } },
      finish_reason: 'stop',
    },
  },
  {
    schema_version: 2,
    request_hash: B,
    outcomes: [{ error: { kind: 'timeout', details: null, retryable: true } }, { response: { content: 'then' } }],
  },
];

function opened(lines: readonly unknown[] = FILE): ProviderSession {
  const loaded = loadFixtures(
    new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n')),
    { maxEntries: 10, maxResultBytes: 1000 },
    () => false,
  );
  if (loaded.status !== 'loaded') throw new Error(loaded.status);
  return replaySession({ fixtures: loaded.fixtures, maxCalls: 5, maxResultBytes: 1000, decision: null });
}

async function ask(session: ProviderSession, requestHash: string, isOpen = true): Promise<unknown> {
  const request = {
    capabilityId: 'c',
    name: 'llm-request',
    arguments: '{}',
    deadlineMs: 1000,
    resultBytes: 1000,
    model: { requestHash, outputLimit: null },
    keepsExchanges: false,
  };
  const { outcome } = await session.serve(request, { openGate: async () => isOpen }).answer;
  if (outcome.kind !== 'value' || typeof outcome.value === 'string') return outcome;
  return { ...outcome, value: await outcome.value.text(EVENT_LOOP_PACE) };
}

describe('a replayed model (providers.md §6)', () => {
  it('answers a request as often as it comes, with its usage', async () => {
    const session = opened();
    for (const _ of [1, 2]) {
      expect(await ask(session, A)).to.deep.include({
        kind: 'value',
        usage: { input: 9, output: 1, total_cost: { currency: 'USD', microunits: 4 } },
        finish: { reason: 'stop', outputLimit: null },
      });
    }
    expect(session.model).to.deep.equal({ resolvedModel: null, maxCalls: 5, isLive: false, terms: null });
  });

  it('gives the answers of a sequence in turn, errors among them, and then none', async () => {
    const session = opened();
    expect(await ask(session, B)).to.include({
      kind: 'error',
      reason: 'timeout',
      retryable: true,
      details: null,
      replayMiss: null,
    });
    expect(await ask(session, B)).to.include({ kind: 'value', value: '{"content":"then"}' });
    expect(await ask(session, B)).to.deep.include({
      kind: 'error',
      reason: 'not_found',
      retryable: false,
      replayMiss: { requestHash: null },
    });
  });

  it('gives each answer of a sequence once, however many ask at once', async () => {
    const session = opened([
      { schema_version: 2, request_hash: B, responses: Array.from({ length: 20 }, (_, n) => ({ n })) },
    ]);
    const outcomes = await Promise.all(Array.from({ length: 30 }, async () => ask(session, B)));
    const values = outcomes
      .map((outcome) => canonicalJson(jsonFromPlain(outcome) ?? null))
      .filter((text) => text.includes('"value"'));
    expect(new Set(values).size).to.equal(20);
    expect(values).to.have.length(20);
  });

  it('has a cursor for each run', async () => {
    const [first, second] = [opened(), opened()];
    await ask(first, B);
    expect(await ask(second, B)).to.include({ reason: 'timeout' });
  });

  it('says of a request that nobody recorded which it was', async () => {
    expect(await ask(opened(), C)).to.deep.include({
      kind: 'error',
      reason: 'not_found',
      retryable: false,
      details: `no replay fixture matches this request (request_hash: ${C})`,
      replayMiss: { requestHash: C },
    });
  });

  it('takes nothing from a sequence when the gate stays shut', async () => {
    const session = opened();
    expect(await ask(session, B, false)).to.include({ reason: 'unavailable' });
    expect(await ask(session, B)).to.include({ reason: 'timeout' });
  });

  it('is the same content in whatever order the lines stand, and another with another answer', () => {
    const hash = (lines: readonly unknown[]): unknown => JSON.parse(opened(lines).snapshot.acquisition);
    expect(hash(FILE)).to.deep.equal(hash(FILE.toReversed()));
    expect(hash(FILE)).to.deep.include({
      source: 'llm_replay',
      format_version: 2,
      entry_count: 2,
      response_count: 3,
      max_result_bytes: 1000,
    });
    expect(hash(FILE)).not.to.deep.equal(hash(FILE.slice(1)));
  });
});
