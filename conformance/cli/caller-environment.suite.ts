import { symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { PROGRAM, runToEnd } from './program.ts';
import { makeWorkDirectory, removeWorkDirectory, snapshot } from './work-directory.ts';

const FILES = {
  'svc.json': {
    version: 1,
    workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
    input: { value: {} },
  },
  'main.clj': '(ns main)\n(defn run [input] {:a 1})\n',
};

/** Says that it was loaded, in the file that it stands beside. */
const INTRUDER = "require('node:fs').appendFileSync(__dirname + '/intruded', 'x');\n";

/**
 * What a caller's environment may hold to load or change code of a Node program, or to have it write where it should
 * not.
 */
const INTRUSIONS: readonly {
  readonly what: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly environment: (at: string) => Record<string, string>;
}[] = [
  {
    what: 'NODE_OPTIONS that loads a file',
    files: { 'intruder.cjs': INTRUDER },
    environment: (at) => ({ NODE_OPTIONS: `--require ${at}/intruder.cjs` }),
  },
  {
    what: 'NODE_OPTIONS with an option that does not exist',
    environment: () => ({ NODE_OPTIONS: '--no-such-option' }),
  },
  { what: 'NODE_OPTIONS that opens a debugger', environment: () => ({ NODE_OPTIONS: '--inspect=127.0.0.1:0' }) },
  { what: 'a coverage folder', environment: (at) => ({ NODE_V8_COVERAGE: `${at}/intruded` }) },
  { what: 'a folder of compiled code', environment: (at) => ({ NODE_COMPILE_CACHE: `${at}/intruded` }) },
  { what: "node's own debug output", environment: () => ({ NODE_DEBUG: 'fs,module,net,child_process' }) },
  { what: 'a channel to a parent that is none', environment: () => ({ NODE_CHANNEL_FD: '1', NODE_UNIQUE_ID: '7' }) },
  {
    what: 'an OpenSSL configuration that loads a provider',
    files: {
      'ssl.cnf': 'nodejs_conf = a\n[a]\nproviders = b\n[b]\nnone = c\n[c]\nmodule = /nonexistent.so\nactivate = 1\n',
    },
    environment: (at) => ({ OPENSSL_CONF: `${at}/ssl.cnf` }),
  },
];

describe('what a caller has in the environment', () => {
  let directory = '';
  beforeEach(() => {
    directory = makeWorkDirectory(FILES);
  });
  afterEach(() => {
    removeWorkDirectory(directory);
  });

  for (const { what, files = {}, environment } of INTRUSIONS) {
    it(`${what} changes nothing`, async () => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
      const before = [...snapshot(directory).keys()];
      const ended = await runToEnd({ argv: ['run', 'svc.json'], directory, environment: environment(directory) });
      expect(ended).to.deep.equal({ status: 0, signal: null, stdout: '{"a":1}\n', stderr: '' });
      expect([...snapshot(directory).keys()]).to.deep.equal(before);
    });
  }

  it('a link to the program, or to its folder, starts the same program', async () => {
    symlinkSync(PROGRAM, join(directory, 'linked'));
    symlinkSync(dirname(PROGRAM), join(directory, 'tools'));
    for (const program of ['linked', `tools/${basename(PROGRAM)}`]) {
      const ended = await runToEnd({ argv: ['run', 'svc.json'], directory, program: join(directory, program) });
      expect(ended, program).to.deep.equal({ status: 0, signal: null, stdout: '{"a":1}\n', stderr: '' });
    }
  });
});
