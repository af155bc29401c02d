import { expect } from 'chai';
import { createDocumentReader } from '../document-reader.ts';
import { brief } from '../testing/application-tree.ts';
import { host, HTTP, OAUTH, STDIO } from '../testing/hosts.ts';
import { memoryFileSystem } from '../testing/memory-file-system.ts';
import { loadHost } from './load.ts';

async function verdict(transport: object, members: object = {}): Promise<string> {
  const reader = createDocumentReader(
    memoryFileSystem({ '/etc/host.json': JSON.stringify(host({ t: { ...STDIO, transport, ...members } })) }),
    '/',
  );
  const outcome = await loadHost(reader, { kind: 'named', path: '/etc/host.json' });
  return outcome.ok ? 'ok' : brief(outcome.diagnostic);
}
const http = async (changes: object): Promise<string> => verdict({ ...HTTP.transport, ...changes });
const stdio = async (changes: object): Promise<string> => verdict({ ...STDIO.transport, ...changes });
const inAll = (bytes: number, start: string, filler: string): string =>
  start + filler.repeat((bytes - Buffer.byteLength(start)) / Buffer.byteLength(filler));
const bearers = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, at) => ({ scheme: 'api_key', binding: 'model-key', header: `x-key-${at}` }));
const variables = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`V_${at}`, { binding: 'model-key' }]));
const named = (header: string): object => ({ auth: [{ scheme: 'api_key', binding: 'model-key', header }] });

describe('bounds of a transport over HTTP (providers.md §7.2, documents.md §7)', () => {
  const tooLong = 'installation_endpoint_invalid';
  for (const [bytes, expected] of [
    [4095, 'ok'],
    [4096, 'ok'],
    [4097, tooLong],
  ] as const) {
    it(`an endpoint of ${bytes} bytes: ${expected}`, async () => {
      expect(await http({ endpoint: inAll(bytes, 'https://a.example/', 'a') })).to.equal(expected);
    });
  }
  for (const [bytes, expected] of [
    [4096, 'ok'],
    [4098, tooLong],
  ] as const) {
    it(`an endpoint of ${bytes} bytes in half as many characters: ${expected}`, async () => {
      expect(await http({ endpoint: inAll(bytes, 'https://a.example/', 'é') })).to.equal(expected);
    });
  }

  for (const [count, expected] of [
    [7, 'ok'],
    [8, 'ok'],
    [9, 'host_schema_invalid "/install/*/transport/auth"'],
  ] as const) {
    it(`${count} credentials: ${expected}`, async () => {
      expect(await http({ auth: bearers(count) })).to.equal(expected);
    });
  }

  const reserved = [
    'authorization',
    'connection',
    'content-length',
    'content-type',
    'host',
    'proxy-authorization',
    'transfer-encoding',
    'mcp-session-id',
    'mcp-method',
    'mcp-name',
    'mcp-param-city',
    'mcp-protocol-version',
    'mcp-',
  ];
  for (const header of reserved.flatMap((name) => [name, name.toUpperCase()])) {
    it(`a credential in ${header}: refused`, async () => {
      expect(await http(named(header))).to.equal('host_invalid "/install/*/transport/auth/0/header"');
    });
  }
  for (const header of ['x-authorization', 'hosts', 'mcp', 'x-mcp-key', 'cookie', 'x'.repeat(255), 'x'.repeat(256)]) {
    it(`a credential in a header of its own, ${header.slice(0, 20)} (${header.length})`, async () => {
      expect(await http(named(header))).to.equal('ok');
    });
  }
  for (const header of ['', 'a b', 'a:b', 'ä', 'x\n', 'x'.repeat(257)]) {
    it(`a credential in ${JSON.stringify(header.slice(0, 20))} (${header.length}), which is no name: refused`, async () => {
      expect(await http(named(header))).to.equal('host_schema_invalid "/install/*/transport/auth/0/header"');
    });
  }
});

