import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { nearestFile } from './nearest-file.ts';

describe('the file that a mistyped path may have meant', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-nearest-'));
    for (const name of ['svc.json', 'svc-project.json', 'main.clj']) writeFileSync(join(folder, name), '');
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [typed, target] of [
    ['svc.jsn', 'svc.json'],
    ['svc-projct.json', 'svc-project.json'],
    ['mian.clj', 'main.clj'],
    ['orders.csv', null],
    ['none/svc.json', null],
    ['main.clj/svc.json', null],
    ['a\0b', null],
  ] as const)
    it(`${JSON.stringify(typed)}: ${String(target)}`, () => {
      expect(nearestFile(join(folder, typed))).to.equal(target);
    });
});
