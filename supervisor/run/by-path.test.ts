import { randomFillSync } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';
import { expect } from 'chai';
import { newRunReference } from '../../contract/run-reference.ts';
import { initialize } from '../api/initialize.ts';
import { nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { plainApplication } from './testing/run-fixture.ts';
import { useRuns } from './testing/run-harness.ts';

/** Elsewhere than on Linux no directory can be addressed by its descriptor (runtime.md §15.3). */
describe('a machine that addresses directories by path', () => {
  const runs = useRuns();
  const fileSystem = nodeFileSystem(null);

  for (const artifactClass of ['normal', 'private'] as const) {
    it(`${artifactClass} runs publish all they are asked for, one after the other, and leave nothing else`, async () => {
      const application = plainApplication({ artifactClass });
      const request = (at: string) => ({
        project: { root: `${at}/.svc`, trace: true, inspection: true, result: true, envelope: true },
      });
      for (let run = 1; run <= 2; run += 1) {
        const done = await runs.run({ application, request, tools: { fileSystem } });
        expect(done.envelope).to.have.property('status', 'ok');
        expect(done).to.have.property('projectEnvelope', 'written');
        const suffix = artifactClass === 'private' ? '.private' : '';
        expect(await readFile(`${runs.root}/.svc/results/${done.runRef}${suffix}.json`, 'utf8')).to.equal(
          '{"greeting":"hello world"}',
        );
        for (const [folder, files] of [
          ['traces', run],
          ['inspection', run],
          ['results', run],
          ['envelopes', run],
        ] as const) {
          expect(await readdir(`${runs.root}/.svc/${folder}`), folder).to.have.length(files);
        }
        expect(await readdir(`${runs.root}/.svc`)).to.have.members(['envelopes', 'inspection', 'results', 'traces']);
        expect(await runs.leftovers()).to.deep.equal([]);
      }
    });
  }

  it('init publishes a whole tree', async () => {
    const directory = `${runs.root}/app`;
    const done = await initialize({
      runRef: newRunReference(randomFillSync),
      directory,
      example: null,
      trees: async () => null,
      fileSystem,
    });
    expect(done.end).to.have.property('status', 'ok');
    expect((await stat(directory)).mode & 0o777).to.equal(0o700);
    expect(await readdir(runs.root)).to.deep.equal(['app']);
  });
});
