/**
 * Who may import whom (design: cli -> supervisor -> {sandbox/pool, adapters/pool} -> contract).
 * Tests, conformance suites, benches and scripts stand outside the product and may look anywhere.
 */
const outsideProduct = '(\\.test\\.ts$|\\.suite\\.ts$|/testing/|/arbitrary-[^/]+\\.ts$|^conformance/|^bench/|^scripts/)';
const product = (folder) => ({ path: `^${folder}/`, pathNot: outsideProduct });
const allow = (name, folder, targets) => ({
  name,
  severity: 'error',
  from: product(folder),
  to: { path: '^(contract|sandbox|adapters|supervisor|cli|conformance|bench|scripts)/', pathNot: targets.map((target) => `^${target}`) },
});
const guest = '^sandbox/(guest|language|runtime)/';

module.exports = {
  forbidden: [
    // Values, equality and hashing recurse into each other by nature, and so do the emitters of expressions and functions.
    { name: 'no-cycles', severity: 'error', from: { pathNot: [outsideProduct, '^sandbox/(runtime|language)/'] }, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: [outsideProduct, '^cli/main\\.ts$', '^sandbox/(host|guest)/main\\.ts$', '\\.d\\.ts$'] }, to: {} },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    allow('contract-imports-nothing', 'contract', ['contract/']),
    allow('guest-is-closed', 'sandbox/(guest|language|runtime)', ['sandbox/(guest|language|runtime)/', 'contract/']),
    allow('wire-knows-contract', 'sandbox/wire', ['sandbox/wire/', 'contract/']),
    allow('host-speaks-wire', 'sandbox/host', ['sandbox/host/', 'sandbox/wire/', 'contract/']),
    allow('pool-speaks-wire', 'sandbox/pool', ['sandbox/pool/', 'sandbox/wire/', 'contract/']),
    allow('adapters-know-contract', 'adapters', ['adapters/', 'contract/']),
    allow('supervisor-knows-pools', 'supervisor', ['supervisor/', 'sandbox/pool/', 'adapters/pool/', 'contract/']),
    allow('cli-knows-supervisor', 'cli', ['cli/', 'supervisor/', 'sandbox/pool/', 'contract/']),
    {
      name: 'guest-has-no-host-modules',
      severity: 'error',
      from: { path: guest, pathNot: outsideProduct },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional'] },
    },
    {
      name: 'contract-has-no-packages',
      severity: 'error',
      from: product('contract'),
      to: { dependencyTypes: ['npm', 'npm-dev', 'npm-optional'] },
    },
    {
      name: 'only-hosts-load-isolates',
      severity: 'error',
      from: { pathNot: ['^sandbox/host/', outsideProduct] },
      to: { path: 'node_modules/isolated-vm' },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'], exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
