import { expect } from 'chai';
import { documentLimits } from './fault.ts';
import { memberOf, valueOf } from './node.ts';
import { scanJson } from './scan.ts';

describe('scanJson', () => {
  it('leaves a repeated key to the reader, for whom the last one wins in its first place', () => {
    const scan = scanJson('{"a":1,"b":[{"c":1}],"a":{"c":3}}', documentLimits(100));
    expect(scan.ok && scan.duplicate).to.deep.equal({ kind: 'duplicate_key', offset: 21, pointer: '' });
    expect(scan.ok && valueOf(scan.root)).to.deep.equal(
      new Map<string, unknown>([
        ['a', new Map([['c', 3]])],
        ['b', [new Map([['c', 1]])]],
      ]),
    );
  });

  it('gives no duplicate where there is none', () => {
    const scan = scanJson('[{"a":1},{"a":1}]', documentLimits(100));
    expect(scan.ok && scan.duplicate).to.equal(null);
  });

  it('gives members by name', () => {
    const scan = scanJson('{"toString":1,"a":2}', documentLimits(100));
    const root = scan.ok && scan.root.kind === 'object' ? scan.root : null;
    expect(root === null ? null : memberOf(root, 'a')).to.include({ key: 'a', keyStart: 14, keyEnd: 17 });
    expect(root === null ? null : memberOf(root, 'toString')?.value).to.deep.include({ kind: 'integer', value: 1 });
    expect(root === null ? null : memberOf(root, 'constructor')).to.equal(undefined);
  });
});
