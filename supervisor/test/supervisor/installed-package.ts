import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The built package, packed and put where programs in this folder import it from. */
export function installPackage(folder: string): void {
  const tarball = execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  mkdirSync(join(folder, 'node_modules/svc'), { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', join(folder, 'node_modules/svc'), '--strip-components=1']);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
}
