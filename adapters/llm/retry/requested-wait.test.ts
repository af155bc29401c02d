import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isQuotaSpent, requestedWait } from './requested-wait.ts';

/** Wed, 21 Oct 2026 07:28:00 GMT. */
const NOW = Date.UTC(2026, 9, 21, 7, 28, 0);

describe('how long a vendor wants nobody to ask (world.md §1.4)', () => {
  const rows: readonly (readonly [string, Readonly<Record<string, string>>, number | null])[] = [
    // RFC 9110, section 10.2.3 (retry-after).
    ['seconds', { 'retry-after': '2' }, 2000],
    ['a fraction of seconds', { 'retry-after': '0.25' }, 250],
    ['a date', { 'retry-after': 'Wed, 21 Oct 2026 07:28:07 GMT' }, 7000],
    ['a date that is over', { 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT' }, 0],
    ['no time at all', { 'retry-after': 'soon' }, null],
    ['a day and more, which nobody means', { 'retry-after': '86401' }, null],
    ['a negative number', { 'retry-after': '-5' }, null],
    ['a number beyond all numbers', { 'retry-after': '9'.repeat(400) }, null],
    ['a number with an exponent', { 'retry-after': '1e3' }, null],
    ['words around a number, which are no date', { 'retry-after': 'try at 5' }, null],
    ['an old form of dates', { 'retry-after': 'Wednesday, 21-Oct-26 07:28:07 GMT' }, 7000],
    ['a date that is a year away', { 'retry-after': 'Thu, 21 Oct 2027 07:28:00 GMT' }, null],
    ['milliseconds below nothing', { 'retry-after-ms': '-1', 'retry-after': '1' }, 1000],
    ['a reset below nothing', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '-5' }, null],
    // The SDKs of OpenAI prefer milliseconds.
    ['milliseconds before seconds', { 'retry-after-ms': '312', 'retry-after': '1' }, 312],
    // Azure OpenAI: learn.microsoft.com/en-us/azure/foundry/openai/how-to/quota, "Rate limit response headers", as of
    // 6 May 2026. Its resets are whole numbers; people who report them say seconds.
    [
      'what Azure OpenAI recommends, before its resets',
      {
        'retry-after-ms': '2000',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '10',
        'x-ratelimit-remaining-tokens': '149984',
        'x-ratelimit-reset-tokens': '300',
      },
      2000,
    ],
    [
      'the reset of Azure OpenAI',
      { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '10' },
      10_000,
    ],
    // Azure OpenAI, Responses: learn.microsoft.com/en-us/answers/questions/5625878, as of November 2025.
    [
      'a limit that Azure OpenAI does not count',
      {
        'x-ratelimit-limit-tokens': '-1',
        'x-ratelimit-remaining-tokens': '-1',
        'x-ratelimit-reset-tokens': '0',
      },
      null,
    ],
    // OpenAI: developers.openai.com/api/docs/guides/rate-limits, "Rate limits in headers", as of 26 June 2026.
    [
      'the limit of OpenAI that is used up',
      {
        'x-ratelimit-remaining-requests': '59',
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '6m0s',
      },
      360_000,
    ],
    ['milliseconds in a span', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '120ms' }, 120],
    // Groq: console.groq.com/docs/rate-limits, "Rate Limit Headers". Requests are those of a day, tokens
    // those of a minute; with 429 comes `retry-after`, in seconds.
    ['the reset of Groq', { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '2m59.56s' }, 179_560],
    [
      'the wait of Groq, whose tokens of a minute are spent and whose requests of a day are not',
      {
        'retry-after': '2',
        'x-ratelimit-limit-requests': '14400',
        'x-ratelimit-remaining-requests': '14370',
        'x-ratelimit-reset-requests': '2m59.56s',
        'x-ratelimit-limit-tokens': '18000',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '7.66s',
      },
      2000,
    ],
    // Anthropic: RFC 3339, the later of what is used up (github.com/anthropics/anthropic-sdk-typescript/issues/357).
    [
      'the later of two resets of Anthropic',
      {
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-10-21T07:28:03Z',
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-10-21T07:28:09Z',
        'anthropic-ratelimit-input-tokens-remaining': '4',
        'anthropic-ratelimit-input-tokens-reset': '2026-10-21T07:30:00Z',
      },
      9000,
    ],
    // OpenRouter: its 429 answers as of July 2026 (github.com/dirge-code/dirge/pull/719).
    ['milliseconds since 1970', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW + 1500) }, 1500],
    ['seconds since 1970', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(NOW / 1000 + 3) }, 3000],
    ['a limit of which something is left', { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '9' }, null],
    ['nothing', {}, null],
  ];
  for (const [title, headers, wait] of rows) {
    it(title, () => {
      expect(requestedWait({ status: 429, headers, body: undefined }, NOW)).to.equal(wait);
    });
  }

  it('takes a reset for a wait with 429 alone, and Retry-After with every status', () => {
    const headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '5s' };
    expect(requestedWait({ status: 503, headers, body: undefined }, NOW)).to.equal(null);
    expect(requestedWait({ status: 503, headers: { 'retry-after': '1' }, body: undefined }, NOW)).to.equal(1000);
  });

  const bodies: readonly (readonly [string, unknown, number | null])[] = [
    // Gemini: as of February 2026 (github.com/googleapis/python-genai/pull/2114).
    [
      'RetryInfo of Google',
      {
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          details: [
            { '@type': 'type.googleapis.com/google.rpc.Help' },
            { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.074824224s' },
          ],
        },
      },
      34_075,
    ],
    [
      'headers that OpenRouter repeats',
      {
        error: {
          code: 429,
          metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(NOW + 42_000) } },
        },
      },
      42_000,
    ],
    ['details of another form', { error: { details: 'later', metadata: { headers: [] } } }, null],
    ['a list', [], null],
  ];
  for (const [title, body, wait] of bodies) {
    it(`in the body: ${title}`, () => {
      expect(requestedWait({ status: 429, headers: {}, body: jsonFromPlain(body) }, NOW)).to.equal(wait);
    });
  }
});

describe('a quota that is spent (world.md §1.4)', () => {
  const spent = (status: number, body: unknown) => isQuotaSpent({ status, body: jsonFromPlain(body) });
  it('is recognised by the code or type of a 429', () => {
    // OpenAI: both members of its 429 for a quota that is spent.
    expect(spent(429, { error: { code: 'insufficient_quota', type: 'insufficient_quota' } })).to.equal(true);
    expect(spent(429, { error: { type: 'exceeded_current_quota_error', message: 'm' } })).to.equal(true);
    expect(spent(429, { error: { code: 'rate_limit_exceeded' } })).to.equal(false);
    expect(spent(503, { error: { code: 'insufficient_quota' } })).to.equal(false);
    expect(spent(429, { error: 'insufficient_quota' })).to.equal(false);
    expect(spent(429, undefined)).to.equal(false);
  });
});
