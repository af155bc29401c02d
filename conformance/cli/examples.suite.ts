import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { validEnvelope } from './envelope-check.ts';
import { mismatches } from './match.ts';
import { runToEnd } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
/** The list of cli.md §8. */
const LLM_REPLAY = ['.gitignore', 'AGENTS.md', 'README.md', 'svc-host.json', 'svc-project.json', 'svc.json', 'replay.jsonl', 'workflow.clj'];
/** Not what runs in it left behind, and nobody's credentials. */
const isOfExample = (path: string): boolean => !/^(?:\.env|\.svc|\.svc-private-.*)$/.test(basename(path));
const FROZEN = 'Customers can now cancel an order at any time before it is packed.';

describe('svc init --example (cli.md §8, §9)', () => {
  let directory: string;
  beforeEach(() => { directory = makeWorkDirectory(); });
  afterEach(() => { removeWorkDirectory(directory); });

  describe('llm-replay', () => {
    const init = async (...more: readonly string[]) => runToEnd({ argv: [...more, 'init', 'app', '--example', 'llm-replay'], directory });

    it('creates its published list, for its owner alone', async () => {
      const envelope = validEnvelope((await init('--json')).stdout);
      expect(envelope).to.deep.include({ command: 'init', status: 'ok', result: { created: LLM_REPLAY } });
      const names = [...snapshot(directory).keys()].filter((path) => path !== 'app/').map((path) => path.replace('app/', ''));
      expect(names).to.have.members(LLM_REPLAY);
    });

    it('is valid as it stands', async () => {
      await init();
      const { status, stderr } = await runToEnd({ argv: ['validate', 'app/svc-project.json'], directory });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    });

    it('holds the answer to the request of its workflow', async () => {
      await init();
      expect(readFileSync(join(directory, 'app/replay.jsonl'), 'utf8')).to.include(FROZEN);
    });
  });

  /** Tree, project of the step, and the value of cli.md §9, texts of refusals apart. */
  const steps: readonly (readonly [string, string, Readonly<Record<string, unknown>>])[] = [
    ['kernel-tutorial', '01-orders', { order_count: 3, paid_count: 2, paid_total: 335.75, pending_ids: ['A-101'] }],
    ['support-triage', 'mission-boundary-check', {
      granted: { mission: 'triage', tickets_visible: 6, probe_priority: 55 },
      denied: { mission: 'escalation', mission_data: { $matches: '.*data/tickets.*' }, mission_component: { $matches: '.*tickets.*' } },
    }],
  ];
  for (const [tree, step, value] of steps) {
    it(`${tree}, ${step} gives its value without a provider`, async () => {
      cpSync(join(EXAMPLES, tree), join(directory, tree), { recursive: true, filter: isOfExample });
      const { status, stdout, stderr } = await runToEnd({ argv: ['run', `${tree}/${step}.svc-project.json`], directory });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
      expect(mismatches(value, JSON.parse(stdout), '')).to.deep.equal([]);
    });
  }

  const tutorial = (step: string, ...more: readonly string[]): readonly string[] => [`kernel-tutorial/${step}.svc-project.json`, ...more];
  const valid: readonly (readonly string[])[] = [
    ...['02-deepseek-extract', '06-cost-budget', '07-parallel-fan-out'].map((step) => tutorial(step)),
    ...['02-deepseek-extract', '07-parallel-fan-out'].map((step) => tutorial(step, '--host-config', `kernel-tutorial/${step}/svc-host.replay.json`)),
  ];
  for (const argv of valid) {
    it(`svc validate ${argv.join(' ')}`, async () => {
      cpSync(join(EXAMPLES, 'kernel-tutorial'), join(directory, 'kernel-tutorial'), { recursive: true, filter: isOfExample });
      const { status, stderr } = await runToEnd({ argv: ['validate', ...argv], directory });
      expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    });
  }

  it('gives no tree in part', async () => {
    const { status, stderr } = await runToEnd({ argv: ['init', 'app', '--example', 'kernel-tutorial'], directory });
    expect({ status, files: [...snapshot(directory).keys()] }).to.deep.equal({ status: 70, files: [] });
    expect(stderr).to.match(/this build does not contain the files of that example/);
  });
});
