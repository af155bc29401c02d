/** A home and folders of the desktop in which nothing may be written: every command works, or says why it does not. */
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd, type Ended } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

/** The user that owns nothing; nothing is refused to root. */
const NOBODY = 65_534;
const IS_ROOT = process.getuid?.() === 0;
const HOST = {
  install: {
    tools: {
      source: 'mcp',
      installation_revision: 'r1',
      transport: {
        type: 'streamable_http',
        endpoint: 'http://127.0.0.1:9/mcp',
        allow_insecure_loopback: true,
      },
      tools: { find: { as: 'find', effect: 'read' } },
    },
  },
};

/** Each command with the status that it ends with; `says`: what is on standard error, on one line. */
const COMMANDS: readonly (readonly [argv: string, status: number, says?: RegExp])[] = [
  ['version', 0],
  ['init app', 0],
  ['new --yes --kind workflow --directory other', 0],
  ['validate app/svc-project.json', 0],
  ['run app/svc-project.json', 0],
  ['runs app/svc-project.json', 0],
  ['explain latest --project app/svc-project.json', 0],
  ['test other/svc-project.json', 0],
  ['doctor app/svc-project.json', 0],
  ['models --host-config host.json', 0],
  ['config', 0],
  ['docs quickstart', 0],
  ['help run', 0],
  ['man', 0],
  ['completion bash', 0],
  ['schemas --out schemas', 0],
  ['fmt --check app/main.clj', 0],
  ['repl -e (+,1,2)', 0],
  ['prune app/svc-project.json --max-age-days 1', 0],
  ['materialize app/svc.json --workflow --component main --source-out out.clj', 0],
  ['auth list', 0],
  ['approvals list --project app/svc-project.json', 0],
  [
    'fixtures record latest --project app/svc-project.json --out a.jsonl',
    2,
    /^error: fixtures\/invalid_arguments: [^\n]*artifacts\.inspection[^\n]*\n$/,
  ],
];

describe('a home that cannot be written (first-day.md §4)', () => {
  let directory: string;
  const run = async (argv: readonly string[]): Promise<Ended> =>
    runToEnd({
      argv,
      directory,
      environment: {
        HOME: join(directory, 'home'),
        ...Object.fromEntries(
          ['CACHE', 'CONFIG', 'DATA', 'STATE', 'RUNTIME'].map((name) => [
            name === 'RUNTIME' ? 'XDG_RUNTIME_DIR' : `XDG_${name}_HOME`,
            join(directory, 'home', name),
          ]),
        ),
      },
      options: IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {},
    });

  before(async function () {
    directory = makeWorkDirectory({ home: null, 'host.json': HOST });
    if (IS_ROOT) chownSync(directory, NOBODY, NOBODY);
    if (IS_ROOT) chownSync(join(directory, 'host.json'), NOBODY, NOBODY);
    chmodSync(join(directory, 'home'), 0o555);
    // A checkout in the folder of root alone is nothing that another user can start.
    if (IS_ROOT && (await run(['version'])).status === 126) this.skip();
  });
  after(() => {
    chmodSync(join(directory, 'home'), 0o700);
    removeWorkDirectory(directory);
  });

  for (const [line, status, says] of COMMANDS) {
    it(`svc ${line}`, async () => {
      const ended = await run(line.split(' '));
      expect(ended.status, ended.stderr).to.equal(status);
      if (says !== undefined) expect(ended.stderr).to.match(says);
    });
  }

  it('is left as it was', () => {
    expect(readdirSync(join(directory, 'home'))).to.deep.equal([]);
  });
});
