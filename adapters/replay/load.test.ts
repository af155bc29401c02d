import { expect } from 'chai';
import { SerializedJson } from '../../contract/json/serialized.ts';
import * as fc from 'fast-check';
import { arbitraryJson } from '../../contract/json/arbitrary-json.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { EVENT_LOOP_PACE } from '../../system/event-loop-pace.ts';
import { loadFixtures, MAX_FIXTURE_BYTES, type FixtureLoad } from './load.ts';

const CEILINGS = { maxEntries: 3, maxResultBytes: 100 };
const never = (): boolean => false;

function hash(digit: string): string {
  return `sha256:${digit.repeat(64)}`;
}

function line(members: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ schema_version: 2, request_hash: hash('a'), response: { content: 'ok' }, ...members });
}

/** A line without its `response`. */
function answering(members: Readonly<Record<string, unknown>>): string {
  return line({ response: undefined, ...members });
}

function load(text: string | Uint8Array, expired = never): FixtureLoad {
  return loadFixtures(typeof text === 'string' ? new TextEncoder().encode(text) : text, CEILINGS, expired);
}

function loadFault(text: string | Uint8Array): string {
  const loaded = load(text);
  if (loaded.status !== 'refused') return loaded.status;
  const { rule, line: at } = loaded.fault;
  return at === null ? rule : `${rule} ${String(at)}`;
}

/** Response of exactly so many canonical bytes. */
function sized(bytes: number): Readonly<Record<string, unknown>> {
  return { content: 'x'.repeat(bytes - '{"content":""}'.length) };
}

