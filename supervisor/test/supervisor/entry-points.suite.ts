import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = join(import.meta.dirname, '../../../dist');
const moduleUrl = (name: string): string => JSON.stringify(pathToFileURL(join(dist, `${name}.mjs`)).href);

/** A program that imports both entry points of the built package. */
function embedded(body: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import * as supervisor from ${moduleUrl('supervisor')}; import * as engine from ${moduleUrl('engine')};\n${body}`,
    ],
    { encoding: 'utf8' },
  );
}

describe('the two entry points of the built package', () => {
  it('throw and know one StoreError', () => {
    const { stdout, stderr } = embedded(`
      const thrown = [];
      for (const own of [supervisor, engine]) {
        const store = own.openDirectoryArtifacts('/proc/self');
        await store.read({ tenant: '../x', runRef: 'r', epoch: 1, name: 'n' }).catch((error) => thrown.push(error));
      }
      await engine.openPostgresJournal({ query() { return Promise.reject(new Error('away')); }, transaction() {},
        exclusively() {}, listen() {}, close() {} }).get('x').catch((error) => thrown.push(error));
      console.log(JSON.stringify([supervisor.StoreError === engine.StoreError,
        ...thrown.map((error) =>
          [error instanceof supervisor.StoreError, error instanceof engine.StoreError, error.name, error.fault])]));`);
    expect(stderr).to.equal('');
    expect(JSON.parse(stdout)).to.deep.equal([
      true,
      [true, true, 'StoreError', 'key_invalid'],
      [true, true, 'StoreError', 'key_invalid'],
      [true, true, 'StoreError', 'unavailable'],
    ]);
  });

  it('show an error that nobody caught in a few short lines, with the names of functions', () => {
    for (const [body, named] of [
      ["await supervisor.createSupervisor({ isolation: 'process_per_run' });", 'createSupervisor'],
      ["supervisor.defineCustomInstallation({ alias: 'A' });", 'defineCustomInstallation'],
      ["engine.newJob({ tenant: 'acme', applicationDigest: 'x', weight: 0 });", 'newJob'],
    ] as const) {
      const { status, stderr } = embedded(body);
      expect(status).to.equal(1);
      expect(stderr.length, stderr.slice(0, 300)).to.be.below(3000);
      expect(stderr)
        .to.contain(`at ${named === 'createSupervisor' ? 'async ' : ''}`)
        .and.to.contain(named);
    }
  });

  /** A text or a pattern is not cut: longer lines are those of one. */
  const LINE_BYTES = 3000;
  it('have no long lines, and neither have the other files of the program', () => {
    for (const name of readdirSync(dist).filter((file) => file.endsWith('.cjs'))) {
      const longest = Math.max(
        ...readFileSync(join(dist, name), 'utf8')
          .split('\n')
          .map((line) => line.length),
      );
      expect(longest, name).to.be.below(LINE_BYTES);
    }
  });
});
