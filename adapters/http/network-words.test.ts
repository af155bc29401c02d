import { expect } from 'chai';
import { errorCode, networkWords } from './network-words.ts';

const error = (facts: object, message = 'm'): Error => Object.assign(new Error(message), facts);

describe('why a server was not reached, in words (world.md §1.5)', () => {
  const rows: readonly (readonly [unknown, string])[] = [
    [error({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 8471 }), 'connection refused (127.0.0.1:8471)'],
    [error({ code: 'ECONNREFUSED', address: '::1', port: 8471 }), 'connection refused ([::1]:8471)'],
    [error({ code: 'ENOTFOUND', hostname: 'nobody.invalid' }), 'name not found (nobody.invalid)'],
    [error({ code: 'ECONNRESET' }), 'connection closed before the answer was whole'],
    [error({ code: 'CERT_HAS_EXPIRED' }), 'TLS: the certificate has expired (CERT_HAS_EXPIRED)'],
    [
      error({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
      'TLS: the certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
    [
      error({ code: 'EPROTO' }, '10:error:0A00010B:SSL routines:tls_get_more_records:wrong version number:../x.c:1:'),
      'TLS: wrong version number',
    ],
    [error({ code: 'HPE_INVALID_CONSTANT' }), 'the answer is no HTTP'],
    [error({ name: 'HTTPParserError', code: undefined }), 'the answer is no HTTP'],
    [error({ code: 'EFOO' }), 'the connection failed (EFOO)'],
    [error({}), 'the connection failed'],
    [null, 'the connection failed'],
    [
      new AggregateError([error({ code: 'ECONNREFUSED', address: '::1', port: 1 }), error({ code: 'ETIMEDOUT' })]),
      'connection refused ([::1]:1)',
    ],
    [
      new Error('outer', { cause: error({ code: 'EHOSTUNREACH', address: '10.0.0.1' }) }),
      'host unreachable (10.0.0.1)',
    ],
  ];
  for (const [thrown, words] of rows) {
    it(words, () => {
      expect(networkWords(thrown)).to.equal(words);
    });
  }

  it('has the code of what caused it', () => {
    expect(errorCode(new Error('outer', { cause: error({ code: 'EPIPE' }) }))).to.equal('EPIPE');
    expect(errorCode('text')).to.equal(null);
  });
});
