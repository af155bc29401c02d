import { DOCS_PAGES, SCHEMA_PAGES, type DocsPage } from '../../contract/envelope/docs-pages.ts';
import { OTHER_FILES, OTHER_NAMES, TREE, type Part, type TreePage } from './tree.ts';

/** Any name of a page that a person can be shown. */
export type PageName = TreePage | keyof typeof OTHER_NAMES;

/** A page that only people are shown: no envelope can hold it (cli.md §7). */
export type FurtherPage = Exclude<PageName, DocsPage>;

/** A page of the documentation, and where its text is kept; null: the build makes it. */
export interface CataloguedPage {
  readonly name: TreePage;
  readonly part: Part;
  /** Empty: the first group of its part. */
  readonly group: string;
  /** Relative to the repository. */
  readonly file: string | null;
}

/** Every page once, part by part (first-day.md §5). */
export const CATALOGUE: readonly CataloguedPage[] = TREE.flatMap(({ part, title, pages }) =>
  pages.map((name) => ({ name, part, group: title, file: fileOf(part, name) })),
);

const PAGES: ReadonlySet<string> = new Set(CATALOGUE.map(({ name }) => name));

/** Every name that `svc docs` takes. */
export const PAGE_NAMES: readonly PageName[] = [
  ...CATALOGUE.map(({ name }) => name),
  ...Object.keys(OTHER_NAMES).filter(isOtherName),
];

const INTERFACE_NAMES: ReadonlySet<string> = new Set(DOCS_PAGES);

export function isFurtherPage(name: PageName): name is FurtherPage {
  return !INTERFACE_NAMES.has(name);
}

/** The page that a name means. */
export function findPage(name: PageName): TreePage {
  return isOtherName(name) ? OTHER_NAMES[name] : name;
}

/** Whether it is the first name of a page. */
export function isPage(name: string): name is TreePage {
  return PAGES.has(name);
}

function isOtherName(name: string): name is keyof typeof OTHER_NAMES {
  return Object.hasOwn(OTHER_NAMES, name);
}

function fileOf(part: Part, name: string): string | null {
  if (SCHEMA_PAGES.some((schema) => schema === name)) return null;
  const example = /^example-(.+)$/.exec(name)?.[1];
  return OTHER_FILES[name] ?? (example === undefined ? `docs/${part}/${name}.md` : `examples/${example}/README.md`);
}
