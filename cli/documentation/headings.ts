/** A heading of a page in Markdown. */
export interface PageHeading {
  /** Counting from 1. */
  readonly line: number;
  readonly text: string;
  /** 1 for the title, 2 for a part of the page. */
  readonly level: number;
  /** What a link to it ends in; no two of a page are equal. */
  readonly anchor: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^(?<marks>#{1,6}) +(?<title>.*?)(?: +#+)?\s*$/;

/** The headings of a page, outside of blocks of code. */
export function pageHeadings(content: string): readonly PageHeading[] {
  const found: PageHeading[] = [];
  const used = new Map<string, number>();
  let fence: string | null = null;
  for (const [index, line] of content.split('\n').entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    const { marks = '', title: text } = HEADING.exec(line)?.groups ?? {};
    if (text === undefined) continue;
    const slug = slugOf(text);
    const before = used.get(slug) ?? 0;
    used.set(slug, before + 1);
    found.push({
      line: index + 1,
      text: plainText(text),
      level: marks.length,
      anchor: before === 0 ? slug : `${slug}-${before}`,
    });
  }
  return found;
}

/** As the usual hosts of Markdown make it, so that links between files work there too. */
function slugOf(heading: string): string {
  const slug = plainText(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/gu, '-');
  return slug === '' ? 'section' : slug;
}

function plainText(heading: string): string {
  return heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
}
