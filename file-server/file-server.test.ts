import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grantOf } from './arguments.ts';
import { readText, writeText } from './granted-files.ts';
import type { Grant } from './granted-files.ts';
import { pageOf } from './pages.ts';

describe('files that svc-fs-mcp grants', () => {
  let folder = '';
  let grant: Grant;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-files-')));
    mkdirSync(join(folder, 'root/deep'), { recursive: true });
    writeFileSync(join(folder, 'root/a.txt'), 'one\ntwo\nthree');
    writeFileSync(join(folder, 'root/deep/b.txt'), 'b');
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    grant = { root: join(folder, 'root'), include: [], maxWriteBytes: 10 };
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are read, with a digest that changes with them', () => {
    const before = readText(grant, 'a.txt');
    expect(before.lines).to.deep.equal(['one', 'two', 'three']);
    expect(before.hash).to.match(/^sha256:[0-9a-f]{64}$/);
    expect(readText(grant, 'deep/b.txt').lines).to.deep.equal(['b']);
    writeText(grant, 'a.txt', 'new');
    expect(readText(grant, 'a.txt').hash).to.not.equal(before.hash);
  });

  const outside: readonly (readonly [string, string])[] = [
    ['a way up', '../secret.txt'], ['a way up inside', 'deep/../../secret.txt'], ['an absolute path', '/etc/passwd'], ['nothing', ''], ['a folder', 'deep'],
    ['a file that is not there', 'none.txt'], ['a folder that is not there', 'none/a.txt'], ['a NUL', 'a.txt\0'], ['a backslash', 'deep\\b.txt'],
    ['a link', 'link.txt'], ['a linked folder', 'up/secret.txt'], ['a pipe', 'pipe'], ['a path without end', 'a/'.repeat(600)], ['what is no text', 'bytes'], ['a dot', './a.txt'],
  ];
  for (const [what, path] of outside) {
    it(`are not ${what}, to read or to write`, () => {
      symlinkSync(join(folder, 'secret.txt'), join(folder, 'root/link.txt'));
      symlinkSync(folder, join(folder, 'root/up'));
      execFileSync('mkfifo', [join(folder, 'root/pipe')]);
      writeFileSync(join(folder, 'root/bytes'), Buffer.from([0xff, 0xfe]));
      expect(() => readText(grant, path)).to.throw().with.property('message').that.does.not.include(folder);
      if (path === 'none.txt' || path === 'bytes') return;
      expect(() => writeText(grant, path, 'x')).to.throw();
      expect(readFileSync(join(folder, 'secret.txt'), 'utf8')).to.equal('secret');
    });
  }

  it('are those that a pattern names, if there is one', () => {
    const only = { ...grant, include: ['*.txt'] };
    expect(readText(only, 'a.txt').lines).to.have.lengthOf(3);
    expect(() => readText(only, 'deep/b.txt')).to.throw('not granted');
    expect(readText({ ...only, include: ['*.md', 'deep/**'] }, 'deep/b.txt').lines).to.deep.equal(['b']);
  });

  it('are written up to their bytes, whole, for their owner alone, and nothing is left beside them', () => {
    for (const bytes of [9, 10]) expect(writeText(grant, 'new.txt', 'x'.repeat(bytes))).to.equal(bytes);
    expect(() => writeText(grant, 'new.txt', 'x'.repeat(11))).to.throw('at most 10 bytes');
    expect(() => writeText(grant, 'new.txt', 'ä'.repeat(6))).to.throw('at most 10 bytes');
    expect(readFileSync(join(folder, 'root/new.txt'), 'utf8')).to.equal('x'.repeat(10));
    expect(statSync(join(folder, 'root/new.txt')).mode & 0o777).to.equal(0o600);
    expect(readdirSync(join(folder, 'root')).toSorted()).to.deep.equal(['a.txt', 'deep', 'new.txt']);
  });

  it('are not written without leave', () => expect(() => writeText({ ...grant, maxWriteBytes: null }, 'a.txt', 'x')).to.throw('nothing may be written'));

  it('come in pages that lead through all of them', () => {
    const file = { lines: ['1', '2', '3', '4', '5'], hash: 'h' };
    expect(pageOf(file, null, 2)).to.deep.equal({ items: ['1', '2'], snapshot_hash: 'h', next_cursor: 'line-2' });
    expect(pageOf(file, 'line-2', 2)).to.deep.equal({ items: ['3', '4'], snapshot_hash: 'h', next_cursor: 'line-4' });
    expect(pageOf(file, 'line-4', 2)).to.deep.equal({ items: ['5'], snapshot_hash: 'h', next_cursor: null });
    expect(pageOf({ ...file, lines: ['x'.repeat(70_000), 'y'] }, null, 9)).to.deep.include({ next_cursor: 'line-1' });
    for (const cursor of ['', 'line-5', 'line-x', 'line-1.5', '2']) expect(() => pageOf(file, cursor, 2)).to.throw('no such cursor');
  });

  it('are what the arguments say', () => {
    const root = join(folder, 'root');
    expect(grantOf(['--root', root])).to.deep.equal({ root, include: [], maxWriteBytes: null });
    expect(grantOf(['--root', root, '--include', '*.md', '--include', '*.txt', '--max-write-bytes', '5'])).to.deep.equal({ root, include: ['*.md', '*.txt'], maxWriteBytes: 5 });
    for (const argv of [[], ['--root', join(root, 'a.txt')], ['--root', join(root, 'none')], ['--root', root, '--max-write-bytes', '0'], ['--root', root, '--more'], ['--root', root, 'more']]) expect(grantOf(argv)).to.be.a('string');
  });
});
