import { expect } from 'chai';
import { mergedHost, newHost } from './merged-host.ts';

const INSTALL = new Map([['desk', new Map([['source', 'mcp']])]]);
const CREDENTIALS = new Map([['key', new Map([['env', 'KEY']])]]);
const ADDITIONS = { install: INSTALL, credentials: CREDENTIALS };
const merged = (text: string, additions: Parameters<typeof mergedHost>[1] = ADDITIONS): string | null =>
  mergedHost(Buffer.from(text), additions);

describe('a host document with servers added', () => {
  it('that is new', () => {
    expect(newHost(ADDITIONS)).to.equal(
      '{\n  "install": {\n    "desk": {"source": "mcp"}\n  },\n  "credentials": {\n    "key": {"env": "KEY"}\n  }\n}\n',
    );
  });

  it('keeps every byte that it had', () => {
    const text =
      '{\n  "$schema": "x",\n  "install": {\n    "a":   {"n": 1.50}\n  },\n  "credentials": {"c": {"env": "C"}}\n}\n';
    expect(merged(text)).to.equal(
      '{\n  "$schema": "x",\n  "install": {\n    "a":   {"n": 1.50},\n    "desk": {"source": "mcp"}\n  },\n  "credentials": {"c": {"env": "C"},\n    "key": {"env": "KEY"}\n  }\n}\n',
    );
  });

  for (const text of ['{"install":{}}', '{"install":{"é":{}},"limits":{}}', '{ "credentials": {}, "install": {\n} }'])
    it(`is JSON that holds what it had and what is added: ${text.replaceAll('\n', ' ')}`, () => {
      const before = JSON.parse(text);
      expect(JSON.parse(merged(text) ?? '')).to.deep.equal({
        ...before,
        install: { ...before.install, desk: { source: 'mcp' } },
        credentials: { ...before.credentials, key: { env: 'KEY' } },
      });
    });

  it('is the same where nothing is added', () => {
    const text = '{"install": {} }';
    expect(merged(text, { install: new Map(), credentials: new Map() })).to.equal(text);
  });

  it('is none where it is no host document', () => {
    for (const text of ['[]', '{', '{"install": 1}', '{"install": {}, "credentials": []}'])
      expect(merged(text), text).to.equal(null);
  });
});
