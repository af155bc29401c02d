const INPUT_KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,127}=/;

/** KEY=VALUE of a run's input; a file of such a name is written `./KEY=VALUE`. */
export function isInputPair(value: string): boolean {
  return INPUT_KEY.test(value);
}

/** At the first equals sign. */
export function splitPair(pair: string): readonly [key: string, value: string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
}
