import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { pageHeadings } from '../../cli/documentation/headings.ts';
import { SITE_POLICY } from '../../cli/documentation/site-policy.ts';
import { weightOf } from '../../cli/documentation/question-search.ts';
import { PARTS, type TreePage } from '../../cli/documentation/tree.ts';
import type { BuiltPage } from '../documentation.ts';
import { renderPage } from './render-page.ts';

/** Name and title of a page that the search finds, and its text as `svc docs` shows it. */
export interface SearchRow {
  readonly name: TreePage;
  readonly title: string;
  readonly content: string;
  /** For the search (`weightOf`). */
  readonly weight: number;
}

/** The first page that a reader sees. */
const HOME: TreePage = 'quickstart';

/**
 * Writes the documentation as static files, all in one folder: a page each, one style, one script, and the texts that
 * the search reads (first-day.md §5). They load nothing from elsewhere and work from a file system too. Throws, with
 * all of them, for links that lead to no page or to no heading of one.
 */
export async function writeSite(folder: string, pages: readonly BuiltPage[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const anchors = new Map(
    pages.map(({ name, file, source }) => [
      name,
      new Set(file === null ? [] : pageHeadings(source).map(({ anchor }) => anchor)),
    ]),
  );
  const dead: string[] = [];
  for (const page of pages) {
    const { html, links } = renderPage(page);
    for (const { page: target, anchor } of links)
      if (anchor !== null && anchors.get(target)?.has(anchor) !== true)
        dead.push(`${page.name}: a link to #${anchor} of ${target}, which has no such heading`);
    await writeFile(join(folder, `${page.name}.html`), frame(page, html, pages));
  }
  if (dead.length > 0) throw new Error(`the site cannot be built:\n${dead.join('\n')}`);
  const home = pages.find(({ name }) => name === HOME);
  if (home === undefined) throw new Error(`there is no page ${HOME}`);
  await writeFile(join(folder, 'index.html'), frame(home, renderPage(home).html, pages));
  const rows: readonly SearchRow[] = pages.flatMap(({ name, title, content, file, part, group }) =>
    file === null ? [] : [{ name, title, content, weight: weightOf(part, group) }],
  );
  await writeFile(join(folder, 'search-texts.js'), `globalThis.svcSearchTexts = ${JSON.stringify(rows)};\n`);
  await writeFile(join(folder, 'site.css'), await readFile(join(import.meta.dirname, 'site.css')));
  await esbuild.build({
    entryPoints: [join(import.meta.dirname, 'browser/page-script.ts')],
    outfile: join(folder, 'site.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2023',
    legalComments: 'none',
    logLevel: 'warning',
  });
}

function frame({ name, title }: BuiltPage, html: string, pages: readonly BuiltPage[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${SITE_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · svc</title>
<link rel="stylesheet" href="site.css">
<script src="site.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the page</a>
<header>
<a class="home" href="index.html">svc</a>
<div class="search" role="search">
<label for="search">Search</label>
<input id="search" type="search" maxlength="128" autocomplete="off" placeholder="Search (press /)">
<div id="found" aria-live="polite"></div>
</div>
</header>
<div class="columns">
<nav aria-label="Pages">
<details id="pages" open>
<summary>Pages</summary>
${navigation(name, pages)}
</details>
</nav>
<main id="content" tabindex="-1">
${html}</main>
</div>
</body>
</html>
`;
}

function navigation(shown: TreePage, pages: readonly BuiltPage[]): string {
  return PARTS.map((part) => {
    const groups = Map.groupBy(
      pages.filter((page) => page.part === part),
      ({ group }) => group,
    );
    const lists = [...groups].map(([group, below]) => {
      const rows = below.map(
        ({ name, title }) =>
          `<li><a href="${name}.html"${name === shown ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`,
      );
      const list = `<ul>\n${rows.join('\n')}\n</ul>`;
      if (group === '') return list;
      const isOpen = below.some(({ name }) => name === shown);
      return `<details class="group"${isOpen ? ' open' : ''}>\n<summary>${escaped(group)}</summary>\n${list}\n</details>`;
    });
    return `<p class="heading">${part}</p>\n${lists.join('\n')}`;
  }).join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