describe('bounds of a transport over standard streams (providers.md §7.8)', () => {
  const bounds: readonly (readonly [
    member: string,
    make: (size: number) => unknown,
    admitted: readonly number[],
    refused: readonly number[],
  ])[] = [
    ['args', (count) => Array<string>(count).fill('a'), [0, 255, 256], [257]],
    ['env', variables, [0, 248, 249], [250]],
    ['grace_ms', (value) => value, [1, 2, 4999, 5000], [0, 5001]],
    ['start_timeout_ms', (value) => value, [1, 2, 59_999, 60_000], [0, 60_001]],
    ['stderr_bytes', (value) => value, [0, 1, 65_537, 1_048_575, 1_048_576], [-1, 1_048_577]],
  ];
  for (const [member, make, admitted, refused] of bounds) {
    for (const size of admitted)
      it(`${member} of ${size}`, async () => expect(await stdio({ [member]: make(size) })).to.equal('ok'));
    for (const size of refused) {
      it(`${member} of ${size}: refused`, async () =>
        expect(await stdio({ [member]: make(size) })).to.equal(`host_schema_invalid "/install/*/transport/${member}"`));
    }
  }

  for (const name of ['HOME', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']) {
    it(`${name} is not bound`, async () => {
      expect(await stdio({ env: { [name]: { binding: 'model-key' } } })).to.equal(
        'host_invalid "/install/*/transport/env"',
      );
    });
  }
});

describe('bounds of mappings (providers.md §7.4)', () => {
  const tools = (count: number): object => ({
    tools: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`tool_${at}`, { as: `tool-${at}`, effect: 'read' }]),
    ),
  });
  for (const [count, expected] of [
    [0, 'host_schema_invalid "/install/*/tools"'],
    [1, 'ok'],
    [2, 'ok'],
    [127, 'ok'],
    [128, 'ok'],
    [129, 'host_schema_invalid "/install/*/tools"'],
  ] as const) {
    it(`${count} of them: ${expected}`, async () => {
      expect(await verdict(STDIO.transport, tools(count))).to.equal(expected);
    });
  }
});

describe('bounds of authorisation (providers.md §9, documents.md §7)', () => {
  const items =
    (start: string) =>
    (count: number): readonly string[] =>
      Array.from({ length: count }, (_, at) => `${start}${at}`);
  const same = (value: number): number => value;
  const network =
    (member: string) =>
    (count: number): object => ({ [member]: items('https://a')(count) });
  const client =
    (change: (size: number) => object) =>
    (size: number): object => ({ ...OAUTH.client, ...change(size) });
  const redirects = client((count) => ({
    loopback_redirect: undefined,
    redirect_uris: items('https://a.example/')(count),
  }));
  const path = client((size) => ({ loopback_redirect: { host: '127.0.0.1', path: `/${'a'.repeat(size - 1)}` } }));
  const bounds: readonly (readonly [
    member: string,
    make: (size: number) => unknown,
    admitted: readonly number[],
    refused: readonly number[],
    place?: string,
  ])[] = [
    ['installation_id', (size) => 'a'.repeat(size), [1, 255, 256], [257]],
    ['scope_ceiling', (count) => ['read', 'write', ...items('s')(count - 2)], [2, 63, 64], [65]],
    ['scope_ceiling', (size) => ['s'.repeat(size)], [1, 255, 256], [0, 257]],
    ['authorization_timeout_ms', same, [1, 2, 899_999, 900_000], [0, 900_001]],
    ['unknown_expiry_ttl_ms', same, [1, 2, 86_399_999, 86_400_000], [0, 86_400_001]],
    ['network', network('additional_origins'), [0, 31, 32], [33], '/additional_origins'],
    ['network', network('private_network_origins'), [0, 31, 32], [33], '/private_network_origins'],
    ['client', client((size) => ({ client_id: 'a'.repeat(size) })), [1, 2047, 2048], [2049], '/client_id'],
    ['client', redirects, [1, 15, 16], [0, 17], '/redirect_uris'],
    ['client', path, [1, 1023, 1024], [1025], '/loopback_redirect/path'],
  ];
  for (const [member, make, admitted, refused, place = ''] of bounds) {
    for (const size of admitted)
      it(`${member}${place} of ${size}`, async () =>
        expect(await http({ oauth: { ...OAUTH, [member]: make(size) } })).to.equal('ok'));
    for (const size of refused) {
      it(`${member}${place} of ${size}: refused`, async () => {
        expect(await http({ oauth: { ...OAUTH, [member]: make(size) } })).to.match(
          new RegExp(`^host_schema_invalid "/install/\\*/transport/oauth/${member}${place}`),
        );
      });
    }
  }
});
