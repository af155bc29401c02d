/**
 * The core of the trial of agents (bench/agents): models that make a mistake, and follow only what they are told of it.
 */
import { expect } from 'chai';
import { MISTAKES } from '../../../bench/agents/clumsy/mistakes.ts';
import { startScriptedServer } from '../../../bench/agents/clumsy/server.ts';
import { playMistakes, taskOf } from '../../../bench/agents/clumsy/trial.ts';
import { play } from '../../../bench/agents/play.ts';
import { reportOf } from '../../../bench/agents/report.ts';
import { withSupervisor, writeScriptedHost } from '../../../bench/agents/trial.ts';

/** One of each kind, as quick as the whole must be. */
const NAMES = [
  'answer/two-calls',
  'answer/list-of-lines',
  'text/no-fence',
  'syntax/missing-within',
  'syntax/open-text',
  'name/camel-case-tool',
  'name/key-with-space',
  'name/key',
  'type/text-as-number',
  'argument/too-large',
  'argument/other-case',
  'argument/missing',
  'argument/no-map',
  'tool/bound',
  'tool/not-tried-again',
  'value/extra-key',
  'seen/counted-by-eye',
];

const chosen = MISTAKES.filter(({ name }) => NAMES.includes(name));

describe('a clumsy model (world.md §4)', () => {
  it('corrects each mistake in the turn after it, by what it is told alone', async () => {
    const report = await withSupervisor(async (supervisor, folder) => playMistakes(supervisor, folder, chosen));
    expect(report.mistakes.map(({ mistake }) => mistake)).to.have.members(NAMES);
    const missed = report.mistakes.filter(({ isCorrected }) => !isCorrected);
    expect(missed.map(({ mistake, played }) => [mistake, played.turns])).to.deep.equal([]);
    expect(report.corrected).to.include({ successes: NAMES.length, runs: NAMES.length });
  });

  it('is right or wrong by what its run came to, and has turns and tokens in the report', async () => {
    const runs = await withSupervisor(async (supervisor, folder) => {
      const server = await startScriptedServer();
      try {
        const host = await writeScriptedHost(folder, server.url);
        const [first] = chosen;
        if (first === undefined) throw new Error('no mistake is chosen');
        const task = taskOf(first);
        const played = [];
        for (const program of [task.solution, '(return "nobody")']) {
          server.play(({ reply }) => ({
            toolCalls: [{ name: 'run_svc_lisp', args: { program: reply === null ? '(fliter)' : program } }],
          }));
          played.push(await play(task, { supervisor, host, model: 'scripted' }));
        }
        return played;
      } finally {
        await server.close();
      }
    });
    const report = reportOf('scripted', 2, runs);
    expect(report.success).to.include({ successes: 1, runs: 2 });
    expect(report.turns).to.deep.equal({ median: 2, most: 2 });
    expect(report.tokens?.input).to.be.above(1000);
    expect(report.corrections).to.deep.equal([
      { feedback: 'program: analysis/unbound_var', then: 'right', times: 1 },
      { feedback: 'program: analysis/unbound_var', then: 'wrong value', times: 1 },
    ]);
  });
});
