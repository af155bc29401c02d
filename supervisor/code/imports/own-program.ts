import { realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { Variables } from '../../../system/configuration/configuration.ts';
import type { OwnProgram } from './own-entry.ts';

/** This program, so that an entry that starts it is known by whatever name. */
export function ownProgram(programDirectory: string, variables: Variables): OwnProgram {
  const folders = (variables['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const paths = [process.argv[1] ?? '', join(programDirectory, 'svc.cjs'), join(programDirectory, '../bin/svc')];
  return {
    paths: new Set(paths.map(canonical).filter((path) => path !== null)),
    resolve: (word) =>
      word.includes('/')
        ? canonical(resolve(word))
        : (folders.map((folder) => canonical(join(folder, word))).find((path) => path !== null) ?? null),
  };
}

function canonical(path: string): string | null {
  try {
    return path === '' ? null : realpathSync(path);
  } catch {
    return null;
  }
}
