import { expect } from 'chai';
import { isSendable, requestHeaders, type Headers } from './request-headers.ts';

const CALL = { method: 'tools/call', revision: '2026-07-28', name: 'lookUp', parameters: [], text: '{}' } as const;
const HOST = 'server.test:8443';
/** Those of every call, with this name. */
const OWN: Headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': 'lookUp',
};
/** Those of every connection. */
const ADDED: Headers = { host: HOST, connection: 'close', 'content-length': '2' };
const bytesOf = (headers: Headers): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0);
const many = (count: number): Headers => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'v']));
const long = (bytes: number): Headers => ({ 'x-key': 'v'.repeat(bytes - 'x-key'.length) });
const parameters = (bytes: number): { readonly header: string; readonly value: string }[] => [
  { header: 'mcp-param-city', value: 'v'.repeat(bytes - 'mcp-param-city'.length) },
];

describe('headers of a request (providers.md §7.1, §7.2)', () => {
  it('say again what its body says', () => {
    expect(requestHeaders(CALL, { authorization: 'Bearer x' }, HOST)).to.deep.equal({
      ...OWN,
      authorization: 'Bearer x',
    });
    expect(
      requestHeaders(
        { method: 'tools/list', revision: '2026-07-28', name: null, parameters: [], text: '{}' },
        {},
        HOST,
      ),
    ).to.deep.equal({
      accept: OWN['accept'],
      'content-type': OWN['content-type'],
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    });
  });

  for (const [count, isSent] of [
    [63, true],
    [64, true],
    [65, false],
  ] as const) {
    it(`are ${isSent ? '' : 'not '}sent where they are ${count}`, () => {
      expect(requestHeaders(CALL, many(count - Object.keys({ ...OWN, ...ADDED }).length), HOST) !== null).to.equal(
        isSent,
      );
      expect(isSendable(many(count))).to.equal(isSent);
    });
  }
  for (const [bytes, isSent] of [
    [32_767, true],
    [32_768, true],
    [32_769, false],
  ] as const) {
    it(`are ${isSent ? '' : 'not '}sent with ${bytes} bytes`, () => {
      expect(requestHeaders(CALL, long(bytes - bytesOf({ ...OWN, ...ADDED })), HOST) !== null).to.equal(isSent);
    });
  }
  for (const [bytes, isSent] of [
    [16_383, true],
    [16_384, true],
    [16_385, false],
  ] as const) {
    it(`are ${isSent ? '' : 'not '}sent with ${bytes} bytes of arguments`, () => {
      expect(requestHeaders({ ...CALL, parameters: parameters(bytes) }, {}, HOST) !== null).to.equal(isSent);
    });
  }

  const values: readonly (readonly [what: string, value: string, sent: string | null])[] = [
    ['as they are where they are plain', 'a b~\t!', null],
    ['as they are where they are empty', '', null],
    ['wrapped where they begin with a space', ' a', 'IGE='],
    ['wrapped where they end with a tab', 'a\t', 'YQk='],
    ['wrapped where they are no ASCII', 'ü', 'w7w='],
    ['wrapped where they have a line end', 'a\r\nb: c', 'YQ0KYjogYw=='],
    ['wrapped where they look wrapped', '=?base64?YQ==?=', 'PT9iYXNlNjQ/WVE9PT89'],
    ['as they are where they only begin so', '=?base64?YQ==', null],
  ];
  for (const [what, value, wrapped] of values) {
    it(`have values ${what}`, () => {
      const sent = wrapped === null ? value : `=?base64?${wrapped}?=`;
      expect(
        requestHeaders({ ...CALL, name: value, parameters: [{ header: 'mcp-param-a', value }] }, {}, HOST),
      ).to.include({ 'mcp-name': sent, 'mcp-param-a': sent });
    });
  }
});
