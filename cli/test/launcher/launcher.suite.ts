import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';

const LAUNCHER = join(import.meta.dirname, '../../../bin/svc');

/** What must not reach Node, whether or not this Node would heed it now. */
const LEFT_OUT = [
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_PRESERVE_SYMLINKS',
  'NODE_PRESERVE_SYMLINKS_MAIN',
  'NODE_REPL_EXTERNAL_MODULE',
  'NODE_COMPILE_CACHE',
  'NODE_COMPILE_CACHE_PORTABLE',
  'NODE_ICU_DATA',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_UNIQUE_ID',
  'NODE_TEST_CONTEXT',
  'WATCH_REPORT_DEPENDENCIES',
  'NODE_DEBUG',
  'NODE_DEBUG_NATIVE',
  'NODE_PENDING_DEPRECATION',
  'NODE_REDIRECT_WARNINGS',
  'NODE_V8_COVERAGE',
  'NODE_INSPECT_RESUME_ON_START',
  'OPENSSL_CONF',
  'OPENSSL_CONF_INCLUDE',
  'OPENSSL_ENGINES',
  'OPENSSL_MODULES',
  'LD_AUDIT',
  'LD_PRELOAD',
  'LD_LIBRARY_PATH',
  'LD_PROFILE',
  'LD_PROFILE_OUTPUT',
  'LD_DEBUG_OUTPUT',
  'GCONV_PATH',
  'DYLD_INSERT_LIBRARIES',
  'DYLD_LIBRARY_PATH',
  'DYLD_FRAMEWORK_PATH',
  'DYLD_FALLBACK_LIBRARY_PATH',
  'DYLD_FALLBACK_FRAMEWORK_PATH',
  'DYLD_VERSIONED_LIBRARY_PATH',
  'DYLD_VERSIONED_FRAMEWORK_PATH',
  'DYLD_ROOT_PATH',
  'DYLD_IMAGE_SUFFIX',
];
/** What providers will need, or what harms nobody. */
const LET_THROUGH = [
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'NODE_USE_ENV_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'HTTPS_PROXY',
  'NO_PROXY',
  'TZ',
  'UV_THREADPOOL_SIZE',
];

