import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd } from '../cli/program.ts';
import { LOOK_UP, ToolRoom, call, discover, listing, textResult, type ToolApplication } from './room.ts';

type Members = Readonly<Record<string, unknown>>;

const SCRIPT = { steps: [discover(), listing(LOOK_UP), call({ result: textResult('a') })] };
const NOBODY = 65_534;
const SUBJECT = {
  kind: 'provider',
  name: 'desk',
  operation: 'local',
  occurrence: { destination: 'mission', index: 0 },
};

interface Row {
  readonly transport?: Members;
  readonly host?: Members;
  readonly environment?: Readonly<Record<string, string>>;
  /** Prepares the directory, and may tell of members of the transport that need it. */
  readonly prepare?: (directory: string) => void;
  readonly code: string;
}

const file =
  (name: string, mode: number, text = '#!/bin/sh\n') =>
  (directory: string): void => {
    writeFileSync(join(directory, name), text);
    chmodSync(join(directory, name), mode);
  };

/** providers.md §3, table A. `HERE` is the directory of the host document. */
const TABLE: Readonly<Record<string, Row>> = {
  'a bare command that is nowhere': { transport: { command: 'no-such-command-4711' }, code: 'command_not_found' },
  'an absolute command that is missing': { transport: { command: '/no/such/command' }, code: 'command_not_found' },
  'a bare command without a path': {
    transport: { command: 'node', inherit_environment: false },
    code: 'command_not_found',
  },
  'a relative command': {
    transport: { command: './server' },
    prepare: file('server', 0o755),
    code: 'executable_unavailable',
  },
  'a folder': { transport: { command: '/tmp' }, code: 'executable_unavailable' },
  'a file that nobody may execute': {
    transport: { command: 'HERE/server' },
    prepare: file('server', 0o644),
    code: 'executable_unavailable',
  },
  'a link to nothing': {
    transport: { command: 'HERE/server' },
    prepare: (directory) => symlinkSync('nothing', join(directory, 'server')),
    code: 'command_not_found',
  },
  'a working directory that is missing': { transport: { cwd: 'nowhere' }, code: 'environment_unavailable' },
  'a working directory that is a file': { transport: { cwd: 'svc.json' }, code: 'environment_unavailable' },
  'an inherited function of a shell': { environment: { TERM: '() { :;}' }, code: 'environment_unavailable' },
  'an inherited variable that is too long': {
    environment: { TERM: 'x'.repeat(65_537) },
    code: 'environment_unavailable',
  },
  'a launcher that is missing': {
    host: { runtime: { stdio_launcher: '/no/such/launcher' } },
    code: 'launcher_unavailable',
  },
  'a launcher that nobody may execute': {
    host: { runtime: { stdio_launcher: '/etc/passwd' } },
    code: 'launcher_unavailable',
  },
};

async function inRoom(
  { transport = {}, host = {}, prepare }: Omit<Row, 'code'>,
  more: Partial<ToolApplication>,
  work: (room: ToolRoom) => Promise<void>,
): Promise<void> {
  const room = new ToolRoom({ script: SCRIPT, transport, host, ...more });
  try {
    const text = room.text('svc-host.json').replaceAll('HERE', room.directory);
    writeFileSync(join(room.directory, 'svc-host.json'), text);
    prepare?.(room.directory);
    await work(room);
  } finally {
    room.close();
  }
}

