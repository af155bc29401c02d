/**
 * Writes the pages of the documentation that are made from tables of the program, into docs/reference/. `--check`
 * writes nothing and ends with 1 when a page is not what would be written.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentLibraryPage } from './pages/agent-library.ts';
import { cliPage } from './pages/cli.ts';
import { conformanceGapsPage } from './pages/conformance-gaps.ts';
import { gatewayPage, hostPage, manifestPage, projectPage } from './pages/documents.ts';
import { examplesPage } from './pages/example-trees.ts';
import { functionsPage } from './pages/functions.ts';
import { javaInteropPage } from './pages/java-interop.ts';
import { limitsPage } from './pages/limits.ts';
import { preludesPage } from './pages/preludes.ts';

const folder = join(import.meta.dirname, '../docs/reference');

const PAGES: Readonly<Record<string, () => string>> = {
  functions: functionsPage,
  'conformance-gaps': conformanceGapsPage,
  limits: limitsPage,
  'agent-library': agentLibraryPage,
  cli: cliPage,
  'java-interop': javaInteropPage,
  manifest: manifestPage,
  project: projectPage,
  host: hostPage,
  gateway: gatewayPage,
  examples: examplesPage,
  preludes: preludesPage,
};

const isCheck = process.argv.includes('--check');
await mkdir(folder, { recursive: true });
for (const [name, make] of Object.entries(PAGES)) {
  const [file, text] = [join(folder, `${name}.md`), make()];
  if (!isCheck) await writeFile(file, text);
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`docs/reference/${name}.md is stale, run: node scripts/pages.ts\n`);
    process.exitCode = 1;
  }
}
