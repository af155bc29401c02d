import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { validEnvelope } from './envelope-check.ts';
import { OFFERED, STEPS } from './examples/steps.ts';
import type { ExampleStep } from './examples/steps.ts';
import { mismatches } from './match.ts';
import { runToEnd } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
/** Not what runs in it left behind, and nobody's credentials. */
const isOfExample = (path: string): boolean => !/^(?:\.env|\.svc|\.svc-private-.*)$/.test(basename(path));

describe('svc init --example (cli.md §8, §9)', () => {
  let directory: string;
  beforeEach(() => { directory = makeWorkDirectory(); });
  afterEach(() => { removeWorkDirectory(directory); });

  /** The tree as `init` gives it; as it stands, where it is not whole yet. */
  const layOut = async (tree: string): Promise<void> => {
    if (tree in OFFERED) expect(await runToEnd({ argv: ['init', tree, '--example', tree], directory })).to.deep.include({ status: 0 });
    else {
      cpSync(join(EXAMPLES, tree), join(directory, tree), { recursive: true, filter: isOfExample });
      writeFileSync(join(directory, tree, '.env'), '');
    }
  };
  const offline = ({ tree, step, replay }: ExampleStep): readonly string[] => (replay === 'own host' ? ['--host-config', `${tree}/${step}/svc-host.replay.json`] : []);
  const project = ({ tree, step }: ExampleStep): string => `${tree}/${step === null ? '' : `${step}.`}svc-project.json`;

  for (const [tree, list] of Object.entries(OFFERED)) {
    it(`${tree}: the published list, for its owner alone`, async () => {
      const envelope = validEnvelope((await runToEnd({ argv: ['--json', 'init', 'app', '--example', tree], directory })).stdout);
      expect(envelope).to.deep.include({ command: 'init', status: 'ok', result: { created: list } });
      expect(readdirSync(join(directory, 'app'))).to.have.members([...list]);
    });
  }

  for (const example of STEPS) {
    const { tree, step, value, requests, exit = 0, failure } = example;
    const name = `${tree}${step === null ? '' : `, ${step}`}`;
    it(`${name} is valid, with its own host and offline`, async () => {
      await layOut(tree);
      for (const options of [[], offline(example)]) {
        const { status, stderr } = await runToEnd({ argv: ['validate', project(example), ...options], directory });
        expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      }
    });

    it(`${name} comes to its value without a network`, async () => {
      await layOut(tree);
      const { status, stdout, stderr } = await runToEnd({ argv: ['run', project(example), ...offline(example), '--inspect', 'run.svcins'], directory, environment: { OPENROUTER_API_KEY: 'none' } });
      if (failure === undefined) expect(stderr).to.equal('');
      else expect(stderr).to.include(failure);
      expect(status).to.equal(exit);
      if (value !== undefined) expect(mismatches(value, JSON.parse(stdout), '')).to.deep.equal([]);
      if (requests === 0) return;
      const fixtures = `${tree}/${step === null ? '' : `${step}/`}replay.jsonl`;
      const checked = await runToEnd({ argv: ['fixtures', 'check', '--fixtures', fixtures, '--inspection', 'run.svcins'], directory });
      expect(JSON.parse(checked.stdout)).to.deep.equal({ entries: requests, missing: [], unused: [], unused_answers: [] });
    });
  }

  it('every step of every tree is held to its value', () => {
    const projects = readdirSync(EXAMPLES).flatMap((tree) => readdirSync(join(EXAMPLES, tree)).filter((name) => name.endsWith('svc-project.json')).map((name) => `${tree}/${name}`));
    // The host of that one is a program of its own (integration/capabilities).
    expect(STEPS.map(project)).to.have.members(projects.filter((path) => path !== 'custom-capabilities/svc-project.json'));
  });

  const notOffered = readdirSync(EXAMPLES).filter((tree) => !(tree in OFFERED) && tree !== 'custom-capabilities');
  for (const tree of notOffered) {
    it(`gives no tree in part: ${tree}`, async () => {
      const { status, stderr } = await runToEnd({ argv: ['init', 'app', '--example', tree], directory });
      expect({ status, files: [...snapshot(directory).keys()] }).to.deep.equal({ status: 70, files: [] });
      expect(stderr).to.match(/this build does not contain the files of that example/);
      expect(existsSync(join(EXAMPLES, tree))).to.equal(true);
    });
  }
});