describe('the launcher', () => {
  let directory = '';
  beforeEach(() => {
    directory = makeWorkDirectory();
  });
  afterEach(() => {
    removeWorkDirectory(directory);
  });

  /** The launcher alone in a folder of its own, with a program that says what reached it and a Node on PATH. */
  function installed(node: (path: string) => void): { readonly program: string; readonly path: string } {
    const at = join(directory, 'a folder é');
    mkdirSync(join(at, 'bin'), { recursive: true });
    mkdirSync(join(at, 'dist'));
    writeFileSync(join(at, 'bin/svc'), readFileSync(LAUNCHER));
    chmodSync(join(at, 'bin/svc'), 0o755);
    writeFileSync(
      join(at, 'dist/svc.cjs'),
      'console.log(JSON.stringify({ argv: process.argv.slice(2), names: Object.keys(process.env) }));\n',
    );
    node(join(at, 'node'));
    return { program: join(at, 'bin/svc'), path: `${at}:/usr/bin:/bin` };
  }

  it('starts a Node 24 of PATH with arguments and environment as they are, but for what loads or changes code', async () => {
    const { program, path } = installed((at) => {
      symlinkSync(process.execPath, at);
    });
    const input = Object.fromEntries([...LEFT_OUT, ...LET_THROUGH].map((name) => [name, '/nonexistent']));
    const ended = await runToEnd({
      argv: ['one', 'two words', '--env-file', 'é'],
      directory,
      program,
      environment: { ...input, PATH: path },
    });
    expect(ended.status, ended.stderr).to.equal(0);
    const reported: unknown = JSON.parse(ended.stdout);
    expect(reported).to.have.deep.property('argv', ['one', 'two words', '--env-file', 'é']);
    expect(reported).to.have.property('names').that.includes.members(LET_THROUGH);
    for (const name of LEFT_OUT) expect(reported).to.have.property('names').that.does.not.include(name);
  });

  it('says what it needs where there is another Node only', async () => {
    const { program, path } = installed((at) => {
      writeFileSync(at, '#!/bin/sh\necho v18.20.0\n', { mode: 0o755 });
    });
    const ended = await runToEnd({ argv: ['version'], directory, program, environment: { PATH: path } });
    expect(ended).to.deep.include({ status: 70, stdout: '' });
    expect(ended.stderr).to.match(/^error: internal\/launcher_unavailable: [^\n]+\n$/);
  });

  for (const [option, limit, isEnough, words] of [
    ['-v', 2_815_999, false, String.raw`at least \d+ bytes of address space \(ulimit -v, in kilobytes\)`],
    ['-v', 2_816_000, true, ''],
    ['-v', 2_816_001, true, ''],
    ['-d', 1_999_999, false, String.raw`at least \d+ bytes of data \(ulimit -d, in kilobytes\)`],
    ['-d', 2_000_000, true, ''],
    ['-d', 2_000_001, true, ''],
    ['-n', 255, false, String.raw`at least 256 open files \(ulimit -n\)`],
    ['-n', 256, true, ''],
    ['-n', 257, true, ''],
  ] as const) {
    it(`${isEnough ? 'starts' : 'says what is missing'} with ulimit ${option} ${limit}, on a system that has it`, async () => {
      const { program, path } = installed((at) => {
        symlinkSync(process.execPath, at);
      });
      const limited = join(directory, 'limited');
      writeFileSync(limited, `#!/bin/sh\nulimit ${option} ${limit} || exit 71\nexec '${program}' "$@"\n`, {
        mode: 0o755,
      });
      const ended = await runToEnd({ argv: ['version'], directory, program: limited, environment: { PATH: path } });
      if (process.platform !== 'linux') expect(ended.status).to.be.oneOf([0, 71]);
      else if (isEnough) expect(ended, ended.stderr).to.deep.include({ status: 0, stderr: '' });
      else {
        expect(ended).to.deep.include({ status: 70, stdout: '' });
        expect(ended.stderr).to.match(
          new RegExp(
            String.raw`^error: internal/launcher_unavailable: svc needs ${words}, and this shell allows \d+\n$`,
          ),
        );
      }
    });
  }

  for (const [others, isEnough] of [
    [0, true],
    [8, false],
  ] as const) {
    it(`${isEnough ? 'starts' : 'says what is missing'} where a user who may have 26 processes has ${others} others, on a system that limits them`, async () => {
      const { program, path } = installed((at) => {
        // Another user may not be let into the folder of the checkout.
        copyFileSync(process.execPath, at);
      });
      chmodSync(directory, 0o755);
      // Root is not held to the limit, and anybody else has other processes of their own: all of it is another user's,
      // where one can be had.
      const isRoot = process.geteuid?.() === 0;
      const limited = join(directory, 'limited');
      const sleepers = `for other in ${Array.from({ length: others }, (_, number) => number).join(' ')}; do sleep 60 >/dev/null 2>&1 & others="$others $!"; done`;
      const inner = `others=; ${sleepers}; prlimit --nproc=26 '${program}' "$@"; status=$?; [ -z "$others" ] || kill $others; exit $status`;
      writeFileSync(join(directory, 'inner'), `${inner}\n`, { mode: 0o644 });
      writeFileSync(
        limited,
        `#!/bin/sh\nexec ${isRoot ? 'setpriv --reuid 64999 --regid 64999 --clear-groups ' : ''}/bin/sh '${join(directory, 'inner')}' "$@"\n`,
        { mode: 0o755 },
      );
      const ended = await runToEnd({
        argv: ['version'],
        directory,
        program: limited,
        environment: { PATH: `${path}:/usr/bin:/bin` },
      });
      if (process.platform !== 'linux') return;
      if (isEnough && isRoot) expect(ended, ended.stderr).to.deep.include({ status: 0, stderr: '' });
      if (isEnough) return;
      expect(ended).to.deep.include({ status: 70, stdout: '' });
      expect(ended.stderr).to.match(
        /^error: internal\/launcher_unavailable: svc needs at least 20 more processes \(ulimit -u\): this shell allows 26, and \d+ are in use\n$/,
      );
    });
  }
});