describe('what is looked at before a server of tools is started (providers.md §3 table A)', () => {
  for (const [what, row] of Object.entries(TABLE)) {
    it(`${what}: ${row.code}`, async () => {
      await inRoom(row, {}, async (room) => {
        const report = await room.report(await room.run(['run', 'svc.json'], row.environment));
        expect(report.status).to.equal(4);
        expect(report.envelope['error']).to.deep.include({
          phase: 'local_preflight',
          code: row.code,
          retryable: false,
          provider_activity: false,
          path: null,
          source: null,
          subject: SUBJECT,
        });
        expect(room.pids(), 'nothing was started').to.deep.equal([]);
        // Below its line people are told what was looked for where (world.md §2.4).
        const [line = ''] = report.stderr.split('\n');
        expect(line + JSON.stringify(report.envelope)).not.to.include(room.directory);
      });
    });

    it(`${what}: a failing row of the doctor`, async () => {
      await inRoom(row, {}, async (room) => {
        const ended = await room.run(['doctor', 'svc.json'], row.environment);
        expect(ended.status).to.equal(4);
        const { checks, ...report }: { readonly checks: readonly Members[] } & Members = JSON.parse(ended.stdout);
        expect(checks.filter(({ name }) => String(name).startsWith('provider/'))).to.deep.equal([
          { name: 'provider/desk/local', status: 'fail', code: row.code },
          { name: 'provider/desk/selection', status: 'pass', code: 'declarative' },
          { name: 'provider/desk/connectivity', status: 'skipped', code: 'requires_connect' },
        ]);
        expect(report).to.deep.include({ readiness: 'failed', provider_activity: false });
        expect(room.pids()).to.deep.equal([]);
      });
    });
  }

  it('a bare command that is nowhere, with a folder on the path that may not be searched: command_not_found', async () => {
    const shut = (directory: string): void => {
      mkdirSync(join(directory, 'closed'));
      chmodSync(join(directory, 'closed'), 0);
      // Rights mean nothing to root, for whom somebody else looks.
      if (process.getuid?.() === 0) for (const name of ['', 'closed']) chownSync(join(directory, name), NOBODY, NOBODY);
    };
    await inRoom({ transport: { command: 'no-such-command-4711' }, prepare: shut }, {}, async ({ directory }) => {
      const options = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
      const ended = await runToEnd({
        argv: ['doctor', 'svc.json', '--host-config', 'svc-host.json'],
        directory,
        options,
        environment: { PATH: `${join(directory, 'closed')}:/usr/bin:/bin` },
      });
      chmodSync(join(directory, 'closed'), 0o700);
      expect(ended.status).to.equal(4);
      const { checks }: { readonly checks: readonly Members[] } = JSON.parse(ended.stdout);
      expect(checks).to.deep.include({ name: 'provider/desk/local', status: 'fail', code: 'command_not_found' });
    });
  });

  it('validate looks at none of it', async () => {
    await inRoom({ transport: { command: '/no/such/command' } }, {}, async (room) => {
      expect((await room.run(['validate', 'svc.json'])).status).to.equal(0);
    });
  });

  const sound: Readonly<Record<string, Omit<Row, 'code'>>> = {
    'an inherited variable of the longest length': { environment: { TERM: 'x'.repeat(65_536) } },
    'a working directory below the host document': {
      transport: {
        cwd: 'below',
        args: [
          join(import.meta.dirname, '../servers/mcp-stdio/main.ts'),
          '--script',
          '../script.json',
          '--log',
          '../log',
          '--pids',
          '../pids',
        ],
      },
      prepare: (directory) => mkdirSync(join(directory, 'below')),
    },
    'a bare command on the path': {
      transport: { command: 'server' },
      prepare: file('server', 0o755, `#!/bin/sh\nexec ${process.execPath} "$@"\n`),
      environment: { PATH: `HERE:${process.env['PATH'] ?? ''}` },
    },
    'a launcher': { host: { runtime: { stdio_launcher: '/usr/bin/env' } } },
  };
  for (const [what, row] of Object.entries(sound)) {
    it(`${what} will do`, async () => {
      await inRoom(row, {}, async (room) => {
        const environment = Object.fromEntries(
          Object.entries(row.environment ?? {}).map(([name, value]) => [name, value.replace('HERE', room.directory)]),
        );
        const report = await room.report(await room.run(['run', 'svc.json'], environment));
        expect(report.value).to.deep.equal({ status: 'ok', value: { text: ['a'] } });
        await room.allEnded();
      });
    });
  }
});

