/** Compiles the shipped libraries for the compiler of the guests, so that no application has to. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileComponents } from '../sandbox/language/components/compile-bundle.ts';
import { writeReady } from '../sandbox/language/components/ready-component.ts';
import { newSession } from '../sandbox/language/link/new-session.ts';
import { shippedLibraries } from '../supervisor/documents/libraries/shipped.ts';
import { nameCompiler } from './guest-bundle.ts';

/** From the folder of the libraries' sources into another. */
export function writeReadyLibraries(sourceFolder: string, folder: string): void {
  const sources = [...shippedLibraries(sourceFolder).values()].map(({ id, source, dependencies }) => ({
    id,
    source: new TextDecoder().decode(source),
    dependencies,
  }));
  const set = compileComponents(newSession(), sources);
  if ('reason' in set || set.refusals.length > 0)
    throw new Error(`the libraries do not compile: ${JSON.stringify(set)}`);
  const compiler = nameCompiler();
  for (const ready of set.compiled)
    writeFileSync(join(folder, `${ready.component.id}.ready`), writeReady(ready, compiler));
}
