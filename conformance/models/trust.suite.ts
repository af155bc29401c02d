import { expect } from 'chai';
import { join } from 'node:path';
import { ModelRoom, MODEL_SECRET } from './room.ts';

const AUTHORITY = join(import.meta.dirname, '../servers/http/certificates/authority.pem');

describe('certificates of model servers (world.md §1.6)', () => {
  let room: ModelRoom;
  beforeEach(async () => {
    room = await ModelRoom.open();
  });
  afterEach(async () => room.close());

  /** A server is reached over TLS by a name alone. */
  const byName = (more: Readonly<Record<string, unknown>> = {}) =>
    room.model({ model: `openai-compat:${room.server.url.replace('127.0.0.1', 'localhost')}/v1|m`, ...more });

  for (const variable of ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) {
    it(`are trusted by ${variable}`, async () => {
      await room.serve([{ times: 'any', action: { answer: { text: 'well' } } }], { tls: 'trusted' });
      const { status, value, stderr } = await room.run({
        install: { small: byName() },
        environment: { MODEL_KEY: MODEL_SECRET, [variable]: AUTHORITY },
      });
      expect(status, stderr).to.equal(0);
      expect(value).to.have.nested.property('value.content', 'well');
    });
  }

  for (const [tls, reason] of [
    [
      'untrusted',
      /^provider small: TLS: the certificate is self-signed|^provider small: TLS: the (?:certificate|chain) /m,
    ],
    ['expired', /^provider small: TLS: the certificate has expired \(CERT_HAS_EXPIRED\)$/m],
    ['wrong-name', /^provider small: TLS: the certificate is for another name \(ERR_TLS_CERT_ALTNAME_INVALID\)$/m],
  ] as const) {
    it(`that are ${tls}: the failure says so, and is final`, async () => {
      await room.serve([{ times: 'any', action: { answer: { text: 'well' } } }], { tls });
      const install = { small: byName({ retry: {} }) };
      const { status, stderr } = await room.run({
        program: 'fail',
        install,
        environment: { MODEL_KEY: MODEL_SECRET, NODE_EXTRA_CA_CERTS: AUTHORITY },
      });
      expect(status).to.equal(5);
      expect(stderr).to.match(reason);
      expect(room.server.requests).to.have.length(0);
    });
  }
});
