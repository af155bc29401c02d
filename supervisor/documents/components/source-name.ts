import type { Component } from './read.ts';

/** How a source is named to people. */
export interface SourceName {
  /** Its published name. */
  readonly file: string;
  /**
   * Its path from the working directory, or the absolute one where it is not below that; null for a source that is no
   * file.
   */
  readonly opens: string | null;
}

export type NameSource = (component: Pick<Component, 'origin' | 'sourceName'>) => SourceName;

/**
 * Names the sources of an application in `directory` to a person in `workingDirectory`, both absolute and canonical.
 */
export function sourceNames(directory: string, workingDirectory: string): NameSource {
  const folder = withSlash(directory);
  const prefix = withSlash(workingDirectory);
  const shown = folder.startsWith(prefix) ? folder.slice(prefix.length) : folder;
  return ({ origin, sourceName }) => ({ file: sourceName, opens: origin === 'local' ? `${shown}${sourceName}` : null });
}

function withSlash(directory: string): string {
  return directory.endsWith('/') ? directory : `${directory}/`;
}
