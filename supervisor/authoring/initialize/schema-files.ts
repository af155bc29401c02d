import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tree } from './tree.ts';

/** Which files an editor holds against which schema. */
const DOCUMENTS: Readonly<Partial<Record<string, readonly string[]>>> = {
  manifest: ['svc.json', '*.svc.json'],
  project: ['svc-project.json', '*.svc-project.json'],
  host: ['svc-host.json', 'svc-host.*.json', '*.svc-host.json'],
  gateway: ['svc-gateway.json', '*.svc-gateway.json'],
  mcp: ['svc-mcp.json', '*.svc-mcp.json'],
};

/** Settings of VS Code and of editors that read the same key. */
const ASSOCIATIONS = 'vscode-settings.json';
const SUFFIX = '.schema.json';

/**
 * The JSON Schemas of all documents, and a file by which an editor finds them (first-day.md §1). `shipped`: the folder
 * of them in the program; `place`: where they will lie, as an editor finds it.
 */
export async function schemaFiles(shipped: string, place: string): Promise<Tree> {
  const names = (await readdir(shipped))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted();
  const tree = new Map<string, Uint8Array>();
  for (const name of names) tree.set(`${name}${SUFFIX}`, await readFile(join(shipped, `${name}.json`)));
  return tree.set(ASSOCIATIONS, Buffer.from(associations(names, place)));
}

function associations(names: readonly string[], place: string): string {
  const schemas = names.flatMap((name) => {
    const fileMatch = DOCUMENTS[name];
    return fileMatch === undefined ? [] : [{ fileMatch, url: `${place}/${name}${SUFFIX}` }];
  });
  return `${JSON.stringify({ 'json.schemas': schemas }, null, 2)}\n`;
}
