import { expect } from 'chai';
import { continuationText } from '../continuation/opaque-text.ts';
import { routeOf } from '../route.ts';
import { writeRequest } from '../write-request.ts';

const IDENTITY = 'sha256:1 r1';

describe('the context that Ollama is asked for', () => {
  async function bodyOf(
    content: string,
    outputTokens: number,
    continuation: string | null = null,
  ): Promise<Readonly<Record<string, unknown>>> {
    const route = routeOf('ollama:qwen3', 'auto');
    if (route === null) throw new Error('no route');
    const messages = [
      { role: 'user', content },
      { role: 'assistant', content: 'well', ...(continuation !== null && { continuation }) },
      { role: 'user', content: 'go on' },
    ];
    const written = await writeRequest({
      route,
      declaration: {
        params: { temperature: 0.5 },
        schemaMode: 'unsupported',
        cache: false,
        routing: null,
        guarantees: { tokens: true, cost: false },
        region: null,
        responseBytes: 1_000_000,
        prices: null,
        server: null,
        identity: IDENTITY,
      },
      request: JSON.stringify({ messages }),
      outputLimit: { value: outputTokens, bindings: ['application_limit'] },
    });
    if (!written.ok) throw new Error(JSON.stringify(written));
    const body: unknown = JSON.parse(written.body);
    if (typeof body !== 'object' || body === null) throw new Error('a body is an object');
    return { ...body };
  }

  const contextOf = (body: Readonly<Record<string, unknown>>): unknown => Object(body['options']).num_ctx;

  it('is no smaller than what most machines have', async () => {
    expect(await bodyOf('hi', 16)).to.deep.include({
      truncate: false,
      shift: false,
      options: { num_predict: 16, temperature: 0.5, num_ctx: 4096 },
    });
  });

  it('holds the whole prompt and the whole answer, in steps that a growing conversation seldom passes', async () => {
    const contexts: number[] = [];
    for (let size = 0; size <= 60_000; size += 500) {
      const body = await bodyOf('x'.repeat(size), 4096);
      contexts.push(Number(contextOf(body)));
      expect(Number(contextOf(body))).to.be.at.least(size / 2 + 4096);
    }
    expect([...new Set(contexts)]).to.deep.equal([8192, 16_384, 32_768, 65_536]);
  });

  it('has room for what a turn brings back', async () => {
    const stored = continuationText({ identity: IDENTITY, wire: 'ollama' }, [
      { json: '"well"', call: null, member: 'content' },
      { json: JSON.stringify('é'.repeat(10_000)), call: null, member: 'thinking' },
    ]);
    const body = await bodyOf('hi', 4096, stored);
    expect(body).to.have.nested.property('messages[1].thinking').that.has.length(10_000);
    expect([contextOf(await bodyOf('hi', 4096)), contextOf(body)]).to.deep.equal([8192, 16_384]);
  });
});
