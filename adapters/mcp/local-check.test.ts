import { expect } from 'chai';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StdioDeclaration } from './declaration.ts';
import { checkStdio } from './local-check.ts';
import { findExecutable } from './stdio/executable.ts';
import type { ServerWorkers } from './workers.ts';

const WORKERS: Pick<ServerWorkers, 'executable'> = {
  executable: async (command, path, maxBytes) => ({
    kind: 'done',
    value: { result: await findExecutable(command, path ?? undefined, maxBytes, '/nowhere'), processorMs: 3 },
  }),
};
const SOUND: StdioDeclaration = {
  type: 'stdio',
  command: 'sh',
  args: [],
  directory: tmpdir(),
  inherited: { PATH: '/bin' },
  bindings: new Map(),
  launcher: null,
  graceMs: 1,
  startTimeoutMs: 1,
  stderrBytes: 0,
  programs: null,
};

describe('what is looked at before a server is started (providers.md §3, table A)', () => {
  const check = async (changes: Partial<StdioDeclaration>): Promise<string> => {
    const answer = await checkStdio(WORKERS, { ...SOUND, ...changes }, new AbortController().signal);
    return answer.ok
      ? `${answer.programs.launcher?.path ?? ''} ${answer.programs.command.path}`.trim()
      : answer.finding.code;
  };
  const rows: Readonly<Record<string, readonly [Partial<StdioDeclaration>, string]>> = {
    'a name on the path': [{}, '/bin/sh'],
    'a launcher too': [{ launcher: '/bin/sh' }, '/bin/sh /bin/sh'],
    'a command that is not there': [{ command: 'no-such-command' }, 'command_not_found'],
    'no path': [{ inherited: {} }, 'command_not_found'],
    'a command that is relative': [{ command: './sh' }, 'executable_unavailable'],
    'a variable that cannot be handed on': [{ inherited: null }, 'environment_unavailable'],
    'a folder that is not there': [{ directory: join(tmpdir(), 'no-such-folder') }, 'environment_unavailable'],
    'a folder that is a file': [{ directory: '/bin/sh' }, 'environment_unavailable'],
    'a launcher that is not there': [{ launcher: '/no/such/launcher' }, 'launcher_unavailable'],
    'a launcher that is a folder': [{ launcher: '/' }, 'launcher_unavailable'],
  };
  for (const [what, [changes, expected]] of Object.entries(rows)) {
    it(what, async () => {
      expect(await check(changes)).to.equal(expected);
    });
  }

  it('tells what its workers used of the processor, whatever it finds', async () => {
    const used = async (changes: Partial<StdioDeclaration>): Promise<number> =>
      (await checkStdio(WORKERS, { ...SOUND, ...changes }, new AbortController().signal)).processorMs;
    expect(await used({ launcher: '/bin/sh' })).to.equal(6);
    expect(await used({ command: 'no-such-command' })).to.equal(3);
    expect(await used({ launcher: '/' })).to.equal(6);
    expect(await used({ inherited: null })).to.equal(0);
  });
});
