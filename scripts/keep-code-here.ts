/**
 * Brought into a process of the program (`node --import`), and so into each of its threads: writes what V8 has of the
 * scripts that `cli/boot.ts` loads. A process does when it ends; a thread is ended by others, and does all the while.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import vm from 'node:vm';
import { isMainThread, threadId } from 'node:worker_threads';

const EVERY_MS = 30;
const scripts = new Map<string, { readonly script: vm.Script; stored: number }>();

vm.Script = class extends vm.Script {
  constructor(text: string, options: vm.ScriptOptions) {
    super(text, options);
    if (options.filename !== undefined) scripts.set(options.filename, { script: this, stored: 0 });
  }
};

function keep(): void {
  for (const [file, one] of scripts) {
    const code = one.script.createCachedData();
    if (code.length <= one.stored) continue;
    one.stored = code.length;
    const name = join(dirname(file), 'code', `${process.version}-${process.arch}`, `${basename(file)}.code`);
    const unfinished = `${name}.${process.pid}-${threadId}`;
    writeFileSync(unfinished, code);
    renameSync(unfinished, name);
  }
}

if (isMainThread) process.once('exit', keep);
else setInterval(keep, EVERY_MS).unref();
