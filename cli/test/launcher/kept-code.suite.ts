import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect } from 'chai';
import { runToEnd } from '../../../conformance/cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../../../conformance/cli/work-directory.ts';

const DIST = join(import.meta.dirname, '../../../dist');
const PLATFORM = `${process.version}-${process.arch}`;

describe('the code that is kept of the program', () => {
  it('is what V8 takes, of what commands load and of threads', () => {
    const folder = join(DIST, 'code', PLATFORM);
    const files = readdirSync(folder).map((name) => name.replace(/\.code$/, ''));
    expect(files).to.include.members(['main.cjs', 'perform.cjs', 'llm-network-body.cjs', 'mcp-network-body.cjs']);
    for (const file of files) {
      const script = new Script(Module.wrap(readFileSync(join(DIST, file), 'utf8')), {
        filename: file,
        cachedData: readFileSync(join(folder, `${file}.code`)),
      });
      expect(script.cachedDataRejected, file).to.equal(false);
    }
  });

  describe('where it is not of use', () => {
    let directory = '';
    let code = '';
    beforeEach(() => {
      directory = makeWorkDirectory();
      code = join(directory, 'code', PLATFORM);
      cpSync(join(DIST, 'svc.cjs'), join(directory, 'svc.cjs'));
      writeFileSync(join(directory, 'main.cjs'), 'console.log(__filename, require.main.filename, this === exports);\n');
      mkdirSync(code, { recursive: true });
    });
    afterEach(() => {
      removeWorkDirectory(directory);
    });

    async function expectStart(): Promise<void> {
      const ended = await runToEnd({ argv: [join(directory, 'svc.cjs')], directory, program: process.execPath });
      const [main, program] = [join(directory, 'main.cjs'), join(directory, 'svc.cjs')];
      expect(ended).to.deep.include({ status: 0, stdout: `${main} ${program} true\n`, stderr: '' });
    }

    it('the program starts all the same: there is none for this machine', async () => {
      rmSync(join(directory, 'code'), { recursive: true });
      await expectStart();
    });

    it('the program starts all the same: it is of another text', async () => {
      cpSync(join(DIST, 'code', PLATFORM, 'main.cjs.code'), join(code, 'main.cjs.code'));
      await expectStart();
    });

    it('the program starts all the same: it is cut off, or empty', async () => {
      const stored = new Script(Module.wrap(readFileSync(join(directory, 'main.cjs'), 'utf8'))).createCachedData();
      for (const bytes of [stored.subarray(0, stored.length >> 1), stored.subarray(0, 0), stored]) {
        writeFileSync(join(code, 'main.cjs.code'), bytes);
        await expectStart();
      }
    });
  });
});
