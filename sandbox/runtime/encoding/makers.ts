/**
 * Built-ins whose functions are written as the call that made them. None of them calls what it is given, so making
 * such a function again has no effect, whatever text asked for it.
 */
const MAKERS: ReadonlySet<string> = new Set(
  [
    'constantly complement partial comp juxt fnil every-pred some-fn memoize completing comparator',
    'map filter remove keep map-indexed keep-indexed mapcat distinct dedupe replace interpose',
    'take drop take-while drop-while take-nth partition-all partitionv-all partition-by halt-when',
  ].flatMap((names) => names.split(' ').map((name) => `clojure.core/${name}`)),
);

export function isMaker(name: string): boolean {
  return MAKERS.has(name);
}
