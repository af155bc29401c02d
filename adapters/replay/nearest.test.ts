import { expect } from 'chai';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { nearestTo } from './nearest.ts';
import { readRequests, requestLine, requestsPath } from './requests.ts';

const json = (plain: unknown): JsonObject => {
  const value = jsonFromPlain(plain);
  if (!isJsonObject(value)) throw new Error('an object');
  return value;
};

function nearest(requested: unknown, ...recorded: readonly unknown[]) {
  const search = nearestTo(json(requested));
  for (const [index, request] of recorded.entries())
    search.compare({ requestHash: `#${String(index)}`, request: json(request) });
  return search.nearest();
}

const message = (role: string, content: unknown) => ({ role, content });
const request = (...messages: readonly unknown[]) => ({ system: 'be brief', messages });

describe('the recorded request that is nearest to a missed one', () => {
  it('is the one with the fewest differences, told by the first of them', () => {
    const requested = request(message('user', 'a'), message('user', 'good evening'));
    expect(
      nearest(
        requested,
        request(message('user', 'x'), message('user', 'y')),
        request(message('user', 'a'), message('user', 'good morning')),
        {},
      ),
    ).to.deep.equal({
      requestHash: '#1',
      place: 'messages[1].content',
      asked: 'good evening',
      recorded: 'good morning',
    });
  });

  it('is, of two as near, the one that parts later', () => {
    expect(nearest({ system: 'abcdef' }, { system: 'axx' }, { system: 'abcxx' }, { system: 'abx' })).to.include({
      requestHash: '#1',
    });
  });

  it('tells what only one side has', () => {
    expect(nearest(request(message('user', 'a')), request(message('user', 'a'), message('user', 'b')))).to.deep.include(
      { place: 'messages[1]', asked: null, recorded: '{"content":"b","role":"user"}' },
    );
    expect(nearest({ cache: true, messages: [] }, { messages: [] })).to.deep.include({
      place: 'cache',
      asked: 'true',
      recorded: null,
    });
    expect(nearest({ messages: 'no list' }, { messages: [] })).to.deep.include({
      place: 'messages',
      asked: 'no list',
      recorded: '[]',
    });
  });

  it('shows at most 80 characters of each side, with the place where they part', () => {
    const long = 'x'.repeat(5000);
    const found = nearest({ system: `${long}A${long}` }, { system: `${long}B${long}` });
    expect(found?.asked)
      .to.have.length(80)
      .and.to.match(/^x{20}Ax{59}$/);
    expect(found?.recorded)
      .to.have.length(80)
      .and.to.match(/^x{20}Bx{59}$/);
    expect(nearest({ system: `${long}A` }, { system: long })?.recorded).to.equal('x'.repeat(80));
  });

  it('quotes names that are no identifiers, and bears any nesting', () => {
    expect(nearest({ 'a b': 1 }, { 'a b': 2 })).to.include({ place: '"a b"', asked: '1', recorded: '2' });
    const deep = (leaf: number): JsonObject =>
      new Map([['tools', Array.from({ length: 3000 }).reduce<JsonValue>((inner) => [inner], leaf)]]);
    const search = nearestTo(deep(1));
    search.compare({ requestHash: 'h', request: deep(2) });
    expect(search.nearest()).to.include({ asked: '1', recorded: '2' });
  });

  it('is none without a request, and none of the same', () => {
    expect(nearest({ system: 'a' })).to.equal(null);
    expect(nearest({ system: 'a' }, { system: 'a' })).to.equal(null);
  });
});

describe('the file of recorded requests', () => {
  it('is read as it was written, whatever else stands in it', () => {
    const written = [
      { requestHash: 'h1', request: json({ system: 'é\n"' }) },
      { requestHash: 'h2', request: json({ messages: [] }) },
    ];
    const text = `${written.map(requestLine).join('nonsense\n[]\n{"request_hash":1}\n\n')}{"torn`;
    expect([...readRequests(Buffer.from(text))]).to.deep.equal(written);
  });

  it('lies beside the fixtures', () => {
    expect(requestsPath('/a/replay.jsonl')).to.equal('/a/replay.requests.jsonl');
    expect(requestsPath('replay')).to.equal('replay.requests.jsonl');
  });
});
