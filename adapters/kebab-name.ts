const NAME = /^[a-z][a-z0-9-]{0,127}$/;

/**
 * The name that programs use for something that is named otherwise elsewhere, in kebab-case: `listPets` is `list-pets`.
 * Null where that makes no name (world.md §2.3).
 */
export function kebabName(upstream: string): string | null {
  const name = upstream
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return NAME.test(name) ? name : null;
}
