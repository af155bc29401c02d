import { expect } from 'chai';
import { endpointFault } from './endpoint.ts';

const INVALID = 'installation_endpoint_invalid';
const REQUIRED = 'installation_endpoint_insecure_loopback_required';
const LITERAL = 'installation_endpoint_literal_loopback_required';
const FORBIDDEN = 'installation_endpoint_insecure_loopback_forbidden';
const HTTPS = 'installation_endpoint_credentials_require_https';

describe('endpoint rules (documents.md §7)', () => {
  const plain: readonly (readonly [string, string | null])[] = [
    ['https://a.example', null],
    ['https://a.example/mcp?x=1', null],
    ['https://A.Example:8443/mcp', null],
    ['https://[2001:db8::1]:8443/mcp', null],
    ['https://a.example:65536/', INVALID],
    ['https://a.example:0/', INVALID],
    ['https://a.example:08/', INVALID],
    ['https://a.example:/', INVALID],
    ['https://', INVALID],
    ['https:///mcp', INVALID],
    ['https://user@a.example/', INVALID],
    ['https://user:secret@a.example/', INVALID],
    ['https://a.example/#part', INVALID],
    ['https://a.example/#', INVALID],
    ['https://a.example\\@b.example/', INVALID],
    ['https://a.exam ple/', INVALID],
    ['https://a.example/\u00a0', INVALID],
    ['https://a.example/\u2028', INVALID],
    ['https://a.example/\u0085', INVALID],
    ['https://a.example/\t', INVALID],
    ['HTTPS://a.example/', INVALID],
    ['https://0x7f.1/', INVALID],
    ['https://%61.example/', INVALID],
    ['https://[::1/', INVALID],
    ['a.example/mcp', INVALID],
    ['', INVALID],
    ['ftp://a.example/', INVALID],
    ['wss://a.example/', INVALID],
    ['http://127.0.0.1/', REQUIRED],
    ['http://a.example/', REQUIRED],
    ['HTTP://127.0.0.1/', INVALID],
  ];
  for (const [endpoint, expected] of plain) {
    it(`${JSON.stringify(endpoint)}: ${expected ?? 'admitted'}`, () => {
      expect(endpointFault({ endpoint, hasCredentials: false, allowInsecureLoopback: false })).to.equal(expected);
    });
  }

  const allowed: readonly (readonly [string, string | null])[] = [
    ['http://127.0.0.1:9000/mcp', null],
    ['http://[::1]:9000/mcp', null],
    ['http://localhost:9000/mcp', LITERAL],
    ['http://127.0.0.2/', LITERAL],
    ['http://[0:0:0:0:0:0:0:1]/', LITERAL],
    ['http://a.example/', LITERAL],
    ['https://127.0.0.1/', FORBIDDEN],
    ['ftp://127.0.0.1/', INVALID],
  ];
  for (const [endpoint, expected] of allowed) {
    it(`${JSON.stringify(endpoint)} with the loopback allowance: ${expected ?? 'admitted'}`, () => {
      expect(endpointFault({ endpoint, hasCredentials: false, allowInsecureLoopback: true })).to.equal(expected);
    });
  }

  it('asks for https before anything else where credentials are declared', () => {
    expect(
      endpointFault({ endpoint: 'http:// not an address', hasCredentials: true, allowInsecureLoopback: true }),
    ).to.equal(HTTPS);
    expect(
      endpointFault({ endpoint: 'https://a.example/', hasCredentials: true, allowInsecureLoopback: false }),
    ).to.equal(null);
  });
});
