import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { CATALOGUE, PAGE_NAMES, type CataloguedPage } from '../cli/documentation/catalogue.ts';
import type { TreePage } from '../cli/documentation/tree.ts';

const ROOT = join(import.meta.dirname, '..');

export interface BuiltPage extends CataloguedPage {
  readonly title: string;
  /** As `svc docs` shows it: links to other pages are commands. */
  readonly content: string;
  /** As its author wrote it. */
  readonly source: string;
}

/**
 * Every page of `svc docs`, part by part (cli.md §7). Throws, with all that is wrong, for a page that is missing
 * or does not begin with a title, for a link that leads to no page, and for a page that is named by a command and does
 * not exist. Pages about svc itself may lead to files of the repository, which are shown as text.
 */
export async function buildPages(schemas: string): Promise<readonly BuiltPage[]> {
  const pages = await Promise.all(CATALOGUE.map(async (page) => readPage(page, schemas)));
  const wrong = pages.flatMap((page) => [
    ...(page.source === ''
      ? [`${page.name}: there is no such page`]
      : page.title === ''
        ? [`${page.name}: its first line is no title`]
        : []),
    ...(page.file === null ? [] : findLinkFaults(page)),
  ]);
  if (wrong.length > 0) throw new Error(`the documentation cannot be built:\n${wrong.join('\n')}`);
  return pages;
}

/** Writes them, and their index, where the program reads them. */
export async function writeDocumentation(folder: string, pages: readonly BuiltPage[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(pages.map(async ({ name, content }) => writeFile(join(folder, name), content)));
  const index = pages.map(({ name, title, content, part, group }) => ({
    name,
    title,
    bytes: Buffer.byteLength(content),
    part,
    group,
  }));
  await writeFile(join(folder, 'index.json'), `${JSON.stringify(index)}\n`);
}

async function readPage(page: CataloguedPage, schemas: string): Promise<BuiltPage> {
  const { name, file } = page;
  if (file !== null) {
    const source = await readFile(join(ROOT, file), 'utf8').catch(() => '');
    const [first] = source.split('\n');
    const title = /^# (\S.*)$/.exec(first ?? '')?.[1] ?? '';
    return { ...page, title, source, content: served(source, file) };
  }
  const source = await readFile(join(schemas, `${name.replace(/^schema-/, '')}.json`), 'utf8').catch(() => '');
  const schema: unknown = source === '' ? null : JSON.parse(source);
  const title =
    typeof schema === 'object' && schema !== null && 'title' in schema && typeof schema.title === 'string'
      ? schema.title
      : '';
  return { ...page, title, source, content: source };
}

const LINK = /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g;
const CODE = /^(?:```|~~~)/;
const ELSEWHERE = /^(?:https?:|mailto:)/;

/** Text outside of blocks of code, line by line. */
function prose(content: string, change: (line: string) => string): string {
  let inCode = false;
  return content
    .split('\n')
    .map((line) => {
      if (CODE.test(line)) inCode = !inCode;
      return inCode ? line : change(line);
    })
    .join('\n');
}

/** Schemas are linked as if they were files beside the pages. */
const PAGE_OF_FILE: ReadonlyMap<string, TreePage> = new Map(
  CATALOGUE.map(({ name, part, file }) => [file ?? `docs/${part}/${name}.md`, name]),
);

/** The page that a link of a file leads to, and the heading there; undefined: none. */
export function findLinkedPage(
  target: string,
  file: string,
): { readonly page: TreePage; readonly anchor: string | null } | undefined {
  const [path = '', anchor = null] = target.split('#');
  const named = path === '' ? file : posix.join(posix.dirname(file), path);
  const page = PAGE_OF_FILE.get(named);
  return page === undefined ? undefined : { page, anchor };
}

/** Links to other pages become what shows them. */
function served(source: string, file: string): string {
  return prose(source, (line) =>
    line.replaceAll(LINK, (link, image: string, text: string, target: string) => {
      if (image !== '') return text;
      if (ELSEWHERE.test(target)) return link;
      const linked = target.startsWith('#') ? undefined : findLinkedPage(target, file);
      return linked === undefined ? text : `${text} (\`svc docs ${linked.page}\`)`;
    }),
  );
}

/** Pages about svc itself, and examples that are copied as a whole, lead to files beside them. */
function leadsToPagesOnly(file: string | null): boolean {
  return file?.startsWith('docs/') === true && !/^docs\/(?:why|spec)\//.test(file);
}

function findLinkFaults({ name, file, source }: BuiltPage): readonly string[] {
  const faults: string[] = [];
  prose(source, (line) => {
    for (const [, , , target = ''] of line.matchAll(LINK))
      if (
        !ELSEWHERE.test(target) &&
        !target.startsWith('#') &&
        leadsToPagesOnly(file) &&
        findLinkedPage(target, file ?? '') === undefined
      )
        faults.push(`${name}: a link to ${target}, which is no page`);
    for (const [, page = ''] of line.matchAll(/`svc docs ([a-z][a-z-]*)`/g))
      if (!PAGE_NAMES.some((known) => known === page)) faults.push(`${name}: svc docs ${page} is no page`);
    return line;
  });
  return faults;
}
