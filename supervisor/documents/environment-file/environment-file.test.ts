import { expect } from 'chai';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { nodeDocumentFiles } from '../file-system.ts';
import { removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { ENVIRONMENT_FILE_BYTES, loadEnvironmentFile } from './load.ts';
import { parseEnvironmentFile } from './parse.ts';

describe('lines of an environment file (providers.md §4)', () => {
  const read: readonly (readonly [string, Readonly<Record<string, string>> | null])[] = [
    ['', {}],
    ['\n  \n# A=1\n   # B=2\n', {}],
    ['A=1\nB = two words \r\nC=', { A: '1', B: 'two words', C: '' }],
    ['A=1\nA=2\n', { A: '2' }],
    ['A="  1 "\nB=\'x\'\nC="\'y\'"', { A: '  1 ', B: 'x', C: "'y'" }],
    ['A="\nB="x\nC=\'"\nD=""', { A: '"', B: '"x', C: '\'"', D: '' }],
    ['A=$HOME\\n#c', { A: '$HOME\\n#c' }],
    ['A=b=c', { A: 'b=c' }],
    ['_a9=1', { _a9: '1' }],
    ['\ufeffA=1', { A: '1' }],
    ['__proto__=1', { ['__proto__']: '1' }],
    ['A', null],
    ['=1', null],
    ['9A=1', null],
    ['A B=1', null],
    ['export A=1', null],
    ['A-B=1', null],
    ['Ä=1', null],
    ['A=1\nbroken', null],
  ];
  for (const [text, expected] of read) {
    it(JSON.stringify(text), () => {
      const values = parseEnvironmentFile(text);
      expect(typeof values === 'number' ? null : [...values]).to.deep.equal(
        expected === null ? null : Object.entries(expected),
      );
    });
  }

  it('numbers the first line that is none', () => {
    for (const [text, line] of [
      ['A', 1],
      ['A=1\nbroken', 2],
      ['\ufeff# c\r\n\r\nA=1\nB C=2\nD', 4],
    ] as const)
      expect(parseEnvironmentFile(text)).to.equal(line);
  });

  it('never throws, and gives names of variables only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const values = parseEnvironmentFile(text);
        for (const name of typeof values === 'number' ? [] : values.keys())
          expect(name).to.match(/^[A-Za-z_][A-Za-z0-9_]*$/);
      }),
    );
  });
});

describe('the environment file of a command (interface.md §2.5, providers.md §4)', () => {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => {
    await removeScratch(root);
  });

  const load = async (path: string): Promise<string> => {
    const loaded = await loadEnvironmentFile(nodeDocumentFiles, root, { kind: 'named', path });
    return loaded.ok ? [...loaded.value].map((pair) => pair.join('=')).join() : loaded.diagnostic.code;
  };

  it('is read from the working directory or from where it is', async () => {
    await writeFile(`${root}/.env`, 'A=1\nB=2');
    await symlink('.env', `${root}/link`);
    for (const path of ['.env', `${root}/.env`, 'link']) expect(await load(path)).to.equal('A=1,B=2');
  });

  const refusals: readonly (readonly [string, string, () => Promise<unknown>])[] = [
    ['absent', 'environment_file_not_found', async () => undefined],
    ['a link to nothing', 'environment_file_not_found', async () => symlink('nothing', `${root}/env`)],
    ['a directory', 'environment_file_not_regular', async () => mkdir(`${root}/env`)],
    [
      'a pipe',
      'environment_file_not_regular',
      async () => execFileSync('/bin/sh', ['-c', 'mkfifo "$0"', `${root}/env`]),
    ],
    ['a device', 'environment_file_not_regular', async () => symlink('/dev/zero', `${root}/env`)],
    ['a link to itself', 'environment_file_unreadable', async () => symlink('env', `${root}/env`)],
    [
      'too large',
      'environment_file_too_large',
      async () => writeFile(`${root}/env`, `A=${'x'.repeat(ENVIRONMENT_FILE_BYTES - 1)}`),
    ],
    [
      'no UTF-8',
      'environment_file_invalid_utf8',
      async () => writeFile(`${root}/env`, Uint8Array.of(0x41, 0x3d, 0xff)),
    ],
    ['a malformed line', 'environment_file_invalid', async () => writeFile(`${root}/env`, 'A')],
    [
      'too large and no UTF-8',
      'environment_file_too_large',
      async () => writeFile(`${root}/env`, new Uint8Array(ENVIRONMENT_FILE_BYTES + 1).fill(0xff)),
    ],
  ];
  for (const [what, code, prepare] of refusals) {
    it(`is refused: ${what}`, async () => {
      await prepare();
      expect(await load('env')).to.equal(code);
    });
  }

  it('says which file, which line and where it is looked for, and nothing of what stands there', async () => {
    await writeFile(`${root}/env`, 'A=1\nSECRET 2');
    const loadText = async (name: Parameters<typeof loadEnvironmentFile>[2]) => {
      const loaded = await loadEnvironmentFile(nodeDocumentFiles, root, name);
      return loaded.ok ? null : loaded.advice?.faults?.faults[0];
    };
    expect(await loadText({ kind: 'named', path: `${root}/env` })).to.deep.include({
      place: { file: 'env', line: 2, column: 1, within: null, excerpt: null },
      problem: null,
    });
    await writeFile(`${root}/bytes`, Uint8Array.of(0x41, 0x3d, 0x0a, 0x42, 0x3d, 0xff, 0x0a, 0x43));
    expect(await loadText({ kind: 'named', path: `${root}/bytes` })).to.deep.include({
      place: { file: 'bytes', line: 2, column: 1, within: null, excerpt: null },
      remedy: 'save it as UTF-8',
    });
    expect(await loadText({ kind: 'named', path: `${root}/none` })).to.deep.include({
      problem: 'none does not exist',
      remedy: 'check the name: --env-file is looked for in the working directory',
    });
    expect(await loadText({ kind: 'below', directory: root, reference: 'conf/.env' }))
      .to.have.property('remedy')
      .that.matches(/host\.env_file of the project: it is looked for in the folder of the project$/);
  });

  it('may have 1,000,000 bytes', async () => {
    const text = `A=${'x'.repeat(ENVIRONMENT_FILE_BYTES - 2)}`;
    await writeFile(`${root}/env`, text);
    expect(await load('env')).to.equal(text);
  });
});
