/** Writes the types of what other programs import: the declarations that its face reaches, and nothing of a package. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '..');
const IMPORTED = /(?:from|import\()\s*'([^']+)'/g;

/**
 * `face`: from the root of the tree. Throws for a declaration that needs a package, which nobody who imports it has.
 */
export function writeDeclarations(summary: string, target: string): void {
  const whole = mkdtempSync(`${target}-`);
  try {
    const project = join(whole, 'project.json');
    const compilerOptions = {
      noEmit: false,
      emitDeclarationOnly: true,
      declaration: true,
      rootDir: root,
      outDir: whole,
      typeRoots: [join(root, 'node_modules/@types')],
    };
    writeFileSync(
      project,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions,
        include: [],
        files: [join(root, summary)],
      }),
    );
    execFileSync(process.execPath, [join(root, 'node_modules/.bin/tsc'), '-p', project], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    for (const file of reached(whole, summary.replace(/\.ts$/, '.d.ts'))) {
      mkdirSync(dirname(join(target, file)), { recursive: true });
      copyFileSync(join(whole, file), join(target, file));
    }
  } finally {
    rmSync(whole, { recursive: true, force: true });
  }
}

function reached(folder: string, summary: string): ReadonlySet<string> {
  const found = new Set<string>();
  const pending = [summary];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, name = ''] of readFileSync(join(folder, file), 'utf8').matchAll(IMPORTED)) {
      if (name.startsWith('.')) pending.push(normalize(join(dirname(file), name.replace(/\.ts$/, '.d.ts'))));
      else if (!name.startsWith('node:')) throw new Error(`${file} needs the types of ${name}`);
    }
  }
  return found;
}
