import { openQuestionSearch } from '../../../cli/documentation/question-search.ts';
import type { DocsSearch } from '../../../cli/documentation/search.ts';
import type { SearchRow } from '../build-site.ts';
import { addCopyButtons } from './copy-buttons.ts';

declare global {
  // What search-texts.js sets.
  var svcSearchTexts: readonly SearchRow[] | undefined;
}

/** Narrower screens begin with the list of pages folded. */
const NARROW = '(max-width: 56rem)';
const PAUSE_MS = 120;

const input = document.querySelector<HTMLInputElement>('#search');
const found = document.querySelector<HTMLElement>('#found');
const pages = document.querySelector<HTMLDetailsElement>('#pages');

if (pages !== null && matchMedia(NARROW).matches) pages.open = false;
document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });

addCopyButtons(document);

type Search = (term: string) => DocsSearch;
let opening: Promise<Search> | null = null;

/** Reads the texts when somebody first searches: they are a megabyte. */
async function openTexts(): Promise<Search> {
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'search-texts.js';
    script.addEventListener('load', () => {
      resolve();
    });
    script.addEventListener('error', () => {
      reject(new Error('search-texts.js cannot be read'));
    });
    document.head.append(script);
  });
  return openQuestionSearch(globalThis.svcSearchTexts ?? []);
}

const titleOf = (name: string): string => globalThis.svcSearchTexts?.find((row) => row.name === name)?.title ?? name;

function show({ matches, omittedMatches, omittedPages }: DocsSearch): void {
  const list = document.createElement('ul');
  for (const name of new Set(matches.map(({ page }) => page))) {
    const item = document.createElement('li');
    for (const [index, { anchor, text }] of matches.filter(({ page }) => page === name).entries()) {
      const link = document.createElement('a');
      link.href = `${name}.html${anchor === null ? '' : `#${anchor}`}`;
      if (index === 0) {
        const title = document.createElement('strong');
        title.textContent = titleOf(name);
        link.append(title);
      }
      const line = document.createElement('span');
      line.textContent = text;
      link.append(line);
      item.append(link);
    }
    list.append(item);
  }
  const summary = document.createElement('p');
  summary.textContent =
    matches.length === 0
      ? 'Nothing found'
      : omittedMatches === 0
        ? `${matches.length} lines`
        : `${omittedMatches} more lines${omittedPages === 0 ? '' : `, on ${omittedPages} more pages among others`}`;
  found?.replaceChildren(list, summary);
}

async function search(): Promise<void> {
  const term = input?.value.trim() ?? '';
  if (term === '') {
    found?.replaceChildren();
    return;
  }
  opening ??= openTexts();
  const find = await opening;
  // What was typed meanwhile has its own search.
  if (term === input?.value.trim()) show(find(term));
}

function report(error: unknown): void {
  const line = document.createElement('p');
  line.textContent = error instanceof Error ? error.message : String(error);
  found?.replaceChildren(line);
}

let timer: ReturnType<typeof setTimeout> | undefined;
input?.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    search().catch(report);
  }, PAUSE_MS);
});
input?.addEventListener('keydown', ({ key }) => {
  if (key === 'Enter') found?.querySelector<HTMLAnchorElement>('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && input !== null) {
    input.value = '';
    found?.replaceChildren();
  }
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault();
    input?.focus();
  }
});
document.addEventListener('click', ({ target }) => {
  // A link to a heading of the page itself leaves the results open otherwise.
  if (target instanceof Element && target.closest('#found a') !== null) found?.replaceChildren();
});
