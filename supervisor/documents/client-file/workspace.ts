import { basename, dirname } from 'node:path';

/** Folders in which projects keep the configuration of a client. */
const CLIENT_FOLDERS: ReadonlySet<string> = new Set(['.vscode', '.cursor', '.claude']);

/** The project that a configuration belongs to. */
export function workspaceOf(file: string): string {
  const folder = dirname(file);
  return CLIENT_FOLDERS.has(basename(folder)) ? dirname(folder) : folder;
}
