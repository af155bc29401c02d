/**
 * No circle of imports, of types neither, but those that are named here; of folders none at all. Looks at the product
 * alone: tests may look anywhere.
 */
const { options } = require('./.dependency-cruiser.cjs');

const files = (folder, names) => `^${folder}/(?:${names.map((name) => name.replaceAll('.', '\\.')).join('|')})\\.ts$`;

/** Files that recurse into each other by nature, and why. */
const NATURAL = {
  // The hash and equality of a collection are made of those of its elements.
  'equality-of-values': files('sandbox/runtime', [
    'equality',
    'sequence',
    'values/array-map',
    'values/hash-map',
    'values/map-builder',
    'values/record',
    'values/set',
    'values/transient',
  ]),
  // Forms stand in forms.
  'reading-forms': files('sandbox/language/reader', ['reader', 'dispatch']),
  'analysing-forms': files('sandbox/language/analyser', [
    'analyser',
    'destructure',
    'java',
    ...[
      'bindings',
      'case',
      'control',
      'definitions',
      'dynamic',
      'exceptions',
      'function',
      'implementations',
      'multimethods',
      'namespaces',
      'own',
      'protocols',
      'records',
      'sequences',
      'state',
      'table',
      'threading',
    ].map((name) => `forms/${name}`),
  ]),
  // A form that binds names has forms in it.
  'scopes-of-forms': files('sandbox/language/editor', ['scopes', 'scope-forms']),
  // Expressions stand in bodies, and bodies in expressions.
  'emitting-bodies': files('sandbox/language/emitter', [
    'arithmetic',
    'body',
    'case',
    'definition',
    'expressions',
    'numeric-loops',
    'try',
  ]),
  'running-branches': files('sandbox/pool', ['branches', 'branch-isolates']),
};

module.exports = {
  forbidden: [
    { name: 'no-folder-circles', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    { name: 'no-circles', severity: 'error', from: { pathNot: Object.values(NATURAL) }, to: { circular: true } },
    // A named circle goes nowhere else.
    ...Object.entries(NATURAL).map(([name, path]) => ({
      name: `only-${name}`,
      severity: 'error',
      from: { path },
      to: { circular: true, via: { pathNot: path } },
    })),
  ],
  options: {
    ...options,
    exclude: { path: ['^dist/', '\\.test\\.ts$', '^[a-z]+/test/', '/testing/', '/arbitrary-[^/]+\\.ts$'] },
  },
};
