import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The built package, packed and put where programs in this folder import it from. */
export function installPackage(folder: string): void {
  const tarball = execFileSync(join(root, 'scripts/pack.sh'), [folder], { encoding: 'utf8' }).trim();
  const place = join(folder, 'node_modules/@svc-lisp/svc');
  mkdirSync(place, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', place, '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
}
