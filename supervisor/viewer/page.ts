import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { HttpAnswer } from './answers.ts';

/** What the entry page knows of the process that served it; `svc-viewer-config` (evidence.md §11). */
export interface PageConfiguration {
  readonly repl_enabled: boolean;
  readonly live_enabled: boolean;
  /** Whether the page may decide what waits for a person. */
  readonly approvals_enabled?: boolean;
  readonly page_bootstrap_nonce?: string;
  readonly live_mutation_nonce?: string;
  /** Clear name of the application, with the fingerprint that its runs carry; absent for one without a name. */
  readonly application?: { readonly name: string; readonly fingerprint: string };
}

/** The built page, read once: what is served is a table, so that no address reaches a file. */
export interface Page {
  /** Null without an asset of this path, which starts with a slash. */
  asset(path: string): HttpAnswer | null;
  entry(configuration: PageConfiguration): HttpAnswer;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const MARK = 'data-svc-viewer-config';

/** `directory`: absolute, with `index.html` and `assets/`. Null where the program was built without a page. */
export async function loadPage(directory: string): Promise<Page | null> {
  const html = await readFile(join(directory, 'index.html'), 'utf8').catch(() => null);
  if (html === null) return null;
  const names = await readdir(join(directory, 'assets'));
  const assets = new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, HttpAnswer]> => {
        const type = TYPES[extname(name)] ?? 'application/octet-stream';
        return [`/assets/${name}`, { status: 200, type, body: await readFile(join(directory, 'assets', name)) }];
      }),
    ),
  );
  return {
    asset: (path) => assets.get(path) ?? null,
    entry: (configuration) => {
      const meta = Buffer.from(JSON.stringify(configuration)).toString('base64url');
      return { status: 200, type: 'text/html; charset=utf-8', body: Buffer.from(html.replace(MARK, meta)) };
    },
  };
}
