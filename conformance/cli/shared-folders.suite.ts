import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd, type Ended } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory } from './work-directory.ts';

/** Folders of groups, containers and builds (first-day.md §4). */

const FILES = {
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'p.json': {
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    artifacts: { root: '.svc', trace: true, inspection: true, result: true, envelope: true },
  },
  'main.clj': '(ns main)\n(defn run [input] {:a 1})\n',
  traces: null,
};

const IS_ROOT = process.getuid?.() === 0;
/**
 * A user that no file of the machine names, as containers have them, with a group of its number; where we may become
 * it.
 */
const LONER = 54_321;
const STRANGER = 54_322;

async function inFolder(work: (directory: string) => Promise<void>): Promise<void> {
  // Not in the directory for temporary files itself, where anybody could have put it.
  const holder = makeWorkDirectory(
    Object.fromEntries(Object.entries(FILES).map(([path, content]) => [`folder/${path}`, content])),
  );
  try {
    chmodSync(holder, 0o755);
    await work(join(holder, 'folder'));
  } finally {
    removeWorkDirectory(holder);
  }
}

/** Whether a user has a group to itself, as the files of this machine say. */
function isAlone(user: number, group: number): boolean {
  const rows = (path: string): readonly (readonly string[])[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  const sharers = rows('/etc/passwd').filter(([, , id, primary]) => primary === String(group) && id !== String(user));
  const members = rows('/etc/group').filter(([, , id, names = '']) => id === String(group) && names !== '');
  return user === group && sharers.length === 0 && members.length === 0;
}

/** Every way to make something in a folder, under a umask. */
async function makeAll(directory: string, umask: string, options: { uid?: number; gid?: number }): Promise<Ended> {
  const script = `umask ${umask}; "$0" init new && "$0" run p.json && "$0" run svc.json --trace-dir traces --output v.json --envelope e.json && "$0" prune p.json --max-age-days 1 >/dev/null`;
  return runToEnd({
    argv: ['-c', script, process.env['SVC_PROGRAM'] ?? join(process.cwd(), 'bin/svc')],
    directory,
    program: '/bin/sh',
    options,
  });
}

describe('folders of groups (first-day.md §4)', () => {
  it('a umask of 002 and a private group: everything is made, and what is private stays private', async () => {
    await inFolder(async (directory) => {
      const [user, group] = IS_ROOT ? [LONER, LONER] : [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
      for (const path of ['', 'traces']) {
        if (IS_ROOT) chownSync(join(directory, path), user, group);
        chmodSync(join(directory, path), 0o775);
      }
      const ended = await makeAll(directory, '002', IS_ROOT ? { uid: user, gid: group } : {});
      if (isAlone(user, group)) {
        expect(ended).to.deep.include({ status: 0, stderr: '' });
        expect(statSync(join(directory, 'v.json')).mode & 0o777).to.equal(0o644);
        for (const path of ['.svc', 'new', '.svc/traces'])
          expect(statSync(join(directory, path)).mode & 0o777, path).to.equal(0o700);
      } else {
        // The primary group of this user may have other members, which only the files of the machine tell.
        expect(ended.stderr === '' || ended.stderr.includes(`chmod g-w ${directory}`)).to.equal(true);
      }
    });
  });

  it('a folder that every user may write: refused, with its name, owner, group, mode and what to run', async () => {
    await inFolder(async (directory) => {
      chmodSync(directory, 0o777);
      for (const argv of [
        ['init', 'new'],
        ['run', 'p.json'],
        ['run', 'svc.json', '--output', 'v.json'],
        ['run', 'svc.json', '--envelope', 'e.json'],
      ]) {
        const ended = await runToEnd({ argv, directory });
        expect(ended.status, argv.join(' ')).to.equal(7);
        expect(ended.stderr, argv.join(' ')).to.match(
          new RegExp(
            `; .*${directory} \\(owner \\S+, group \\S+, mode 0777\\): every user could replace files there; run chmod go-w ${directory}\n$`,
          ),
        );
      }
    });
  });
});

describe('folders of another owner (first-day.md §4)', () => {
  it('as the mount of a container: everything that is named is made, for its owner alone; private artifacts go to the root of the project', async () => {
    await inFolder(async (directory) => {
      if (!IS_ROOT) {
        // Nobody but root can make a folder of somebody else; that of root itself takes nothing from others.
        const ended = await runToEnd({ argv: ['init', '/svc-conformance-new'], directory });
        expect(ended.status).to.equal(7);
        expect(ended.stderr).to.match(/; \/ \(owner \S+, group \S+, mode \d{4}\): you may not write there; run chown /);
        return;
      }
      for (const path of ['', 'traces']) chownSync(join(directory, path), STRANGER, STRANGER);
      chmodSync(directory, 0o755);
      expect(await makeAll(directory, '022', {})).to.deep.include({ status: 0, stderr: '' });
      for (const path of ['v.json', 'e.json'])
        expect(statSync(join(directory, path)).mode & 0o777, path).to.equal(0o600);
      expect(readFileSync(join(directory, 'v.json'), 'utf8')).to.equal('{"a":1}');
      const refused = await runToEnd({ argv: ['run', 'svc.json', '--private-output', 'secret.json'], directory });
      expect(refused.status).to.equal(7);
      expect(refused.stderr).to.include(
        `; ${directory} (owner ${STRANGER}, group ${STRANGER}, mode 0755): it belongs to ${STRANGER}, who could replace files there; run chown `,
      );
    });
  });
});

describe('a home that cannot be written (first-day.md §4)', () => {
  it('keeps no command from its work', async () => {
    await inFolder(async (directory) => {
      // A folder of the kernel, in which not even root makes anything.
      const environment = { HOME: '/proc/nobody', XDG_CACHE_HOME: '', XDG_STATE_HOME: '', XDG_CONFIG_HOME: '' };
      for (const [argv, printed] of [
        [['run', 'p.json'], '{"a":1}\n'],
        [['validate', 'svc.json'], null],
        [['runs', 'p.json'], null],
        [['repl', '-e', '(+ 1 2)'], '3\n'],
        [['init', 'made'], null],
      ] as const) {
        const { status, stdout, stderr } = await runToEnd({ argv, directory, environment });
        expect({ status, stderr }, argv.join(' ')).to.deep.equal({ status: 0, stderr: '' });
        if (printed !== null) expect(stdout).to.equal(printed);
      }
    });
  });
});
