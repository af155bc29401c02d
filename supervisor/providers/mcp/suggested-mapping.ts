import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { isReservedName } from '../../../contract/routes.ts';
import { kebabName } from '../../../contract/tool-mapping.ts';
import type { ToolCatalogue } from '../source/installed-provider.ts';

/**
 * A mapping of every tool, for an operator to paste and to correct: names in kebab-case, each once, effects as the
 * server reports them, `write` where it does not (world.md §2.3).
 */
export function suggestedMapping(tools: ToolCatalogue['tools']): JsonObject {
  const used = new Set<string>();
  const callable = tools.filter(({ isCallable }) => isCallable);
  return new Map(
    callable.map(({ name, isReadOnly }, at): [string, JsonValue] => {
      const plain = kebabName(name) ?? `tool-${at + 1}`;
      const as = firstFree(isReservedName(plain) ? `own-${plain}` : plain, used);
      used.add(as);
      return [
        name,
        new Map<string, JsonValue>([
          ['as', as],
          ['effect', isReadOnly ? 'read' : 'write'],
        ]),
      ];
    }),
  );
}

const NAME_LENGTH_MAX = 128;

function firstFree(name: string, used: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `-${count}`;
    const free = `${name.slice(0, NAME_LENGTH_MAX - suffix.length)}${suffix}`;
    if (!used.has(free)) return free;
  }
}
