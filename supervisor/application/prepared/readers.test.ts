import { expect } from 'chai';
import { memoryReader } from './memory-reader.ts';
import { recordedReader } from './recorded-reader.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe('documents in memory (gateway.md §16)', () => {
  it('are read by their names, below their place and nowhere else', async () => {
    const files = new Map([
      ['svc.json', text('{}')],
      ['lib/a.clj', text('abc')],
    ]);
    const reader = memoryReader(files);
    const named = await reader.readNamed('svc.json', 10);
    const directory = named.ok ? named.file.directory : '';
    expect(await reader.readReference(directory, 'lib/a.clj', 1)).to.deep.equal({
      ok: true,
      file: { path: `${directory}/lib/a.clj`, directory: `${directory}/lib`, bytes: text('ab') },
    });
    for (const path of ['lib', '../svc.json', '/etc/hostname', ''])
      expect(await reader.readNamed(path, 10), path).to.deep.equal({ ok: false, fault: 'missing' });
    for (const reference of ['../svc.json', 'svc.json/', 'SVC.json'])
      expect(await reader.readReference(directory, reference, 10), reference).to.deep.equal({
        ok: false,
        fault: 'missing',
      });
  });

  it('are the bytes that were given, whatever becomes of those', async () => {
    const bytes = text('abc');
    const files = new Map([['a', bytes]]);
    const reader = memoryReader(files);
    bytes.fill(0);
    files.clear();
    expect(await reader.readNamed('a', 3))
      .to.have.nested.property('file.bytes')
      .that.deep.equals(text('abc'));
  });

  it('have logical names', () => {
    for (const name of ['', '/a', 'A', '../a', 'a//b', '.a'])
      expect(() => memoryReader(new Map([[name, text('')]])), name).to.throw(TypeError);
    expect(() => memoryReader(new Map([['a', Object('text')]]))).to.throw(TypeError);
  });
});

describe('a record of what was read', () => {
  it('answers what was asked before as it was answered, and nothing else', async () => {
    const files = new Map([
      ['a', text('one')],
      ['b', text('two')],
    ]);
    let reads = 0;
    const memory = memoryReader(files);
    const reader = recordedReader({
      readNamed: (path, limit) => {
        reads += 1;
        return memory.readNamed(path, limit);
      },
      readReference: (directory, reference, limit) => memory.readReference(directory, reference, limit),
    });
    const first = await reader.readNamed('a', 3);
    const missing = await reader.readNamed('c', 3);
    await reader.readNamed('a', 3);
    const record = reader.record();
    expect([await record.readNamed('a', 3), await record.readNamed('c', 3), reads]).to.deep.equal([first, missing, 2]);
    expect(await record.readNamed('b', 3)).to.deep.equal({ ok: false, fault: 'missing' });
    expect(await record.readReference('/application', 'a', 3)).to.deep.equal({ ok: false, fault: 'missing' });
  });
});
