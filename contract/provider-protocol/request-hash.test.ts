import { expect } from 'chai';
import { EVENT_LOOP_PACE } from '../../system/event-loop-pace.ts';
import { jsonFromPlain } from '../json/plain.ts';
import { SerializedJson } from '../json/serialized.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import { hashedRequest } from './request-hash.ts';

function request(plain: unknown): SerializedJson<JsonObject> {
  const value = jsonFromPlain(plain);
  if (value === undefined || !isJsonObject(value)) throw new Error('this is an object');
  return SerializedJson.of(value);
}

describe('what the replay key of a request is made of (world.md §1.2, providers.md §6)', () => {
  it('is the request itself where nothing is carried', () => {
    for (const plain of [
      {},
      { messages: [{ role: 'user', content: 'x' }] },
      { messages: [{ continuation: 7 }, 'x', null] },
    ]) {
      const input = request(plain);
      expect(hashedRequest(input)).to.equal(input);
    }
  });

  it('has the digest of a continuation in its place, and all else as it was', async () => {
    const carrying = { role: 'assistant', content: 'x', tool_calls: [], continuation: 'abc' };
    const hashed = hashedRequest(request({ messages: [{ role: 'user', content: 'x' }, carrying], system: 's' }));
    expect(JSON.parse(await hashed.text(EVENT_LOOP_PACE))).to.deep.equal({
      messages: [
        { role: 'user', content: 'x' },
        {
          ...carrying,
          continuation: 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        },
      ],
      system: 's',
    });
  });
});
