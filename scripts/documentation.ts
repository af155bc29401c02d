import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DOCS_PAGES, PROSE_PAGES, type DocsPage } from '../contract/envelope/docs-pages.ts';

/** Where the prose lies. */
export const PAGES_FOLDER = join(import.meta.dirname, '../docs/pages');

export interface BuiltPage {
  readonly name: DocsPage;
  readonly title: string;
  readonly content: string;
}

/**
 * Every page of `svc docs`, in its order (cli.md §7). Throws, with all that is wrong, for a page that is not there or
 * does not begin with a title, for a link that leads to no page, and for a page that is named by a command and does not
 * exist.
 */
export async function builtPages(schemas: string): Promise<readonly BuiltPage[]> {
  const pages = await Promise.all(DOCS_PAGES.map(async (name) => pageOf(name, schemas)));
  const wrong = pages.flatMap(({ name, content, title }) => [
    ...(content === ''
      ? [`${name}: there is no such page`]
      : title === ''
        ? [`${name}: its first line is no title`]
        : []),
    ...(isProse(name) ? faultsOf(name, content) : []),
  ]);
  if (wrong.length > 0) throw new Error(`the documentation cannot be built:\n${wrong.join('\n')}`);
  return pages.map((page) => (isProse(page.name) ? { ...page, content: served(page.content) } : page));
}

/** Writes them, and their index, where the program reads them. */
export async function writeDocumentation(folder: string, schemas: string): Promise<void> {
  const pages = await builtPages(schemas);
  await mkdir(folder, { recursive: true });
  await Promise.all(pages.map(({ name, content }) => writeFile(join(folder, name), content)));
  const index = pages.map(({ name, title, content }) => ({ name, title, bytes: Buffer.byteLength(content) }));
  await writeFile(join(folder, 'index.json'), `${JSON.stringify(index)}\n`);
}

const isProse = (name: DocsPage): boolean => PROSE_PAGES.some((prose) => prose === name);

async function pageOf(name: DocsPage, schemas: string): Promise<BuiltPage> {
  if (isProse(name)) {
    const content = await readFile(join(PAGES_FOLDER, `${name}.md`), 'utf8').catch(() => '');
    const [first] = content.split('\n');
    return { name, content, title: /^# (\S.*)$/.exec(first ?? '')?.[1] ?? '' };
  }
  const content = await readFile(join(schemas, `${name.replace(/^schema-/, '')}.json`), 'utf8').catch(() => '');
  const schema: unknown = content === '' ? null : JSON.parse(content);
  const title =
    typeof schema === 'object' && schema !== null && 'title' in schema && typeof schema.title === 'string'
      ? schema.title
      : '';
  return { name, content, title };
}

const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;
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

function linked(target: string): DocsPage | undefined {
  const [path = ''] = target.split('#');
  return DOCS_PAGES.find((name) => path === `${name}.md`);
}

/** Links to other pages become what shows them. */
function served(content: string): string {
  return prose(content, (line) =>
    line.replaceAll(LINK, (link, text: string, target: string) => {
      if (ELSEWHERE.test(target)) return link;
      const page = linked(target);
      return page === undefined ? text : `${text} (\`svc docs ${page}\`)`;
    }),
  );
}

function faultsOf(name: string, content: string): readonly string[] {
  const faults: string[] = [];
  prose(content, (line) => {
    for (const [, , target = ''] of line.matchAll(LINK))
      if (!ELSEWHERE.test(target) && !target.startsWith('#') && linked(target) === undefined)
        faults.push(`${name}: a link to ${target}, which is no page`);
    for (const [, page = ''] of line.matchAll(/`svc docs ([a-z][a-z-]*)`/g))
      if (!DOCS_PAGES.some((known) => known === page)) faults.push(`${name}: svc docs ${page} is no page`);
    return line;
  });
  return faults;
}