describe('replay fixtures (providers.md §6)', () => {
  it('are read by request hash, with what they answer', () => {
    const error = { kind: 'timeout', details: null, retryable: true };
    const loaded = load(
      [
        line(),
        ' \t\r',
        answering({ request_hash: hash('b'), responses: [{ n: 1 }, {}] }),
        answering({ request_hash: hash('c'), outcomes: [{ error }, { response: { content: 'ok' } }] }),
      ].join('\n'),
    );
    if (loaded.status !== 'loaded') throw new Error(loaded.status);
    const [first, second, third] = loaded.fixtures.entries.values();
    expect([...loaded.fixtures.entries.keys()]).to.deep.equal([hash('a'), hash('b'), hash('c')]);
    expect(first).to.deep.equal({
      requestHash: hash('a'),
      repeats: true,
      outcomes: [
        {
          kind: 'response',
          response: SerializedJson.read(new Map([['content', 'ok']]), '{"content":"ok"}'),
          bytes: 16,
        },
      ],
    });
    expect(second).to.deep.include({ repeats: false });
    expect(second?.outcomes).to.have.length(2);
    expect(third?.outcomes[0]).to.deep.equal({ kind: 'error', reason: 'timeout', details: null, retryable: true });
  });

  it('of version 1 may give a cost as a number', () => {
    const costOf = (text: string): unknown => {
      const loaded = load(text);
      if (loaded.status !== 'loaded') return loadFault(text);
      const outcome = loaded.fixtures.entries.get(hash('a'))?.outcomes[0];
      return outcome?.kind === 'response' ? outcome.response.text(EVENT_LOOP_PACE) : outcome;
    };
    const priced = (version: number, cost: string): string =>
      `{"schema_version":${String(version)},"request_hash":"${hash('a')}","response":{"tokens":{"input":1,"total_cost":${cost}}}}`;
    expect(costOf(priced(1, '0.0000011'))).to.equal(
      '{"tokens":{"input":1,"total_cost":{"currency":"USD","microunits":2}}}',
    );
    expect(costOf(priced(1, '3'))).to.equal(
      '{"tokens":{"input":1,"total_cost":{"currency":"USD","microunits":3000000}}}',
    );
    expect(costOf(priced(1, '{"currency":"USD","microunits":5}'))).to.equal(
      '{"tokens":{"input":1,"total_cost":{"currency":"USD","microunits":5}}}',
    );
    expect(costOf(priced(1, '-1'))).to.equal('outcome_value 1');
    expect(costOf(priced(2, '3'))).to.equal('{"tokens":{"input":1,"total_cost":3}}');
  });

  const good: readonly (readonly [string, string])[] = [
    ['with a line feed at the end', `${line()}\n`],
    ['with carriage returns', `${line()}\r\n\r\n`],
    ['of version 1', line({ schema_version: 1 })],
    ['of version 2.0', line().replace('"schema_version":2', '"schema_version":2.0')],
    ['with as many entries as may be', ['a', 'b', 'c'].map((digit) => line({ request_hash: hash(digit) })).join('\n')],
    ['with a response as large as may be', line({ response: sized(100) })],
    ['with a long sequence', answering({ responses: Array.from({ length: 1024 }, () => ({})) })],
    [
      'with long details',
      answering({ outcomes: [{ error: { kind: 'denied', details: 'é'.repeat(1024), retryable: false } }] }),
    ],
    [
      'with astral details',
      answering({ outcomes: [{ error: { kind: 'denied', details: '😀'.repeat(1024), retryable: false } }] }),
    ],
  ];
  for (const [title, text] of good) {
    it(`${title} are right`, () => {
      expect(loadFault(text)).to.equal('loaded');
    });
  }

  const error = { kind: 'denied', details: null, retryable: false };
  const outcome = (value: unknown): string => answering({ outcomes: [value] });
  const bad: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['nothing', '', 'empty'],
    ['blank lines only', '\n \n\t', 'empty'],
    ['no JSON', `${line()}\n\n{`, 'json 3'],
    ['a byte order mark', `\uFEFF${line()}`, 'json 1'],
    ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'json 1'],
    ['a key twice', `{"schema_version":2,"schema_version":2}`, 'json 1'],
    ['too deep a line', `${'['.repeat(65)}${']'.repeat(65)}`, 'json 1'],
    ['a list', '[]', 'not_an_object 1'],
    ['another key', line({ model: 'm' }), 'unknown_key 1'],
    ['another key before everything', JSON.stringify({ x: 1 }), 'unknown_key 1'],
    ['no version', line({ schema_version: undefined }), 'schema_version 1'],
    ['version 3', line({ schema_version: 3 }), 'schema_version 1'],
    ['version 0', line({ schema_version: 0 }), 'schema_version 1'],
    ['a version in words', line({ schema_version: '2' }), 'schema_version 1'],
    ['no hash', line({ request_hash: undefined }), 'request_hash 1'],
    ['a hash in capitals', line({ request_hash: hash('A') }), 'request_hash 1'],
    ['a hash with a line feed', line({ request_hash: `${hash('a')}\n` }), 'request_hash 1'],
    ['no answer', answering({}), 'outcome_key 1'],
    ['two answers', line({ responses: [{}] }), 'outcome_key 1'],
    ['outcomes of version 1', answering({ schema_version: 1, outcomes: [{ error }] }), 'outcome_key 1'],
    ['a response that is none', line({ response: [] }), 'outcome_value 1'],
    ['no response in a sequence', answering({ responses: [] }), 'outcome_value 1'],
    ['too long a sequence', answering({ responses: Array.from({ length: 1025 }, () => ({})) }), 'outcome_value 1'],
    ['a response in a sequence that is none', answering({ responses: [{}, null] }), 'outcome_value 1'],
    ['an outcome of both kinds', outcome({ response: {}, error }), 'outcome_value 1'],
    ['an outcome of no kind', outcome({}), 'outcome_value 1'],
    ['an outcome of another kind', outcome({ value: {} }), 'outcome_value 1'],
    ['an error of another reason', outcome({ error: { ...error, kind: 'exit' } }), 'outcome_value 1'],
    ['an error without details', outcome({ error: { kind: 'denied', retryable: false } }), 'outcome_value 1'],
    ['an error with more', outcome({ error: { ...error, model: 'm' } }), 'outcome_value 1'],
    ['an error with details of another type', outcome({ error: { ...error, details: 1 } }), 'outcome_value 1'],
    ['an error with too long details', outcome({ error: { ...error, details: 'x'.repeat(1025) } }), 'outcome_value 1'],
    ['an error that may or may not be retried', outcome({ error: { ...error, retryable: 1 } }), 'outcome_value 1'],
    ['too large a response', line({ response: sized(101) }), 'max_result_bytes 1'],
    ['too large a response in a sequence', answering({ responses: [{}, sized(101)] }), 'max_result_bytes 1'],
    ['one request twice', `${line()}\n${line()}`, 'duplicate_hash 2'],
    [
      'too many entries',
      ['a', 'b', 'c', 'd'].map((digit) => line({ request_hash: hash(digit) })).join('\n'),
      'max_entries 4',
    ],
    [
      'one request twice among too many',
      ['a', 'b', 'c', 'a'].map((digit) => line({ request_hash: hash(digit) })).join('\n'),
      'duplicate_hash 4',
    ],
    ['the first of two faults', `${line({ schema_version: 3 })}\n{`, 'schema_version 1'],
  ];
  for (const [title, text, expected] of bad) {
    it(`with ${title}: ${expected}`, () => {
      expect(loadFault(text)).to.equal(expected);
    });
  }

  it('are as large as they may be, and no larger', () => {
    const padded = (bytes: number): Uint8Array => new TextEncoder().encode(line().padEnd(bytes, ' '));
    expect(loadFault(padded(MAX_FIXTURE_BYTES))).to.equal('loaded');
    expect(loadFault(padded(MAX_FIXTURE_BYTES + 1))).to.equal('too_large');
  });

  it('take only the time that they are given', () => {
    let requested = 0;
    const text = [line(), '', line({ request_hash: hash('b') }), '{'].join('\n');
    expect(
      load(text, () => {
        requested += 1;
        return requested === 2;
      }),
    ).to.deep.equal({ status: 'expired' });
    expect(load('', () => true)).to.deep.equal({ status: 'refused', fault: { rule: 'empty', line: null } });
  });

  it('never throw, whatever they hold', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(arbitraryJson.map(canonicalJson), fc.string({ unit: 'binary' }), fc.constantFrom(line(), '', '\0')),
        ),
        (lines) => {
          load(lines.join('\n'));
        },
      ),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        load(bytes);
      }),
    );
  });
});
