import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect } from 'chai';
import { createDocumentReader } from './document-reader.ts';
import { nodeDocumentFiles } from './file-system.ts';
import { memoryFileSystem, type MemoryEntry, type MemoryFileSystem } from './testing/memory-file-system.ts';

const LIMIT = 10;

function below(entries: Readonly<Record<string, MemoryEntry>>, reference: string) {
  return createDocumentReader(memoryFileSystem(entries), '/').readReference('/app', reference, LIMIT);
}

async function verdict(reading: ReturnType<typeof below>): Promise<string> {
  const read = await reading;
  return read.ok ? new TextDecoder().decode(read.file.bytes) : `refused: ${read.fault}`;
}

describe('safe reading of references (documents.md §2)', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, MemoryEntry>>, string, string])[] = [
    ['reads a file', { '/app/a': 'text' }, 'a', 'text'],
    ['reads a file in a folder', { '/app/d/a': 'text' }, 'd/a', 'text'],
    ['stops one byte after the limit', { '/app/a': 'x'.repeat(40) }, 'a', 'x'.repeat(LIMIT + 1)],
    ['refuses a missing file', { '/app/b': '' }, 'a', 'refused: missing'],
    ['refuses a directory', { '/app/d/a': '' }, 'd', 'refused: irregular'],
    ['refuses a device or pipe', { '/app/a': { special: true } }, 'a', 'refused: irregular'],
    ['refuses a file in place of a folder', { '/app/a': '' }, 'a/b', 'refused: missing'],
    ['follows a link inside the root', { '/app/a': { link: 'd/b' }, '/app/d/b': 'text' }, 'a', 'text'],
    ['follows an absolute link inside the root', { '/app/a': { link: '/app/b' }, '/app/b': 'text' }, 'a', 'text'],
    ['follows a linked folder', { '/app/l': { link: 'd' }, '/app/d/a': 'text' }, 'l/a', 'text'],
    ['follows a link up and down inside the root', { '/app/d/l': { link: '../b' }, '/app/b': 'text' }, 'd/l', 'text'],
    ['refuses a link out of the root', { '/app/a': { link: '../out' }, '/out': 'text' }, 'a', 'refused: escape'],
    [
      'refuses an absolute link out of the root',
      { '/app/a': { link: '/out' }, '/out': 'text' },
      'a',
      'refused: escape',
    ],
    [
      'refuses a sibling that shares the prefix',
      { '/app/a': { link: '/app2/b' }, '/app2/b': 'x' },
      'a',
      'refused: escape',
    ],
    ['refuses a way out and back in', { '/app/a': { link: '../app/b' }, '/app/b': 'text' }, 'a', 'refused: escape'],
    ['refuses a loop', { '/app/a': { link: 'b' }, '/app/b': { link: 'a' } }, 'a', 'refused: unusable'],
    ['refuses an empty segment', { '/app/a': 'text' }, 'd//a', 'refused: unusable'],
    ['refuses a parent segment', { '/app/a': 'text' }, 'd/../a', 'refused: unusable'],
    ['refuses a NUL', { '/app/a': 'text' }, 'a\0', 'refused: unusable'],
  ];
  for (const [title, entries, reference, expected] of cases) {
    it(title, async () => {
      expect(await verdict(below({ '/app/.keep': '', ...entries }, reference))).to.equal(expected);
    });
  }

  it('follows sixteen links, not seventeen', async () => {
    const chain = (links: number) => ({
      ...Object.fromEntries(Array.from({ length: links }, (_, index) => [`/app/l${index}`, { link: `l${index + 1}` }])),
      [`/app/l${links}`]: 'text',
    });
    expect(await verdict(below(chain(16), 'l0'))).to.equal('text');
    expect(await verdict(below(chain(17), 'l0'))).to.equal('refused: unusable');
  });

  it('refuses a file, a parent or a descriptor that changes at any moment', async () => {
    const tree = () => memoryFileSystem({ '/app/d/a': 'text' });
    const looks = await callsOf(tree());
    for (const target of ['/app/d/a', '/app/d', '/app']) {
      for (let moment = 0; moment <= looks.lastIndexOf(target); moment += 1) {
        const files = tree();
        let calls = 0;
        files.before = () => {
          if (calls === moment) files.set(target, target.endsWith('a') ? 'swapped' : { special: true });
          calls += 1;
          return null;
        };
        // Before the first look the changed tree is simply another tree; afterwards a change never goes unseen.
        const reading = createDocumentReader(files, '/').readReference('/app', 'd/a', LIMIT);
        const outcome = await verdict(reading);
        if (moment > looks.indexOf(target)) expect(outcome).to.equal('refused: unusable');
        else expect(outcome).to.be.oneOf(['swapped', 'refused: unusable', 'refused: missing']);
      }
    }
  });

  it('refuses when any call fails', async () => {
    const tree = () => memoryFileSystem({ '/app/d/a': 'text' });
    const count = (await callsOf(tree())).length;
    for (let moment = 1; moment <= count; moment += 1) {
      const files = tree();
      let calls = 0;
      files.before = () => {
        calls += 1;
        return calls === moment ? { ok: false, fault: 'denied' } : null;
      };
      const reading = createDocumentReader(files, '/').readReference('/app', 'd/a', LIMIT);
      expect(await verdict(reading)).to.equal('refused: unusable');
    }
  });

  it('opens a file once, whatever names lead to it', async () => {
    const files = memoryFileSystem({ '/app/a': 'text', '/app/l': { link: 'a' } });
    const reader = createDocumentReader(files, '/app');
    const reads = [
      await reader.readReference('/app', 'a', LIMIT),
      await reader.readReference('/app', 'l', LIMIT),
      await reader.readNamed('a', LIMIT),
    ];
    expect(reads.every((read) => read.ok && read.file.path === '/app/a')).to.equal(true);
    expect(files.opened).to.deep.equal(['/app/a']);
  });

  it('names the directory of the target, not of the link', async () => {
    const files = memoryFileSystem({ '/home/link': { link: '/srv/app/svc.json' }, '/srv/app/svc.json': '{}' });
    const read = await createDocumentReader(files, '/home').readNamed('link', LIMIT);
    expect(read.ok && read.file.directory).to.equal('/srv/app');
  });
});