describe('a server of tools as the doctor finds it (providers.md §12)', () => {
  const rowsOf = (stdout: string): readonly string[] => {
    const { checks }: { readonly checks: readonly Members[] } = JSON.parse(stdout);
    return checks
      .filter(({ name }) => String(name).startsWith('provider/'))
      .map(({ name, status, code }) => `${String(name)} ${String(status)} ${String(code)}`);
  };
  const CREDENTIALS = {
    transport: { env: { TOKEN: { binding: 'key' } } },
    host: { credentials: { key: { env: 'DESK_KEY' } } },
  };

  it('plain: nothing is started and no credential read', async () => {
    await inRoom(CREDENTIALS, {}, async (room) => {
      const ended = await room.run(['doctor', 'svc.json']);
      expect(ended.status).to.equal(0);
      expect(rowsOf(ended.stdout)).to.deep.equal([
        'provider/desk/local pass available',
        'provider/desk/selection pass declarative',
        'provider/desk/credentials skipped requires_connect',
        'provider/desk/connectivity skipped requires_connect',
      ]);
      expect(room.pids()).to.deep.equal([]);
    });
  });

  it('without an application', async () => {
    const away = (directory: string): void => {
      // Where it would be taken without being named.
      renameSync(join(directory, 'svc.json'), join(directory, 'application.json'));
    };
    await inRoom({ prepare: away }, {}, async (room) => {
      const ended = await room.run(['doctor']);
      expect(rowsOf(ended.stdout)).to.deep.equal([
        'provider/desk/local skipped application_required',
        'provider/desk/connectivity skipped requires_connect',
      ]);
    });
  });

  it('connected: it is opened, and closed again', async () => {
    await inRoom(CREDENTIALS, {}, async (room) => {
      const ended = await room.run(['doctor', 'svc.json', '--connect'], { DESK_KEY: 'k' });
      expect(ended.status).to.equal(0);
      expect(rowsOf(ended.stdout)).to.deep.equal([
        'provider/desk/local pass available',
        'provider/desk/selection pass declarative',
        'provider/desk/credentials pass available',
        'provider/desk/connectivity pass available',
      ]);
      expect(JSON.parse(ended.stdout)).to.deep.include({ readiness: 'ready', provider_activity: true });
      expect(room.methods()).to.deep.equal(['server/discover', 'tools/list']);
      await room.allEnded();
    });
  });

  const failing: Readonly<Record<string, readonly [ToolApplication['script'], string]>> = {
    'of another version': [
      { steps: [discover({ error: { code: -32_601, message: 'no' } })] },
      'provider_protocol_version_unsupported',
    ],
    'without the tool': [{ steps: [discover(), listing()] }, 'provider_tool_missing'],
    'that breaks the protocol': [{ steps: [discover({ lines: ['Ready!'] })] }, 'provider_protocol_error'],
    'that is not there': [{ steps: [discover({ exit: 1 })] }, 'provider_unavailable'],
  };
  for (const [what, [script, code]] of Object.entries(failing)) {
    it(`connected, ${what}: ${code}`, async () => {
      await inRoom({}, { script }, async (room) => {
        const ended = await room.run(['doctor', 'svc.json', '--connect']);
        expect(ended.status).to.equal(4);
        expect(rowsOf(ended.stdout)).to.deep.equal([
          'provider/desk/local pass available',
          'provider/desk/selection pass declarative',
          `provider/desk/connectivity fail ${code}`,
        ]);
        const { envelope } = await room.report(ended);
        expect(envelope['error']).to.deep.include({
          code,
          provider_activity: true,
          subject: { ...SUBJECT, operation: 'acquisition' },
        });
        await room.allEnded();
      });
    });
  }

  it('connected, without its credential: nothing is started', async () => {
    await inRoom(CREDENTIALS, {}, async (room) => {
      const ended = await room.run(['doctor', 'svc.json', '--connect']);
      expect(ended.status).to.equal(4);
      expect(rowsOf(ended.stdout)).to.include('provider/desk/credentials fail credential_unavailable');
      expect(room.pids()).to.deep.equal([]);
    });
  });
});
