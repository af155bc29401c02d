/* eslint-disable import/no-duplicates -- languages share one declaration, types/highlight-language.d.ts */
import highlight from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import clojure from 'highlight.js/lib/languages/clojure';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import MarkdownIt from 'markdown-it';
import { pageHeadings } from '../../cli/documentation/headings.ts';
import type { TreePage } from '../../cli/documentation/tree.ts';
import { findLinkedPage, type BuiltPage } from '../documentation.ts';

/** A page as HTML, and the pages that it leads to. */
export interface RenderedPage {
  readonly html: string;
  readonly links: readonly { readonly page: TreePage; readonly anchor: string | null }[];
}

const LANGUAGES = { bash, clojure, dockerfile, javascript, json, typescript, yaml } as const;
for (const [name, language] of Object.entries(LANGUAGES)) highlight.registerLanguage(name, language);
/** Words behind a fence that mean one of them. */
const ALIASES: Readonly<Record<string, keyof typeof LANGUAGES>> = {
  sh: 'bash',
  clj: 'clojure',
  edn: 'clojure',
  js: 'javascript',
  jsonl: 'json',
  ts: 'typescript',
  yml: 'yaml',
};
/** Characters of a block beyond which colours would make the page slow to open. */
const COLOURED_MAX = 100_000;
/** A wide screen has room for these in one line. */
const NAME = /^\S{1,36}$/;
/** A page with fewer headings of the second level is short enough to scroll. */
const PARTS_OF_LONG = 4;
/** Before a command in a block of what a terminal shows. */
const PROMPT = '$ ';
const WEB = /^(?:https?:|mailto:)/;

/** Renders Markdown without any HTML of its own: what an author wrote as a tag is shown as text. */
export function renderPage(page: BuiltPage): RenderedPage {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
  if (page.file === null) {
    return { html: `<h1>${escape(page.title)}</h1>\n${block(colour(page.content, 'json'))}`, links: [] };
  }
  const { file, source, name } = page;
  const links: { page: TreePage; anchor: string | null }[] = [];
  const anchors = new Map(pageHeadings(source).map(({ line, anchor }) => [line, anchor]));
  const { rules } = markdown.renderer;
  rules.fence = (tokens, index) => {
    const { info = '', content = '' } = tokens[index] ?? {};
    const word = info.trim().split(/\s+/)[0] ?? '';
    return block(word === 'console' ? consoleHtml(content) : colour(content, word));
  };
  rules.code_block = (tokens, index) => block(escape(tokens[index]?.content ?? ''));
  let isTable = false;
  rules.code_inline = (tokens, index) => {
    const { content = '' } = tokens[index] ?? {};
    // In a narrow column a long name goes on in the next line at a joint, and not within a word.
    const shown = isTable ? escape(content).replaceAll(/(?<=\w)[_./](?=\w)/g, '$&<wbr>') : escape(content);
    return `<code${isTable && NAME.test(content) ? ' class="name"' : ''}>${shown}</code>`;
  };
  rules.table_open = () => {
    isTable = true;
    return '<div class="table" role="region" aria-label="Table" tabindex="0">\n<table>\n';
  };
  rules.table_close = () => {
    isTable = false;
    return '</table>\n</div>\n';
  };
  rules.image = (tokens, index) => `<span class="picture">${escape(tokens[index]?.content ?? '')}</span>`;
  markdown.core.ruler.push('links-and-anchors', (state) => {
    for (const token of state.tokens) {
      // The policy of the site takes no style that is written into a page.
      if (token.attrGet('style') !== null) token.attrs = [['class', String(token.attrGet('style')).replace(':', '-')]];
      if (token.type === 'heading_open') {
        const anchor = anchors.get((token.map?.[0] ?? -1) + 1);
        if (anchor !== undefined) token.attrSet('id', anchor);
      }
      // A link to a file that is no page stays text.
      const removed: boolean[] = [];
      token.children = (token.children ?? []).filter((child) => {
        if (child.type === 'link_close') return removed.pop() !== true;
        if (child.type !== 'link_open') return true;
        const target = String(child.attrGet('href') ?? '');
        if (WEB.test(target)) {
          child.attrSet('rel', 'noreferrer');
          removed.push(false);
          return true;
        }
        const linked = findLinkedPage(decodeURI(target), file);
        removed.push(linked === undefined);
        if (linked === undefined) return false;
        links.push(linked);
        const hash = linked.anchor === null ? '' : `#${linked.anchor}`;
        child.attrSet('href', linked.page === name && hash !== '' ? hash : `${linked.page}.html${hash}`);
        return true;
      });
    }
  });
  const html = markdown.render(source);
  return { html: html.replace('</h1>\n', (end) => `${end}${contents(source)}`), links };

  /** A list of the parts of a long page, behind its title: native controls, which keys and readers of screens know. */
  function contents(text: string): string {
    const parts = pageHeadings(text).filter(({ level }) => level === 2);
    if (parts.length < PARTS_OF_LONG) return '';
    const rows = parts.map((part) => `<li><a href="#${encodeURI(part.anchor)}">${escape(part.text)}</a></li>`);
    return `<nav class="parts" aria-label="On this page">\n<details>\n<summary>On this page</summary>\n<ul>\n${rows.join('\n')}\n</ul>\n</details>\n</nav>\n`;
  }

  function escape(text: string): string {
    return markdown.utils.escapeHtml(text);
  }

  /** What is typed and what is printed are apart for the eye, and for the button that copies what is typed. */
  function consoleHtml(content: string): string {
    return consoleParts(content)
      .map(({ kind, text }) =>
        kind === 'command'
          ? `<span class="prompt">$ </span><span class="typed">${colour(text, 'bash')}</span>\n`
          : `<span class="output">${escape(text)}\n</span>`,
      )
      .join('');
  }

  function colour(code: string, word: string): string {
    const language = ALIASES[word] ?? word;
    return code.length > COLOURED_MAX || highlight.getLanguage(language) === undefined
      ? escape(code)
      : highlight.highlight(code, { language, ignoreIllegals: true }).value;
  }
}

/** It may be wider than the page, and is then moved by keys too. The script of the site gives it a button to copy. */
function block(html: string): string {
  return `<div class="block"><pre tabindex="0"><code>${html}</code></pre></div>\n`;
}

interface ConsolePart {
  readonly kind: 'command' | 'output';
  readonly text: string;
}

/**
 * A block of what a terminal shows: commands begin with `$ `, and go on behind a backslash; the rest is output. An
 * empty line between an output and the next command belongs to neither.
 */
function consoleParts(content: string): readonly ConsolePart[] {
  const parts: ConsolePart[] = [];
  let goesOn = false;
  for (const line of content.replace(/\n$/, '').split('\n')) {
    const last = parts.at(-1);
    const kind: ConsolePart['kind'] = goesOn || line.startsWith(PROMPT) ? 'command' : 'output';
    const text = kind === 'command' && !goesOn ? line.slice(PROMPT.length) : line;
    if (goesOn || (kind === 'output' && last?.kind === 'output'))
      parts.splice(-1, 1, { kind, text: `${last?.text ?? ''}\n${text}` });
    else parts.push({ kind, text });
    goesOn = kind === 'command' && line.endsWith('\\');
  }
  return parts
    .map(({ kind, text }) => ({ kind, text: kind === 'output' ? text.replaceAll(/^\n+|\n+$/g, '') : text }))
    .filter(({ text }) => text !== '');
}
