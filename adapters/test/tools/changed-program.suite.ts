import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SERVER, LOOK_UP, ToolRoom, call, discover, listing, textResult } from '../../../conformance/tools/room.ts';
import type { Supervisor } from '../../../supervisor/api/supervisor.ts';
import { work } from '../../../supervisor/test/capabilities/runs.ts';
import { finished, supervise } from '../../../supervisor/test/capabilities/supervised.ts';

const SCRIPT = `#!/bin/sh\nexec ${process.execPath} ${SERVER} "$@"\n`;
/** What somebody else's program would do. */
const INTRUDER = '#!/bin/sh\ntouch intruded\n';

/**
 * What happens to the program of a server between the look at it and its start: an installation before it has a
 * function that does it.
 */
const CHANGES: Readonly<Record<string, readonly [change: (program: string) => void, code: string | null]>> = {
  nothing: [() => undefined, null],
  'its rights, written anew': [(program) => chmodSync(program, 0o755), 'provider_policy_changed'],
  'another content': [(program) => writeFileSync(program, INTRUDER), 'provider_policy_changed'],
  'another file in its place': [
    (program) => {
      rmSync(program);
      writeFileSync(program, INTRUDER, { mode: 0o755 });
    },
    'provider_policy_changed',
  ],
  'a link in its place': [
    (program) => {
      writeFileSync(`${program}.other`, INTRUDER, { mode: 0o755 });
      rmSync(program);
      symlinkSync(`${program}.other`, program);
    },
    'provider_policy_changed',
  ],
  'its end': [(program) => rmSync(program), 'provider_policy_changed'],
};

describe('the program of a server that changes after it was looked at (providers.md §3 table B, §7.8)', () => {
  let supervisor: Supervisor;
  before(async () => {
    supervisor = await supervise();
  });
  after(async () => supervisor.close());

  for (const [what, [change, code]] of Object.entries(CHANGES)) {
    it(`${what}: ${code ?? 'started'}`, async () => {
      const room = new ToolRoom({
        script: { steps: [discover(), listing(LOOK_UP), call({ result: textResult('a') })] },
        manifest: {
          missions: { desk: { providers: ['desk'] } },
          providers: { workflow: [{ name: 'tools' }], mission: [{ name: 'desk' }] },
        },
      });
      try {
        const program = join(room.directory, 'server');
        writeFileSync(program, SCRIPT, { mode: 0o755 });
        const host = JSON.parse(room.text('svc-host.json'));
        Object.assign(host.install.desk.transport, {
          command: program,
          args: ['--script', 'script.json', '--log', 'log', '--pids', 'pids'],
        });
        writeFileSync(join(room.directory, 'svc-host.json'), JSON.stringify(host));
        const custom = work(
          () => 1,
          {},
          {
            open: () => {
              change(program);
              return undefined;
            },
          },
        );
        const application = await supervisor.prepare({
          kind: 'directory',
          manifest: 'svc.json',
          host: 'svc-host.json',
          workingDirectory: room.directory,
          custom: [custom],
        });
        const { envelope, value } = finished(await supervisor.run(application).result);
        if (code === null) expect(value).to.deep.equal({ status: 'ok', value: { text: ['a'] } });
        else {
          const subject = {
            kind: 'provider',
            name: 'desk',
            operation: 'acquisition',
            occurrence: { destination: 'mission', index: 0 },
          };
          expect(envelope).to.deep.nested.include({
            status: 'error',
            'error.code': code,
            'error.phase': 'provider_acquisition',
            'error.retryable': false,
            'error.subject': subject,
            'error.provider_activity': true,
          });
          expect(readFileSync(join(room.directory, 'log'), 'utf8')).to.equal('');
          expect(existsSync(join(room.directory, 'intruded'))).to.equal(false);
        }
        await room.allEnded();
      } finally {
        room.close();
      }
    });
  }
});
