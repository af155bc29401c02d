import type { CataloguePage, ListedTool } from './catalogue.ts';
import { refusal, type Refused } from './discovery.ts';

/** A whole catalogue. */
export interface ToolCatalogue {
  readonly ok: true;
  readonly names: readonly string[];
  readonly tools: readonly ListedTool[];
  readonly pages: number;
  /** Tools that cannot be used. */
  readonly leftOut: number;
}

/** How much of a catalogue is read. */
export interface CatalogueBounds {
  readonly tools: number;
  readonly pages: number;
  readonly bytes: number;
}

const BOUNDS = { pages: 16, bytes: 1_048_576 } as const;
/** A client's file was not written for this program: more is read, of which the first tools are offered. */
const IMPORTED_BOUNDS: CatalogueBounds = { tools: 16_384, pages: 512, bytes: 16_777_216 };

export function catalogueBounds({
  maxCatalogTools: tools,
  isImported,
}: {
  readonly maxCatalogTools: number;
  readonly isImported: boolean;
}): CatalogueBounds {
  return isImported ? IMPORTED_BOUNDS : { ...BOUNDS, tools };
}

/**
 * Puts pages together, as each comes: a cursor asks for the next one (providers.md §7.3). No page is asked for beyond a
 * bound, and none twice.
 */
export function cataloguePages(
  bounds: CatalogueBounds,
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
      names.size <= bounds.tools &&
      bytes <= bounds.bytes;
    if (!isSound) return refusal('provider_protocol_error');
    const { cursor } = page;
    if (cursor === null)
      return {
        ok: true,
        names: [...names],
        tools: pages.flatMap(({ tools }) => tools),
        pages: pages.length,
        leftOut: pages.reduce((sum, each) => sum + each.leftOut, 0),
      };
    if (cursors.has(cursor) || pages.length >= bounds.pages) return refusal('provider_protocol_error');
    cursors.add(cursor);
    return { cursor };
  };
}
