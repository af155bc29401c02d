import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCS_PAGES } from '../../contract/envelope/docs-pages.ts';
import type { DocsResult } from '../../contract/envelope/results.ts';
import { PROGRAM_FILES } from '../../system/program-files.ts';
import { findPage, isPage, type PageName } from './catalogue.ts';
import { PARTS, type Part, type TreePage } from './tree.ts';

/** A page as the index of the build has it. */
export interface IndexedPage {
  readonly name: TreePage;
  readonly title: string;
  readonly bytes: number;
  readonly part: Part;
  readonly group: string;
}

/** Every page of this build once, part by part. Throws where the build is broken. */
export function indexedPages(directory: string): readonly IndexedPage[] {
  const listed: unknown = JSON.parse(readFileSync(join(directory, PROGRAM_FILES.documentation, 'index.json'), 'utf8'));
  if (!Array.isArray(listed) || !listed.every(isIndexed)) throw new Error('the index of the documentation is broken');
  return listed;
}

/** The names of interface.md §1.4.2, in its order, each with the page that it means. */
export function listedPages(directory: string): Extract<DocsResult, { readonly pages: unknown }>['pages'] {
  const indexed = new Map<TreePage, IndexedPage>(indexedPages(directory).map((page) => [page.name, page]));
  return DOCS_PAGES.flatMap((name) => {
    const page = indexed.get(findPage(name));
    return page === undefined ? [] : [{ name, title: page.title, bytes: page.bytes }];
  });
}

function isIndexed(value: unknown): value is IndexedPage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    typeof value.name === 'string' &&
    isPage(value.name) &&
    'title' in value &&
    'bytes' in value &&
    'group' in value &&
    'part' in value &&
    PARTS.some((part) => part === value.part)
  );
}

/** A page, byte by byte as it was built. */
export function pageContent(directory: string, page: PageName): string {
  return readFileSync(join(directory, PROGRAM_FILES.documentation, findPage(page)), 'utf8');
}
