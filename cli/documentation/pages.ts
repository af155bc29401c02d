import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCS_PAGES, type DocsPage } from '../../contract/envelope/docs-pages.ts';
import type { DocsResult } from '../../contract/envelope/results.ts';
import { PROGRAM_FILES } from '../../supervisor/platform/program-folder.ts';

/** A page as the index lists it. */
export type ListedPage = Extract<DocsResult, { readonly pages: unknown }>['pages'][number];

/** The pages of this build, in their order. Throws where the build is broken. */
export function listedPages(directory: string): readonly ListedPage[] {
  const listed: unknown = JSON.parse(readFileSync(join(directory, PROGRAM_FILES.documentation, 'index.json'), 'utf8'));
  if (!Array.isArray(listed) || !listed.every(isListed)) throw new Error('the index of the documentation is broken');
  return listed;
}

function isListed(value: unknown): value is ListedPage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    DOCS_PAGES.some((name) => name === value.name) &&
    'title' in value &&
    'bytes' in value
  );
}

/** A page, byte by byte as it was built. */
export function pageContent(directory: string, page: DocsPage): string {
  return readFileSync(join(directory, PROGRAM_FILES.documentation, page), 'utf8');
}
