/**
 * The words from which the compiler makes up identifiers of its own. They are for people who read generated code and
 * are no names: no program can reach what they name. A word that is missing here does not compile, so that
 * `sandbox/test/language/fuzz/` can give each of them to programs as a name.
 */
export const HINTS = [
  // Hidden locals and labels of the analyser.
  'again',
  'and',
  'at',
  'cells',
  'each',
  'element',
  'expr',
  'or',
  'p',
  'pred',
  'result',
  'source',
  'step',
  'subject',
  'target',
  'tested',
  // Temporaries of the emitter; a digit follows.
  'a',
  'at',
  'error',
  'fast',
  'go',
  'guards',
  'i',
  'n',
  'next',
  't',
  'turns',
  // Functions without a name, and what a block calls its parts.
  'fn',
  'support',
  'thrown',
  'unit',
] as const;

export type Hint = (typeof HINTS)[number];
