/**
 * Who may import whom (design: cli -> supervisor -> {sandbox/pool, adapters/pool} -> contract).
 * Tests, integration suites, benches and scripts stand outside the product and may look anywhere; conformance suites speak
 * to a program and know nothing of this one. Circles: .dependency-circles.cjs.
 */
const outsideProduct = '(\\.test\\.ts$|\\.suite\\.ts$|/testing/|/arbitrary-[^/]+\\.ts$|^(integration|conformance)/|^bench/|^scripts/)';
const product = (folder) => ({ path: `^${folder}/`, pathNot: outsideProduct });
const allow = (name, folder, targets) => ({
  name,
  severity: 'error',
  from: product(folder),
  to: { path: '^(contract|sandbox|adapters|supervisor|cli|file-server|integration|conformance|bench|scripts)/', pathNot: targets.map((target) => `^${target}`) },
});
const guest = '^sandbox/(guest|language|runtime)/';

module.exports = {
  forbidden: [
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: [outsideProduct, '^cli/main\\.ts$', '^adapters/file-server/main\\.ts$', '^sandbox/(host/(main|remake-image)|guest/main)\\.ts$', '\\.d\\.ts$'] }, to: {} },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    allow('contract-imports-nothing', 'contract', ['contract/']),
    allow('guest-is-closed', 'sandbox/(guest|language|runtime)', ['sandbox/(guest|language|runtime)/', 'contract/']),
    allow('wire-knows-contract', 'sandbox/wire', ['sandbox/wire/', 'contract/']),
    allow('host-speaks-wire', 'sandbox/host', ['sandbox/host/', 'sandbox/wire/', 'contract/']),
    allow('pool-speaks-wire', 'sandbox/pool', ['sandbox/pool/', 'sandbox/wire/', 'contract/']),
    allow('adapters-know-contract', 'adapters', ['adapters/', 'contract/']),
    allow('supervisor-knows-pools', 'supervisor', ['supervisor/', 'sandbox/pool/', 'adapters/pool/', 'contract/']),
    // What one provider is stands below the table of sources, and functions of the calling program are one of its rows.
    allow('provider-source-is-below-its-rows', 'supervisor/provider-source', ['supervisor/providers/source/', 'supervisor/calls/broker/capability\\.ts$', 'supervisor/documents/', 'contract/']),
    allow('custom-is-a-row', 'supervisor/custom', ['supervisor/providers/custom/', 'supervisor/platform/arguments/', 'supervisor/providers/source/', 'supervisor/providers/schemas/', 'supervisor/calls/broker/capability\\.ts$', 'contract/']),
    allow('the-table-knows-its-rows', 'supervisor/providers', ['supervisor/providers/', 'supervisor/providers/source/', 'supervisor/history/analysis/', 'supervisor/providers/custom/(source|installation)\\.ts$', 'supervisor/calls/broker/(capability|run-ending)\\.ts$', 'supervisor/documents/', 'supervisor/providers/schemas/', 'adapters/pool/', 'contract/']),
    // A program of its own, which runs as a child of the product and not in it.
    allow('the-file-server-stands-alone', 'file-server', ['adapters/file-server/']),
    allow('cli-has-one-door', 'cli', ['cli/', 'supervisor/api/', 'contract/']),
    // What these suites know of a program is how it answers.
    { name: 'conformance-knows-no-product', severity: 'error', from: { path: '^conformance/' }, to: { path: '^(contract|sandbox|adapters|supervisor|cli|integration|bench|scripts|dist|bin)/' } },
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
