import { expect } from 'chai';
import {
  DISCOVERED,
  TOOL_SECRET,
  ToolRoom,
  call,
  discover,
  listing,
  runTools,
  textResult,
  type ToolApplication,
} from './room.ts';

/** A server that says why it does not start, and repeats its credential. */
const DYING: ToolApplication = {
  script: { steps: [discover({ stderr: `no luck with ${TOOL_SECRET}\u001b[2J\n`, exit: 3 })] },
  transport: { env: { TOKEN: { binding: 'key' } } },
  host: { credentials: { key: { env: 'DESK_KEY' } } },
  environment: { DESK_KEY: TOOL_SECRET },
};
const SAID = 'provider desk: it exited with status 3 before it answered';
const LINES = [SAID, 'provider desk: its stderr', '  | no luck with [redacted]⟨U+001B⟩[2J'].join('\n');
const PRIVATE = { events: { policy: 'private' } };

const stderrOf = async (application: ToolApplication, argv: readonly string[]): Promise<string> =>
  (await failureTextOf(application, argv)).stderr;

async function failureTextOf(
  application: ToolApplication,
  argv: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const room = new ToolRoom(application);
  try {
    const { stderr, stdout } = await room.run(argv, application.environment);
    expect(stdout + stderr).not.to.include(TOOL_SECRET);
    await room.allEnded();
    return { stdout, stderr };
  } finally {
    room.close();
  }
}

describe('a server that does not start (world.md §2.4)', () => {
  for (const argv of [
    ['run', 'svc.json'],
    ['catalog', 'desk'],
    ['doctor', 'svc.json', '--connect'],
  ])
    it(`is heard by svc ${argv.join(' ')}`, async () => {
      expect(await stderrOf(DYING, argv)).to.include(LINES);
    });

  it('is not heard of a private run', async () => {
    const stderr = await stderrOf({ ...DYING, manifest: PRIVATE }, [
      'run',
      'svc.json',
      '--private-output',
      'value.json',
    ]);
    expect(stderr).to.include('provider_unavailable').and.not.to.include('no luck').and.not.to.include('status 3');
  });

  const MISSING: ToolApplication = {
    script: { steps: [] },
    transport: { command: 'no-such-command' },
    environment: { PATH: '/usr/bin:/bin' },
  };
  const LOOKED = 'provider desk: looked for no-such-command in the folders of PATH: /usr/bin, /bin';
  for (const argv of [
    ['run', 'svc.json'],
    ['catalog', 'desk'],
    ['doctor', 'svc.json', '--connect'],
  ])
    it(`was looked for by svc ${argv.join(' ')}`, async () => {
      const { stdout, stderr } = await failureTextOf(MISSING, argv);
      // The report of doctor is its result, the codes of its rows with it.
      expect(argv[0] === 'doctor' ? stdout : stderr).to.include('command_not_found');
      expect(stderr).to.include(LOOKED);
    });

  it('was looked for, and where is said by no plain doctor and of no private run', async () => {
    expect(await stderrOf(MISSING, ['doctor', 'svc.json'])).not.to.include('looked for');
    const argv = ['run', 'svc.json', '--private-output', 'value.json'];
    expect(await stderrOf({ ...MISSING, manifest: PRIVATE }, argv)).not.to.include('looked for');
  });
});

describe('a server whose tools are all mapped (world.md §2.3)', () => {
  const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
  const EVERY: ToolApplication = {
    script: {
      steps: [
        discover({ result: DISCOVERED }),
        listing(tool('getUser', { annotations: { readOnlyHint: true } }), tool('put_user')),
        call({ result: textResult('done') }, 'put_user'),
      ],
    },
    tools: { '*': { effect: 'annotations', model_visible: true } },
    config: { allow: ['*'] },
    program: '[(:value (tool/put-user)) (mapv (juxt :name :effect) (tool/cap-list))]',
  };

  it('offers them by their names in kebab-case, with the effects that it tells', async () => {
    await runTools(EVERY, ({ value, stderr }) => {
      expect(value, stderr).to.deep.equal([
        { text: ['done'] },
        [
          ['get-user', 'read'],
          ['put-user', 'write'],
        ],
      ]);
    });
  });

  it('is refused with both names where two of them would have one', async () => {
    const script = { steps: [discover(), listing(tool('getUser'), tool('get_user'))] };
    await runTools({ ...EVERY, script }, ({ envelope, stderr }) => {
      expect(envelope).to.have.nested.property('error.code', 'provider_protocol_error');
      expect(stderr).to.include('the tools "getUser" and "get_user" would both be called get-user');
    });
  });

  it('needs no mapping for its catalogue, which prints one', async () => {
    const room = new ToolRoom({ ...EVERY, installation: { tools: undefined } });
    try {
      const { stdout, stderr } = await room.run(['catalog', 'desk', '--format', 'text']);
      expect(stderr).to.equal('');
      expect(stdout).to.include(
        '"tools": {\n  "getUser": {"as": "get-user", "effect": "read"},\n  "put_user": {"as": "put-user", "effect": "write"}\n}',
      );
      await room.allEnded();
    } finally {
      room.close();
    }
  });
});
