/**
 * The head of each file that node starts, as a process or as a thread; the build adds what it goes on with. That is
 * brought with what V8 made of it for commands of the build (`scripts/kept-code.ts`): each function that they called is
 * ready. Node's own cache is filled before anything ran and holds next to none of them, so that every start read them
 * again; it serves the files that few commands load, and all of them on another Node or another processor than the
 * build's.
 */
import { existsSync, readFileSync } from 'node:fs';
import Module, { createRequire, enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';

const folder = import.meta.dirname;
const load = createRequire(import.meta.filename);
const codeFolder = join(folder, 'code', `${process.version}-${process.arch}`);

/** The form of node's wrapper of a CommonJS module. */
type Wrapped = (exports: unknown, require: NodeJS.Require, module: NodeModule, file: string, folder: string) => void;

/** Where the code of a file of the program is kept. */
function codeFile(file: string): string {
  return join(codeFolder, `${file.slice(folder.length + 1)}.code`);
}

/** V8 itself refuses code that another version, other flags or a source of another length made, and compiles. */
function loadWithCode(module: NodeModule, file: string): void {
  const script = new Script(Module.wrap(readFileSync(file, 'utf8')), {
    filename: file,
    cachedData: readFileSync(codeFile(file)),
  });
  const run: Wrapped = script.runInThisContext();
  run.call(module.exports, module.exports, createRequire(file), module, file, folder);
}

enableCompileCache({ directory: join(folder, 'compiled'), portable: true });
const loadPlain = load.extensions['.js'];
load.extensions['.cjs'] = (module, file) => {
  if (dirname(file) === folder && existsSync(codeFile(file))) loadWithCode(module, file);
  else loadPlain(module, file);
};