/** The paths of all calls that reading one file takes. */
async function callsOf(files: MemoryFileSystem): Promise<readonly string[]> {
  const calls: string[] = [];
  files.before = (_operation, path) => {
    calls.push(path);
    return null;
  };
  await createDocumentReader(files, '/').readReference('/app', 'd/a', LIMIT);
  return calls;
}

describe('the machine’s file system (documents.md §2)', () => {
  let root: string;
  beforeEach(async () => {
    root = await realpath(await mkdtemp(`${tmpdir()}/svc-documents-`));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const read = (reference: string) =>
    verdict(createDocumentReader(nodeDocumentFiles, root).readReference(root, reference, LIMIT));

  it('reads files and links, and refuses all else', async () => {
    await mkdir(`${root}/d`);
    await writeFile(`${root}/d/a`, 'text');
    await writeFile(`${root}/long`, 'x'.repeat(100));
    await writeFile(`${root}/empty`, '');
    await symlink('d/a', `${root}/inside`);
    await symlink('/etc/hostname', `${root}/outside`);
    expect(await read('d/a')).to.equal('text');
    expect(await read('inside')).to.equal('text');
    expect(await read('long')).to.equal('x'.repeat(LIMIT + 1));
    expect(await read('empty')).to.equal('');
    expect(await read('outside')).to.equal('refused: escape');
    expect(await read('d')).to.equal('refused: irregular');
    expect(await read('none')).to.equal('refused: missing');
    expect(await verdict(createDocumentReader(nodeDocumentFiles, root).readReference('/dev', 'null', LIMIT))).to.equal(
      'refused: irregular',
    );
  });
});
