/**
 * Who may import whom: the table of rooms (scripts/rooms.cjs). Tests, benches and scripts are outside the product and
 * may look anywhere; conformance suites speak to a program and know nothing of this one. Circles:
 * .dependency-circles.cjs.
 */
const rooms = require('./scripts/rooms.cjs');

const outsideProduct =
  '(\\.test\\.ts$|\\.suite\\.ts$|/testing/|/arbitrary-[^/]+\\.ts$|^[a-z]+/test/|^(conformance|bench|scripts)/)';
const product = (folder) => ({ path: `^${folder}/`, pathNot: outsideProduct });
const guest = '^sandbox/(guest|language|runtime)/';

/** A room that is a folder of another one has rules of its own. */
const roomsInside = (room) => rooms.flatMap((other) => (other.room.startsWith(`${room}/`) ? [`^${other.room}/`] : []));

const holdToImports = ({ room, imports }) => ({
  name: `imports-of-${room.replace('/', '-')}`,
  severity: 'error',
  from: { path: `^${room}/`, pathNot: [outsideProduct, ...roomsInside(room)] },
  to: {
    path: '^(contract|system|sandbox|adapters|supervisor|cli|viewer|conformance|bench|scripts)/',
    pathNot: [room, 'contract', ...imports].map((target) => `^${target}/`),
  },
});

module.exports = {
  forbidden: [
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          outsideProduct,
          '^cli/(main|boot)\\.ts$',
          '^adapters/file-server/main\\.ts$',
          '^sandbox/(host/(main|remake-image)|guest/main)\\.ts$',
          '\\.d\\.ts$',
        ],
      },
      to: {},
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...rooms.map(holdToImports),
    {
      name: 'every-file-is-in-a-room',
      severity: 'error',
      from: {
        path: '^(contract|system|sandbox|adapters|supervisor|cli)/',
        pathNot: [outsideProduct, ...rooms.map(({ room }) => `^${room}/`)],
      },
      to: {},
    },
    // Functions of the calling program are one row of the table of provider sources; what a source is stands below the
    // rows.
    {
      name: 'provider-source-knows-no-row',
      severity: 'error',
      from: product('supervisor/providers/source'),
      to: { path: '^supervisor/(providers|history)/', pathNot: ['^supervisor/providers/source/'] },
    },
    // A program of its own, which runs as a child of the product and not in it.
    {
      name: 'the-file-server-is-alone',
      severity: 'error',
      from: product('adapters/file-server'),
      to: { path: '^(contract|system|sandbox|adapters|supervisor|cli)/', pathNot: ['^adapters/file-server/'] },
    },
    // What these suites know of a program is how it answers.
    {
      name: 'conformance-knows-no-product',
      severity: 'error',
      from: { path: '^conformance/' },
      to: { path: '^(contract|system|sandbox|adapters|supervisor|cli|bench|scripts|dist|bin)/' },
    },
    // A test beside a file holds that file alone; what speaks to a server is a suite.
    {
      name: 'unit-tests-start-no-servers',
      severity: 'error',
      from: { path: '\\.test\\.ts$', pathNot: '^(conformance|bench|scripts)/' },
      to: { path: '^conformance/', reachable: true },
    },
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
    exclude: { path: '^(dist|cli/editors)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
