import { expect } from 'chai';
import { azureOpenAi } from './azure.ts';
import type { VendorRequest } from './vendor.ts';

const FAKE = azureOpenAi({ key: 'k3y', deployments: { fast: 'gpt-4.1-mini', thinker: 'gpt-5.6-sol' } });
const V1 = '/openai/v1/chat/completions';
const DATED = '/openai/deployments/fast/chat/completions';
const DENIED = [401, 'Access denied due to invalid subscription key or wrong API endpoint.'] as const;

const KEY = { 'api-key': 'k3y' };
const version = (text: string) => ({ 'api-version': text });

describe('rules that the fake of Azure OpenAI enforces', () => {
  const rows: readonly (readonly [
    what: string,
    request: Partial<VendorRequest>,
    refusal: readonly [status: number, words: string] | null,
  ])[] = [
    ['v1 with a key', { path: V1, headers: KEY, body: { model: 'fast' } }, null],
    ['v1 with a token', { path: V1, headers: { authorization: 'Bearer k3y' }, body: { model: 'fast' } }, null],
    ['v1, preview', { path: V1, headers: KEY, body: { model: 'fast' }, query: version('preview') }, null],
    [
      'v1 with a dated version',
      { path: V1, headers: KEY, body: { model: 'fast' }, query: version('2024-10-21') },
      [400, 'api-version query parameter is not allowed when using /v1 path'],
    ],
    ['v1 without a key', { path: V1, body: { model: 'fast' } }, DENIED],
    ['v1, nobody deployed it', { path: V1, headers: KEY, body: { model: 'gpt-4.1' } }, [404, 'does not exist']],
    [
      'v1, a model that thinks, with max_tokens',
      { path: V1, headers: KEY, body: { model: 'thinker', max_tokens: 9 } },
      [400, "Use 'max_completion_tokens' instead."],
    ],
    ['a deployment', { path: DATED, headers: KEY, query: version('2024-10-21') }, null],
    ['a deployment without a version', { path: DATED, headers: KEY }, [404, 'Resource not found']],
    [
      'a deployment whose key comes as a bearer',
      { path: DATED, headers: { authorization: 'Bearer k3y' }, query: version('2024-10-21') },
      DENIED,
    ],
    [
      'a deployment that is not there',
      { path: DATED.replace('fast', 'slow'), headers: KEY, query: version('2024-10-21') },
      [404, 'The API deployment for this resource does not exist.'],
    ],
  ];
  for (const [what, request, expected] of rows) {
    it(what, () => {
      const whole = { path: '', query: {}, headers: {}, body: {}, text: '', answered: [], ...request };
      expect(FAKE.serves(whole.path)).to.equal(true);
      const refusal = FAKE.refuse(whole);
      if (expected === null) expect(refusal).to.equal(null);
      else {
        expect(refusal).to.include({ status: expected[0] });
        expect(JSON.stringify(refusal?.body)).to.include(expected[1]);
      }
    });
  }

  it('serves nothing else', () => {
    for (const path of ['/v1/chat/completions', '/openai/chat/completions', '/openai/deployments/fast/responses'])
      expect(FAKE.serves(path), path).to.equal(false);
  });
});
