import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { parseGrantArguments } from './arguments.ts';
import { MAX_READ_BYTES, readText, writeText, type FolderGrant } from './granted-files.ts';
import { PinnedFolder } from './pinned-folder.ts';
import { pageOf } from './pages.ts';
import { FileRefusal } from './refusal.ts';

describe('files that svc-fs-mcp grants', () => {
  let folder = '';
  let grant: FolderGrant;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-files-')));
    mkdirSync(join(folder, 'root/deep'), { recursive: true });
    writeFileSync(join(folder, 'root/a.txt'), 'one\ntwo\nthree');
    writeFileSync(join(folder, 'root/deep/b.txt'), 'b');
    writeFileSync(join(folder, 'secret.txt'), 'secret');
    grant = { root: new PinnedFolder(join(folder, 'root')), include: [], maxWriteBytes: 10 };
  });
  afterEach(() => {
    grant.root.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are read, with a digest that changes with them', () => {
    const before = readText(grant, 'a.txt');
    expect(before.lines).to.deep.equal(['one', 'two', 'three']);
    expect(before.hash).to.match(/^sha256:[0-9a-f]{64}$/);
    expect(readText(grant, 'deep/b.txt').lines).to.deep.equal(['b']);
    writeText(grant, 'a.txt', 'new');
    expect(readText(grant, 'a.txt').hash).to.not.equal(before.hash);
  });

  const outside: readonly (readonly [string, string])[] = [
    ['a way up', '../secret.txt'],
    ['a way up inside', 'deep/../../secret.txt'],
    ['an absolute path', '/etc/passwd'],
    ['nothing', ''],
    ['a folder', 'deep'],
    ['a file that is not there', 'none.txt'],
    ['a folder that is not there', 'none/a.txt'],
    ['a NUL', 'a.txt\0'],
    ['a backslash', 'deep\\b.txt'],
    ['a link', 'link.txt'],
    ['a linked folder', 'up/secret.txt'],
    ['a pipe', 'pipe'],
    ['a path without end', 'a/'.repeat(600)],
    ['a name that no file has', 'a'.repeat(300)],
    ['a file as a folder', 'a.txt/b'],
    ['what is no text', 'bytes'],
    ['a dot', './a.txt'],
  ];
  for (const [what, path] of outside) {
    it(`are not ${what}, to read or to write`, () => {
      symlinkSync(join(folder, 'secret.txt'), join(folder, 'root/link.txt'));
      symlinkSync(folder, join(folder, 'root/up'));
      execFileSync('mkfifo', [join(folder, 'root/pipe')]);
      writeFileSync(join(folder, 'root/bytes'), Buffer.from([0xff, 0xfe]));
      expect(() => readText(grant, path))
        .to.throw(FileRefusal)
        .with.property('message')
        .that.does.not.include(folder);
      if (path === 'none.txt' || path === 'bytes') return;
      expect(() => writeText(grant, path, 'x'))
        .to.throw(FileRefusal)
        .with.property('message')
        .that.does.not.match(/proc|svc-/);
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

  it('are not those that a link inside the folder leads to, whatever pattern has its name', () => {
    mkdirSync(join(folder, 'root/public'));
    symlinkSync('../deep', join(folder, 'root/public/in'));
    const only = { ...grant, include: ['public/**'] };
    expect(() => readText(only, 'public/in/b.txt')).to.throw(FileRefusal);
    expect(() => writeText(only, 'public/in/b.txt', 'x')).to.throw(FileRefusal);
    expect(readFileSync(join(folder, 'root/deep/b.txt'), 'utf8')).to.equal('b');
  });

  for (const [where, descriptors] of [
    ['descriptors lead', '/proc/self/fd'],
    ['only paths lead', null],
  ] as const) {
    it(`stay those of a folder that was swapped for a link while it was held: ${where} to it`, () => {
      const root = new PinnedFolder(join(folder, 'root'), descriptors);
      const deep = root.enter('deep');
      renameSync(join(folder, 'root/deep'), join(folder, 'root/moved'));
      symlinkSync(folder, join(folder, 'root/deep'));
      if (descriptors === null)
        expect(() => deep.entry('b.txt'))
          .to.throw()
          .with.property('code', 'ESTALE');
      else expect([deep.entry('b.txt')?.isFile, deep.entry('secret.txt')]).to.deep.equal([true, null]);
      expect(() => root.enter('deep')).to.throw();
      for (const pinnedFolder of [deep, root]) pinnedFolder.close();
    });
  }

  it('stay those of the folder while another program swaps it for a link: 4000 attempts, 100 swaps', async () => {
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'outside/b.txt'), 'outside');
    symlinkSync('../outside', join(folder, 'root/link'));
    const swaps = new Int32Array(new SharedArrayBuffer(8));
    // Each round puts the link in the place of the folder, and the folder back.
    const swapper = new Worker(
      `const { renameSync } = require('node:fs'); const { workerData: { root, swaps } } = require('node:worker_threads');
      const move = (from, to) => renameSync(root + '/' + from, root + '/' + to);
      while (Atomics.load(swaps, 1) === 0) { move('deep', 'kept'); move('link', 'deep'); move('deep', 'link');
        move('kept', 'deep'); Atomics.add(swaps, 0, 1); Atomics.notify(swaps, 0); }`,
      { eval: true, workerData: { root: join(folder, 'root'), swaps } },
    );
    const ended = new Promise((resolve) => {
      swapper.once('exit', resolve);
    });
    Atomics.wait(swaps, 0, 0);
    const seen = new Set<string>();
    for (let attempt = 0; attempt < 4000 || Atomics.load(swaps, 0) < 100 || seen.size < 2; attempt += 1) {
      try {
        if (attempt % 2 === 0) seen.add(readText(grant, 'deep/b.txt').lines.join('\n'));
        else writeText(grant, 'deep/b.txt', 'b');
      } catch (error) {
        if (!(error instanceof FileRefusal)) throw error;
        seen.add('refused');
      }
    }
    Atomics.store(swaps, 1, 1);
    await ended;
    expect([...seen].toSorted()).to.deep.equal(['b', 'refused']);
    expect(readFileSync(join(folder, 'outside/b.txt'), 'utf8')).to.equal('outside');
    expect(readdirSync(join(folder, 'outside'))).to.deep.equal(['b.txt']);
  });

  it('keep their rights when they are written, and their owners where that is allowed', () => {
    const file = join(folder, 'root/a.txt');
    for (const mode of [0o644, 0o640, 0o600, 0o755]) {
      chmodSync(file, mode);
      writeText(grant, 'a.txt', 'x');
      expect(statSync(file).mode & 0o777).to.equal(mode);
    }
    // Only root may give files away; for everybody else the owner is the same before and after.
    if (process.getuid?.() === 0) chownSync(file, 65_534, 65_534);
    const { uid, gid } = statSync(file);
    writeText(grant, 'a.txt', 'y');
    expect(statSync(file)).to.deep.include({ uid, gid });
  });

  for (const [length, isRead] of [
    [MAX_READ_BYTES - 1, true],
    [MAX_READ_BYTES, true],
    [MAX_READ_BYTES + 1, false],
  ] as const) {
    it(`of ${String(length)} bytes are ${isRead ? '' : 'not '}read`, () => {
      writeFileSync(join(folder, 'root/long'), 'x'.repeat(length));
      if (isRead) expect(readText(grant, 'long').lines[0]).to.have.lengthOf(length);
      else expect(() => readText(grant, 'long')).to.throw(FileRefusal, 'longer than');
    });
  }

  it('are not written without leave', () =>
    expect(() => writeText({ ...grant, maxWriteBytes: null }, 'a.txt', 'x')).to.throw('nothing may be written'));

  it('come in pages that lead through all of them', () => {
    const file = { lines: ['1', '2', '3', '4', '5'], hash: 'h' };
    expect(pageOf(file, null, 2)).to.deep.equal({ items: ['1', '2'], snapshot_hash: 'h', next_cursor: 'line-2' });
    expect(pageOf(file, 'line-2', 2)).to.deep.equal({ items: ['3', '4'], snapshot_hash: 'h', next_cursor: 'line-4' });
    expect(pageOf(file, 'line-4', 2)).to.deep.equal({ items: ['5'], snapshot_hash: 'h', next_cursor: null });
    expect(pageOf({ ...file, lines: ['x'.repeat(70_000), 'y'] }, null, 9)).to.deep.include({ next_cursor: 'line-1' });
    for (const cursor of ['', 'line-5', 'line-x', 'line-1.5', '2'])
      expect(() => pageOf(file, cursor, 2)).to.throw('no such cursor');
  });

  it('are what the arguments say', () => {
    const root = join(folder, 'root');
    const granted = (...argv: readonly string[]): FolderGrant => {
      const input = parseGrantArguments(argv);
      if (typeof input === 'string') throw new Error(input);
      input.root.close();
      return input;
    };
    expect(granted('--root', root)).to.deep.include({ include: [], maxWriteBytes: null });
    expect(
      granted('--root', root, '--include', '*.md', '--include', '*.txt', '--max-write-bytes', '5'),
    ).to.deep.include({ include: ['*.md', '*.txt'], maxWriteBytes: 5 });
    for (const argv of [
      [],
      ['--root', ''],
      ['--root', join(root, 'a.txt')],
      ['--root', join(root, 'none')],
      ['--root', root, '--max-write-bytes', '0'],
      ['--root', root, '--more'],
      ['--root', root, 'more'],
    ])
      expect(parseGrantArguments(argv)).to.be.a('string');
  });
});
