import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { readApiAnswer, type ApiAnswer } from './read-answer.ts';

const answer = (status: number, contentType: string | null, body: string | Uint8Array, more: Partial<ApiAnswer> = {}) =>
  ({
    status,
    contentType,
    isPlain: true,
    bytes: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    ...more,
  }) satisfies ApiAnswer;
const read = (apiAnswer: ApiAnswer, maxBytes = 1000, errorFeedback: 'closed' | 'bounded' = 'bounded') =>
  readApiAnswer(apiAnswer, { maxBytes, errorFeedback });
const valueOf = (apiAnswer: ApiAnswer): unknown => {
  const { outcome } = read(apiAnswer);
  return outcome.kind === 'value' ? JSON.parse(outcome.value) : outcome;
};
const sha256 = (bytes: string): string => createHash('sha256').update(bytes).digest('hex');

describe('the answer of an API', () => {
  for (const [what, input, value] of [
    ['JSON', answer(200, 'application/json', '{"a":[1]}'), { a: [1] }],
    ['JSON of a kind', answer(201, 'application/problem+json; charset=utf-8', '1'), 1],
    ['nothing', answer(204, null, ''), null],
    ['nothing, called JSON', answer(200, 'application/json', ''), null],
    ['text', answer(200, 'text/plain', 'a\n'), { text: 'a\n' }],
    ['XML', answer(200, 'application/atom+xml', '<a/>'), { text: '<a/>' }],
    ['text of another encoding', answer(200, 'text/plain; charset="iso-8859-1"', Uint8Array.of(0xe9)), { text: 'é' }],
    [
      'text that is none',
      answer(200, 'text/plain', Uint8Array.of(0xff)),
      {
        type: 'blob',
        mimeType: 'text/plain',
        bytes: 1,
        sha256: createHash('sha256').update(Uint8Array.of(0xff)).digest('hex'),
      },
    ],
    [
      'a picture',
      answer(200, 'image/png', 'PNG'),
      { type: 'image', mimeType: 'image/png', bytes: 3, sha256: sha256('PNG') },
    ],
    ['bytes of no type', answer(200, null, 'x'), { type: 'blob', bytes: 1, sha256: sha256('x') }],
    [
      'what would have to be decoded first',
      answer(200, 'application/json', 'x', { isPlain: false }),
      { type: 'blob', mimeType: 'application/json', bytes: 1, sha256: sha256('x') },
    ],
  ] as const) {
    it(`of ${what} is a value`, () => {
      expect(valueOf(input)).to.deep.equal(value);
    });
  }

  for (const [what, input, details, proof] of [
    ['is no JSON', answer(200, 'application/json', '{'), 'openapi_invalid_result', 'complete_answer'],
    [
      'is nested too deep',
      answer(200, 'application/json', '['.repeat(60) + ']'.repeat(60)),
      'openapi_invalid_result',
      'complete_answer',
    ],
    ['is too long', answer(200, 'application/json', `"${'x'.repeat(2000)}"`), 'openapi_response_exceeded', null],
    ['points elsewhere', answer(302, null, ''), 'openapi_transport_error', null],
  ] as const) {
    it(`that ${what} is ${details}`, () => {
      expect(read(input).outcome).to.deep.include({ kind: 'error', details, proof });
    });
  }

  /** Status, content type, body, and what is said of it. */
  for (const [status, type, body, said] of [
    [404, 'application/json', '{"message":"Not Found","documentation_url":"https://x"}', 'HTTP 404: Not Found'],
    [400, 'application/json', '{"error":{"message":"no\\ttitle\\nat all","code":7}}', 'HTTP 400: no\ttitle\nat all'],
    [422, 'application/problem+json', '{"title":"Invalid","detail":"a is missing"}', 'HTTP 422: a is missing\nInvalid'],
    [422, 'application/json', '{"errors":[{"message":"a"},{"message":"b"}]}', 'HTTP 422: a\nb'],
    [409, 'text/plain', 'already\u0007there', 'HTTP 409: already\uFFFDthere'],
    [403, 'application/json', '{"x":1}', 'HTTP 403: {"x":1}'],
    [403, 'image/png', 'PNG', 'HTTP 403'],
    [404, null, '', 'HTTP 404'],
    [503, 'text/html', '<p>later</p>', 'HTTP 503: <p>later</p>'],
  ] as const) {
    it(`of status ${status} says ${JSON.stringify(said)}`, () => {
      const found = read(answer(status, type, body));
      expect(found.said).to.equal(said);
      expect(found.outcome).to.deep.include({ reason: 'domain_error', details: said });
    });
  }

  it('says at most 1,024 bytes, and only its status where nothing may be told', () => {
    const long = answer(400, 'text/plain', 'é'.repeat(2000));
    expect(Buffer.byteLength(read(long).said ?? '')).to.be.within(1022, 1024);
    expect(read(long, 1000, 'closed').outcome).to.deep.include({ details: 'HTTP 400' });
  });

  for (const [status, retryable, proof] of [
    [400, false, 'complete_answer'],
    [403, false, 'complete_answer'],
    [408, true, null],
    [429, true, null],
    [500, true, null],
    [503, true, null],
  ] as const) {
    it(`of status ${status} ${retryable ? 'may be another later, and proves nothing' : 'is final'}`, () => {
      expect(read(answer(status, null, '')).outcome).to.deep.include({ retryable, proof });
    });
  }
});
