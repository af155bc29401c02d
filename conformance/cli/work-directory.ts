import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** A fresh directory of one case, with its files; 0700, so that every destination in it is safe. */
export function makeWorkDirectory(...layers: readonly Readonly<Record<string, unknown>>[]): string {
  const directory = mkdtempSync(join(tmpdir(), 'svc-conformance-'));
  for (const [path, content] of new Map(layers.flatMap((layer) => Object.entries(layer)))) {
    const target = join(directory, path);
    if (content === null) {
      mkdirSync(target, { recursive: true, mode: 0o700 });
    } else {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      writeFileSync(target, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }
  return directory;
}

/** Every file and directory below, as `path` to bytes; directories end in `/` and have none. */
export function snapshot(directory: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) found.set(`${relative(directory, path)}/`, '');
    else found.set(relative(directory, path), entry.isFile() ? readFileSync(path, 'latin1') : '');
  }
  return found;
}

export function removeWorkDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}
