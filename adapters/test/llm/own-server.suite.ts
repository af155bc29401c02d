import { expect } from 'chai';
import { azureOpenAi } from '../../../conformance/servers/llm/vendors/azure.ts';
import { startVendor, type VendorServer } from '../../../conformance/servers/llm/vendors/server.ts';
import { secretHash } from '../../../conformance/servers/http/log.ts';
import { authorise, addressed, UNSIGNED, type OwnRequest } from '../../llm/authorise.ts';
import type { OwnServer } from '../../llm/declaration.ts';
import { checkModel } from '../../llm/local-check.ts';
import { askVendor, type Asking } from '../../llm/testing/ask-vendor.ts';

const KEY = 'azure-planted-4711';
const PLAIN: OwnRequest = { headers: {}, query: [], credentialHeader: null };
const BY_KEY: OwnRequest = { ...PLAIN, credentialHeader: 'api-key' };
const OWN: OwnServer = { headers: new Map(), query: new Map(), credentialHeader: null, outputLimitMember: null };
const SELECTOR = 'openai-compat:http://127.0.0.1:1/v1|';

const request = { messages: [{ role: 'user', content: 'hi' }] };

describe('a server of the operator (world.md §1.6)', () => {
  describe('Azure OpenAI', () => {
    let server: VendorServer;
    beforeEach(async () => {
      const fake = azureOpenAi({ key: KEY, deployments: { fast: 'gpt-4.1-mini', thinker: 'gpt-5.6-sol' } });
      server = await startVendor(fake, [{ text: 'well' }]);
    });
    afterEach(async () => server.close());

    const ask = async (asking: Partial<Asking> & { readonly deployment: string; readonly base: string }) => {
      const outcome = await askVendor({
        credential: KEY,
        server: BY_KEY,
        request,
        ...asking,
        selector: `${SELECTOR}${asking.deployment}`,
        baseUrl: server.url + asking.base,
      });
      return outcome.kind === 'value' ? JSON.parse(outcome.value).content : outcome;
    };

    it('is asked by its v1 API, with the key in api-key', async () => {
      expect(await ask({ deployment: 'fast', base: '/openai/v1' })).to.equal('well');
      const [sent] = server.exchanges;
      expect(sent?.headers).to.include({ 'api-key': secretHash(KEY) });
      expect(sent?.headers).not.to.have.property('authorization');
    });

    it('is asked for a model that thinks with max_completion_tokens, or by Responses', async () => {
      expect(await ask({ deployment: 'thinker', base: '/openai/v1' })).to.include({ reason: 'invalid_request' });
      const declaration = { server: { ...OWN, outputLimitMember: 'max_completion_tokens' as const } };
      expect(await ask({ deployment: 'thinker', base: '/openai/v1', declaration })).to.equal('well');
      const [, answered] = server.exchanges;
      expect(JSON.parse(answered?.body ?? '')).to.include({ max_completion_tokens: 8192 });
      expect(JSON.parse(answered?.body ?? '')).not.to.have.property('max_tokens');
    });

    it('is asked by Responses', async () => {
      expect(await ask({ deployment: 'thinker', base: '/openai/v1', wire: 'responses' })).to.equal('well');
    });

    it('is asked by deployment, with the version in the query', async () => {
      const versioned = { ...BY_KEY, query: [['api-version', '2024-10-21']] as const };
      const base = '/openai/deployments/fast';
      expect(await ask({ deployment: 'fast', base, server: versioned })).to.equal('well');
      expect(server.exchanges[0]?.path).to.equal(`${base}/chat/completions?api-version=2024-10-21`);
    });
  });

  describe('has headers', () => {
    const written = { url: 'https://a.test/v1', headers: { authorization: `Bearer ${UNSIGNED}`, 'user-agent': 'ai' } };
    const headersOf = async (server: OwnRequest | null, credential = 'k3y') =>
      authorise({ ...written, body: '' }, { wire: 'chat', credential, region: null, server });

    it('of its own beside the credential, and in the place of the library’s', async () => {
      expect(await headersOf({ ...PLAIN, headers: { 'x-team': 'search', 'user-agent': 'ours' } })).to.deep.equal({
        authorization: 'Bearer k3y',
        'user-agent': 'ours',
        'x-team': 'search',
      });
    });

    it('with the credential in another, and authorization free for a gateway', async () => {
      const headers = { authorization: 'Bearer gateway' };
      expect(await headersOf({ ...BY_KEY, headers })).to.deep.equal({
        'api-key': 'k3y',
        authorization: 'Bearer gateway',
        'user-agent': 'ai',
      });
      expect(await headersOf(BY_KEY)).to.deep.equal({ 'api-key': 'k3y', 'user-agent': 'ai' });
    });

    it('none of which a line can end in', async () => {
      expect(await headersOf({ ...PLAIN, headers: { 'x-team': 'a\r\nx: y' } })).to.equal(null);
      expect(await headersOf(BY_KEY, 'a\nb')).to.equal(null);
    });
  });

  it('is asked with its query, written as a URL has it', () => {
    const query = [
      ['api-version', '2024-10-21'],
      ['a b', 'c&d'],
    ] as const;
    expect(addressed('https://a.test/v1/chat/completions', { ...PLAIN, query })).to.equal(
      'https://a.test/v1/chat/completions?api-version=2024-10-21&a+b=c%26d',
    );
    expect(addressed('https://a.test/v1', PLAIN)).to.equal('https://a.test/v1');
    expect(addressed('https://a.test/v1', null)).to.equal('https://a.test/v1');
  });

  describe('alone has these fields', () => {
    const declaration = {
      credential: 'key',
      identity: '',
      params: {},
      schemaMode: 'unsupported',
      cache: false,
      guarantees: { tokens: false, cost: false },
      routing: null,
      prices: null,
      needsPrice: false,
      maxCalls: 1,
      requestBytes: 1,
      responseBytes: 1,
      timeoutMs: 1,
      retry: { attempts: 1, maxWaitMs: 0 },
      region: null,
    } as const;
    const rows = [
      ['openai:gpt-5.6-sol', 'auto', OWN, /^openai takes no headers, query, auth and max_tokens_field/],
      ['ollama:qwen3', 'auto', OWN, /^ollama takes no headers/],
      [`${SELECTOR}m`, 'responses', { ...OWN, outputLimitMember: 'max_tokens' }, /chat completions, not of responses/],
      [`${SELECTOR}m`, 'responses', OWN, null],
      [`${SELECTOR}m`, 'auto', { ...OWN, outputLimitMember: 'max_completion_tokens' }, null],
      ['openai:gpt-5.6-sol', 'auto', null, null],
    ] as const;
    for (const [selector, wire, server, words] of rows) {
      it(`${selector}, wire ${wire}: ${words === null ? 'taken' : words.source}`, () => {
        const finding = checkModel({ ...declaration, selector, wire, server });
        if (words === null) expect(finding).to.equal(null);
        else {
          expect(finding?.code).to.equal('model_contract_unsupported');
          expect(finding?.hint).to.match(words);
        }
      });
    }
  });
});
