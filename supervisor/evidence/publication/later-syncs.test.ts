import { expect } from 'chai';
import { fileFailure, type OpenFile } from './file-system.ts';
import { OWED_MAX, syncLater } from './later-syncs.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { contentsOf, removeScratch, scratchDirectory } from './testing/scratch.ts';

describe('syncs that follow their call (code-mode.md §8)', () => {
  let path = '';
  beforeEach(async () => {
    path = await scratchDirectory();
  });
  afterEach(async () => removeScratch(path));

  async function open(fault: string | null = null) {
    const [real, synced, closed, lost]: [ReturnType<typeof nodeFileSystem>, string[], string[], string[]] = [
      nodeFileSystem(),
      [],
      [],
      [],
    ];
    let due: (() => void) | null = null;
    let during = async (): Promise<void> => undefined;
    const watched = (file: OpenFile, name: string): OpenFile => ({
      ...file,
      sync: async () => {
        synced.push(name);
        await during();
        return fault === null ? file.sync() : fileFailure(fault);
      },
      close: async () => {
        closed.push(name);
        await file.close();
      },
    });
    const later = syncLater(
      {
        ...real,
        openDirectory: async (from) => {
          const opened = await real.openDirectory(from);
          if (!opened.ok) return opened;
          const inner = opened.value;
          const createFile: typeof inner.createFile = async (name, mode) => {
            const made = await inner.createFile(name, mode);
            return made.ok ? { ok: true, value: watched(made.value, name) } : made;
          };
          return { ok: true, value: { ...inner, createFile } };
        },
      },
      {
        after: (_, act) => {
          due = act;
          return () => {
            due = null;
          };
        },
        onLost: (errno) => lost.push(errno),
      },
    );
    const directory = await later.fileSystem.openDirectory(path);
    if (!directory.ok) throw new Error(directory.errno);
    const write = async (name: string): Promise<OpenFile> => {
      const made = await directory.value.createFile(name, 0o600);
      if (!made.ok) throw new Error(made.errno);
      await made.value.write(Buffer.from(name));
      expect(await made.value.sync()).to.deep.equal({ ok: true, value: null });
      await made.value.close();
      return made.value;
    };
    const meanwhile = (act: typeof during): void => {
      during = act;
    };
    return { meanwhile, later, directory: directory.value, write, synced, closed, lost, due: () => due };
  }

  it('leave files whole at once, and their descriptors open until they are done', async () => {
    const { later, write, synced, closed, due } = await open();
    await write('a');
    expect([await contentsOf(path), synced, closed]).to.deep.equal([{ a: 'a' }, [], []]);
    expect(due()).to.be.a('function');
    await later.settle();
    expect([synced, closed, due()]).to.deep.equal([['a'], ['a'], null]);
  });

  it('are done once for what is asked again, and not for what was removed', async () => {
    const { later, directory, write, synced, closed } = await open();
    await write('gone');
    await directory.removeFile('gone');
    expect(closed).to.deep.equal(['gone']);
    const made = await directory.createFile('b', 0o600);
    if (!made.ok) throw new Error(made.errno);
    await made.value.sync();
    await made.value.sync();
    await later.settle();
    expect([synced, closed]).to.deep.equal([['b'], ['gone']]);
    await made.value.close();
    expect(closed).to.deep.equal(['gone', 'b']);
  });

  it('are waited for where as many are owed as may be', async () => {
    const { write, synced } = await open();
    for (let count = 1; count < OWED_MAX; count += 1) await write(`f${count}`);
    expect(synced).to.have.length(0);
    await write('last');
    expect(synced).to.have.length(OWED_MAX);
    await write('next');
    expect(synced).to.have.length(OWED_MAX);
  });

  it('are owed to a file that goes on under another name', async () => {
    const { later, directory, write, synced } = await open();
    await write('staged');
    await directory.link(directory, 'staged', 'final');
    await directory.removeFile('staged');
    await later.settle();
    expect([synced, await contentsOf(path)]).to.deep.equal([['staged'], { final: 'staged' }]);
  });

  it('wait for what is written meanwhile, and no descriptor is used once it is closed', async () => {
    const { later, directory, meanwhile, write, synced, closed, lost } = await open();
    const made = await directory.createFile('a', 0o600);
    if (!made.ok) throw new Error(made.errno);
    await made.value.sync();
    await write('b');
    meanwhile(async () => {
      meanwhile(async () => undefined);
      await made.value.sync();
      await made.value.close();
      await directory.removeFile('b');
    });
    await later.settle();
    expect([synced, closed]).to.deep.equal([['a'], ['b']]);
    await later.settle();
    expect([synced, closed, lost]).to.deep.equal([['a', 'a'], ['b', 'a'], []]);
  });

  it('that fail are reported, once for a batch', async () => {
    const { later, write, lost, closed } = await open('EIO');
    await write('a');
    await write('b');
    await later.settle();
    await later.settle();
    expect([lost, closed]).to.deep.equal([['EIO'], ['a', 'b']]);
  });
});
