import { flesch } from 'flesch';
import MarkdownIt from 'markdown-it';
import { syllable } from 'syllable';

/** A word that pages do without, and what to write. */
export interface AvoidedWord {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** A use of one. */
export interface AvoidedUse {
  /** Counting from 1. */
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

const TABLE = /<!-- words:[^\n]*-->(.*?)<!-- end of words -->/s;
const ROW = /^\| (?<words>[^|]+) \| (?<instead>[^|]+) \|$/gm;
/** A comment with lines of its own, and one line of one. */
const COMMENT = /^\s*(\/\/|\/\*\*?)(.*)$/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})/;

/** The table of the page about style. Throws where there is none. */
export function avoidedWords(page: string): readonly AvoidedWord[] {
  const table = TABLE.exec(page)?.[1];
  if (table === undefined) throw new Error('the page has no table of words');
  return [...table.matchAll(ROW)]
    .flatMap(({ groups }) => {
      const { words = '', instead = '' } = groups ?? {};
      return words === 'Not' ? [] : words.split(', ').map((word) => ({ pattern: patternOf(word.trim()), instead }));
    })
    .filter(({ pattern }) => pattern.source !== '');
}

function patternOf(word: string): RegExp {
  const text = word.replaceAll(/[^\w\s]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`);
  return new RegExp(`(?<![\\w-])${text}${/\w$/.test(word) ? '(?![\\w-])' : ''}`, 'gi');
}

/** Where the prose of a page has them: neither blocks of code nor code in a line count. */
export function findAvoided(text: string, avoided: readonly AvoidedWord[]): readonly AvoidedUse[] {
  let inCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (FENCE.test(line)) {
      inCode = !inCode;
      return [];
    }
    if (inCode) return [];
    const prose = line.replaceAll(/`[^`]*`/g, '').replaceAll(/\]\([^)]*\)/g, ']');
    return avoided.flatMap(({ pattern, instead }) =>
      [...prose.matchAll(pattern)].map(([word]) => ({ line: index + 1, word, instead })),
    );
  });
}

/** Where the comments of TypeScript have them. Names of code are between backticks there. */
export function findAvoidedInComments(source: string, avoided: readonly AvoidedWord[]): readonly AvoidedUse[] {
  let isInside = false;
  const comments = source.split('\n').map((line) => {
    const [, start = '', comment = ''] = COMMENT.exec(line) ?? [];
    const isComment = isInside || start !== '';
    const text = isInside ? line.replace(/^\s*\*/, '') : comment;
    if (start !== '//') isInside = isComment && !line.includes('*/');
    return isComment ? text : '';
  });
  return findAvoided(comments.join('\n'), avoided);
}

/** Texts in quotes of TypeScript, and lines and parts of lines between tags. */
const TEXT = /'((?:[^'\\]|\\.)*)'|`([^`]*)`|<\/?\w[^<>]*>([^<>{}]+)|^\s*([A-Z][\w ,.:;'-]+)$/g;
/** One word alone is a name of code. */
const SENTENCE = /[A-Za-z,:;.] [A-Za-z]/;

/** Where texts have them that a program shows: what TypeScript has in quotes or between tags. */
export function findAvoidedInTexts(source: string, avoided: readonly AvoidedWord[]): readonly AvoidedUse[] {
  let isComment = false;
  const texts = source.split('\n').map((line) => {
    const starts = COMMENT.exec(line)?.[1];
    const isInside = isComment || starts !== undefined;
    if (starts !== '//') isComment = isInside && !line.includes('*/');
    if (isInside) return '';
    return [...line.matchAll(TEXT)]
      .map((parts) => parts.slice(1).find((part) => part !== undefined) ?? '')
      .filter((text) => SENTENCE.test(text))
      .join('. ');
  });
  return findAvoided(texts.join('\n'), avoided);
}

/** A comment, a text, a character, or anything else of svc-lisp. A text may hold a semicolon, a comment a quote. */
const CLOJURE = /;[^\n]*|"(?:[^"\\]|\\.)*"|\\[\s\S]|[^;"\\]+/g;

/** Where comments and texts of svc-lisp have them: docstrings are texts that people and models read. */
export function findAvoidedInClojure(source: string, avoided: readonly AvoidedWord[]): readonly AvoidedUse[] {
  const prose = [...source.matchAll(CLOJURE)].map(([part]) =>
    part.startsWith(';') || (part.startsWith('"') && SENTENCE.test(part.replaceAll(/\s+/g, ' ')))
      ? part
      : part.replaceAll(/[^\n]/g, ' '),
  );
  return findAvoided(prose.join(''), avoided);
}

/** The paragraphs and items of lists of a page as plain text; code in a line is one short word. */
export function proseOf(markdown: string): readonly string[] {
  const blocks: string[] = [];
  let isLookedUp = false;
  for (const token of new MarkdownIt({ html: false }).parse(markdown, {})) {
    if (/^(?:table|heading)_open$/.test(token.type)) isLookedUp = true;
    if (/^(?:table|heading)_close$/.test(token.type)) isLookedUp = false;
    if (token.type !== 'inline' || isLookedUp) continue;
    const text = (token.children ?? [])
      .map((child) =>
        child.type === 'text'
          ? child.content
          : child.type === 'code_inline'
            ? 'code'
            : child.type.endsWith('break')
              ? ' '
              : '',
      )
      .join('')
      .trim();
    if (text !== '') blocks.push(/[.!?:]$/.test(text) ? text : `${text}.`);
  }
  return blocks;
}

/** Flesch reading ease of some paragraphs: 100 is very easy, 30 a law (Flesch, 1948). */
export function readingEase(blocks: readonly string[]): number {
  const text = blocks.join(' ');
  const words = wordsIn(text);
  if (words.length === 0) return 100;
  const sentence = Math.max(1, text.split(/[.!?](?:\s|$)/).filter((part) => part.trim() !== '').length);
  const syllables = words.reduce((sum, word) => sum + syllable(word), 0);
  return flesch({ sentence, word: words.length, syllable: syllables });
}

/** All words of a page, code, tables and marks included: what `wc -w` counts. */
export function wordCount(markdown: string): number {
  return markdown.split(/\s+/).filter((word) => word !== '').length;
}

/** The words of a page that people read: without code, in blocks or in a line, and without the marks of Markdown. */
export function readWordCount(markdown: string): number {
  return new MarkdownIt({ html: false })
    .parse(markdown, {})
    .flatMap((token) => token.children ?? [])
    .filter(({ type }) => type === 'text')
    .reduce((sum, { content }) => sum + wordsIn(content).length, 0);
}

function wordsIn(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}'’-]+/gu) ?? [];
}
