import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCS_PAGES } from '../../contract/envelope/docs-pages.ts';
import type { DocsResult } from '../../contract/envelope/results.ts';
import { PROGRAM_FILES } from '../../supervisor/platform/program-folder.ts';
import { HEADINGS, PAGE_NAMES, type Heading, type PageName } from './catalogue.ts';

/** A page as the index of the build has it. */
export interface IndexedPage {
  readonly name: PageName;
  readonly title: string;
  readonly bytes: number;
  readonly heading: Heading;
}

/** Every page of this build, heading by heading. Throws where the build is broken. */
export function indexedPages(directory: string): readonly IndexedPage[] {
  const listed: unknown = JSON.parse(readFileSync(join(directory, PROGRAM_FILES.documentation, 'index.json'), 'utf8'));
  if (!Array.isArray(listed) || !listed.every(isIndexed)) throw new Error('the index of the documentation is broken');
  return listed;
}

/** The pages of interface.md §1.4.2, in its order. */
export function listedPages(directory: string): Extract<DocsResult, { readonly pages: unknown }>['pages'] {
  const indexed = new Map<string, IndexedPage>(indexedPages(directory).map((page) => [page.name, page]));
  return DOCS_PAGES.flatMap((name) => {
    const page = indexed.get(name);
    return page === undefined ? [] : [{ name, title: page.title, bytes: page.bytes }];
  });
}

function isIndexed(value: unknown): value is IndexedPage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    PAGE_NAMES.some((name) => name === value.name) &&
    'title' in value &&
    'bytes' in value &&
    'heading' in value &&
    HEADINGS.some((heading) => heading === value.heading)
  );
}

/** A page, byte by byte as it was built. */
export function pageContent(directory: string, page: PageName): string {
  return readFileSync(join(directory, PROGRAM_FILES.documentation, page), 'utf8');
}
