import { expect } from 'chai';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from './replace-file.ts';

describe('a file that is replaced', () => {
  let folder = '';
  const path = (name: string): string => join(folder, name);
  const modeOf = (name: string): number => statSync(path(name)).mode & 0o777;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-replaced-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('may be new', async () => {
    await replaceFile(path('a'), 'text', { ifNew: 0o640 });
    expect(readFileSync(path('a'), 'utf8')).to.equal('text');
    expect(modeOf('a')).to.equal(0o640);
    expect(readdirSync(folder)).to.deep.equal(['a']);
  });

  it('is as open as the one before, whatever the mask of the process, or exactly as open as is asked', async () => {
    writeFileSync(path('a'), 'before');
    chmodSync(path('a'), 0o666);
    await replaceFile(path('a'), new TextEncoder().encode('after'), { ifNew: 0o600 });
    expect(modeOf('a')).to.equal(0o666);
    await replaceFile(path('a'), 'again', { exactly: 0o600 });
    expect(modeOf('a')).to.equal(0o600);
    expect(readFileSync(path('a'), 'utf8')).to.equal('again');
  });

  it('stays a link where it is one', async () => {
    writeFileSync(path('real'), 'before');
    symlinkSync('real', path('link'));
    await replaceFile(path('link'), 'after', { ifNew: 0o600 });
    expect(lstatSync(path('link')).isSymbolicLink()).to.equal(true);
    expect(readFileSync(path('real'), 'utf8')).to.equal('after');
  });

  it('is as it was where it cannot be replaced, with nothing beside it', async () => {
    mkdirSync(path('a'));
    writeFileSync(join(path('a'), 'inside'), 'kept');
    const failure = await replaceFile(path('a'), 'text', { ifNew: 0o600 }).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    expect(readFileSync(join(path('a'), 'inside'), 'utf8')).to.equal('kept');
    expect(readdirSync(folder)).to.deep.equal(['a']);
  });

  it('throws what the system says where its folder is not there', async () => {
    const failure = await replaceFile(path('none/a'), 'text', { ifNew: 0o600 }).catch((error: unknown) => error);
    expect(failure).to.have.property('code', 'ENOENT');
  });
});
