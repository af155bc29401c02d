import type { CataloguePage, ListedTool } from './catalogue.ts';
import { refusal, type Refused } from './discovery.ts';

/** A whole catalogue. */
export interface ToolCatalogue {
  readonly ok: true;
  readonly names: readonly string[];
  readonly tools: readonly ListedTool[];
  readonly pages: number;
}

const PAGES_MAX = 16;
const CATALOGUE_BYTES = 1_048_576;

/**
 * Puts pages together, as each comes: a cursor asks for the next one (providers.md §7.3). No page is asked for beyond a
 * bound, and none twice.
 */
export function cataloguePages(
  maxTools: number,
): (page: CataloguePage) => ToolCatalogue | Refused | { readonly cursor: string } {
  const pages: CataloguePage[] = [];
  const cursors = new Set<string>();
  const names = new Set<string>();
  let bytes = 0;
  return (page) => {
    pages.push(page);
    bytes += page.bytes;
    const before = names.size;
    for (const name of page.names) names.add(name);
    const isSound =
      page.scope === pages[0]?.scope &&
      names.size === before + page.names.length &&
      names.size <= maxTools &&
      bytes <= CATALOGUE_BYTES;
    if (!isSound) return refusal('provider_protocol_error');
    const { cursor } = page;
    if (cursor === null)
      return { ok: true, names: [...names], tools: pages.flatMap(({ tools }) => tools), pages: pages.length };
    if (cursors.has(cursor) || pages.length >= PAGES_MAX) return refusal('provider_protocol_error');
    cursors.add(cursor);
    return { cursor };
  };
}
