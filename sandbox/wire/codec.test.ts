import { expect } from 'chai';
import fc from 'fast-check';
import { decodeFromHost, decodeToHost, encodeFromHost, encodeToHost } from './codec.ts';
import type { Frame } from './frames.ts';
import { type Answer, ENDINGS, type FromHost, MAX_ARGUMENTS_LENGTH, MAX_NAME_LENGTH, type ToHost } from './messages.ts';

const count = fc.maxSafeNat();
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const isolate = fc.nat().map(String);
const text = fc.string({ unit: 'binary', maxLength: 60 });
const constant = <const T extends string>(type: T) => fc.constant(type);

const toHost: fc.Arbitrary<ToHost> = fc.oneof(
  fc.record({
    type: constant('open'),
    id,
    isolate,
    environment: fc.constantFrom('workflow' as const, 'mission' as const),
    heapWords: count,
  }),
  fc.record({ type: constant('request'), id, isolate, timeoutMs: count, load: text, text, wantsHeap: fc.boolean() }),
  fc.record({ type: constant('heap_use'), id, isolate }),
  fc.record({ type: constant('dispose'), id, isolate }),
  fc.record({ type: constant('call_answer'), isolate, answer: text }),
);

const heap = fc.option(fc.record({ observedWords: count, baselineWords: count }));
const replied = fc.record({ type: constant('replied'), text, heap });
const repliedToLoad = fc.record({ type: constant('replied'), text, heap: fc.constant(null) });
const ended = fc.record({ type: constant('ended'), ending: fc.constantFrom(...Object.values(ENDINGS)) });
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.record({ type: constant('opened') }),
  replied,
  fc.record({ type: constant('not_loaded'), load: fc.oneof(repliedToLoad, ended) }),
  ended,
  fc.record({ type: constant('heap_use'), percent: count }),
  fc.record({ type: constant('disposed') }),
);
const fromHost: fc.Arbitrary<FromHost> = fc.oneof(
  fc.tuple(answer, id).map(([input, of]) => ({ ...input, id: of })),
  fc.record({ type: constant('call'), isolate, name: text, argumentsText: text }),
);

function host(header: string, body = ''): Frame {
  return { channel: 'host', header, body };
}

function broker(header: string, body = ''): Frame {
  return { channel: 'broker', header, body };
}

/** None of ours in either direction. */
const NO_IDS = [
  '',
  '0',
  '01',
  '1 ',
  ' 1',
  '-1',
  '1.5',
  '1e3',
  '__proto__',
  '{"id":"1"}',
  '9007199254740992',
  '1'.repeat(17),
];

const NO_HEAPS = [
  '',
  '800',
  '800/',
  '/300',
  '800/300/1',
  '-1/0',
  '1.5/1',
  '08/1',
  '9007199254740992/1',
  '1/1e3',
  'x/y',
];

describe('messages to a host', () => {
  it('come back as they went', () => {
    fc.assert(
      fc.property(toHost, (message) => {
        expect(decodeToHost(encodeToHost(message))).to.deep.equal(message);
      }),
    );
  });

  const refused: readonly (readonly [what: string, frame: Frame])[] = [
    ...NO_IDS.map((header) => [`a question numbered "${header}"`, host(`${header} dispose 1`)] as const),
    ['no question', host('1')],
    ['an unknown question', host('1 secret 1')],
    ['an inherited one', host('1 toString 1')],
    ['a question of no isolate', host('1 dispose')],
    ['a word too many', host('1 dispose 1 2')],
    ['an isolate of another kind', host('1 open 1 agent 8')],
    ['an isolate of no size', host('1 open 1 workflow')],
    ['an isolate of a size too many', host('1 open 1 workflow 8 8')],
    ['an isolate of less than nothing', host('1 open 1 workflow -8')],
    ['a request without a time', host('1 request 1')],
    ['a request of a time that is none', host('1 request 1 soon 0')],
    ['a load that is longer than its text', host('1 request 1 50 3', 'ab')],
    ['a request with another wish', host('1 request 1 50 0 hea')],
    ['a request with a wish too many', host('1 request 1 50 0 heap heap')],
    ['an isolate with a wish', host('1 open 1 workflow 8 heap')],
    ...['GET', 'SET', 'APPLY', 'CONSTRUCT', 'ENDPOINT', 'RELEASE'].map(
      (type) => [`comlink's ${type}`, host(JSON.stringify({ id: '7', type, path: ['constructor'] }))] as const,
    ),
  ];
  for (const [what, frame] of refused) {
    it(`are not ${what}`, () => {
      expect(decodeToHost(frame)).to.equal(null);
    });
  }
});

describe('messages from a host', () => {
  it('come back as they went', () => {
    fc.assert(
      fc.property(fromHost, (message) => {
        expect(decodeFromHost(encodeFromHost(message))).to.deep.equal(message);
      }),
    );
  });

  it('are read or refused, whatever stands in them', () => {
    const words = fc.constantFrom('1', '0', ' ', '-', '/', 'r', 'l', 'opened', 'timeout', '__proto__', '{', '\ud800');
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(words, { maxLength: 6 }).map((each) => each.join('')),
    );
    fc.assert(
      fc.property(fc.constantFrom('host' as const, 'broker' as const), anything, anything, (channel, header, body) => {
        const message = decodeFromHost({ channel, header, body });
        if (message === null || message.type === 'unreadable') return;
        expect(decodeFromHost(encodeFromHost(message))).to.deep.equal(message);
      }),
    );
  });

  for (const header of NO_IDS) {
    it(`are no answers to "${header}"`, () => {
      expect(decodeFromHost(host(header, 'opened'))).to.equal(null);
    });
  }

  for (const figure of [...NO_HEAPS, '-', '800/300 1']) {
    it(`are no replies with a heap of "${figure}"`, () => {
      expect(decodeFromHost(host(`1 ${figure}`, 'r{}'))).to.equal(null);
    });
  }

  it('are no other answers with a heap', () => {
    for (const body of ['opened', 'timeout', '37', '', 'lr{}', 'perhaps'])
      expect(decodeFromHost(host('1 800/300', body)), body).to.equal(null);
  });

  for (const body of ['perhaps', 'opened ', '01', '-1', '1.5', 'l', 'lopened', 'llr', 'l1', 'Timeout', '{}']) {
    it(`may be an answer that says nothing, as "${body}"`, () => {
      expect(decodeFromHost(host('1', body))).to.deep.equal({ type: 'unreadable', id: 1 });
    });
  }

  const calls: readonly (readonly [what: string, frame: Frame])[] = [
    ['nothing', broker('')],
    ['no name', broker('1')],
    ['no isolate', broker(' echo')],
    ['a name beyond its bound', broker(`1 ${'n'.repeat(MAX_NAME_LENGTH + 1)}`)],
    ['arguments beyond their bound', broker('1 echo', 'x'.repeat(MAX_ARGUMENTS_LENGTH + 2))],
  ];
  for (const [what, frame] of calls) {
    it(`are no calls with ${what}`, () => {
      expect(decodeFromHost(frame)).to.equal(null);
    });
  }

  it('are calls of names and arguments up to their bounds', () => {
    const name = 'n'.repeat(MAX_NAME_LENGTH);
    const argumentsText = 'x'.repeat(MAX_ARGUMENTS_LENGTH + 1);
    for (const each of [name, 'files/read', 'a b', ''])
      expect(decodeFromHost(broker(`12 ${each}`, argumentsText))).to.deep.equal({
        type: 'call',
        isolate: '12',
        name: each,
        argumentsText,
      });
  });
});
