// Each folder directly in lib is called a room. A file in lib may import from its own room and from the rooms that come
// earlier in this list.
const ROOMS = [
  'contract',
  'platform',
  'activity',
  'webhooks',
  'access',
  'booking',
  'operations',
  'http',
  'control-center',
];

const upward = ROOMS.map((room, i) => ({
  name: `lib-${room}-imports-lower-rooms-only`,
  comment: `lib/${room} may import: ${ROOMS.slice(0, i + 1).join(', ')}.`,
  severity: 'error',
  from: { path: `^lib/${room}/` },
  to: { path: '^lib/', pathNot: `^lib/(${ROOMS.slice(0, i + 1).join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular-files',
      comment: 'Files must not import each other in a cycle. Merge them, or move the shared part to a third file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      comment: 'Folders must not import each other in a cycle. Merge them, or move the shared part to a third folder.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^lib/[^/]+/[^/]+$' },
      to: { circular: true, path: '^lib/[^/]+/[^/]+$' },
    },
    {
      name: 'lib-has-nine-rooms',
      comment: 'Every file of lib must be in one of its rooms.',
      severity: 'error',
      from: { path: '^lib/', pathNot: `^lib/(${ROOMS.join('|')})/` },
      to: {},
    },
    ...upward,
    {
      name: 'lib-does-not-know-its-callers',
      comment: 'lib must not import app, inngest, or scripts.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(app|inngest|scripts|tests|prisma)/|^node_modules/(next|inngest)/' },
    },
    {
      name: 'contract-is-pure',
      comment: 'The contract may import only zod and libraries that parse formats.',
      severity: 'error',
      from: { path: '^lib/contract/', pathNot: '^lib/contract/docs/' },
      to: { pathNot: '^lib/contract/|^node_modules/(zod|bcp-47|iso-3166|libphonenumber-js)/' },
    },
    {
      name: 'contract-docs-are-pure',
      comment: 'The documentation may import only the contract, marked, highlight.js, minisearch, and file access.',
      severity: 'error',
      from: { path: '^lib/contract/docs/' },
      to: { pathNot: '^lib/contract/|^node_modules/(marked|highlight\\.js|minisearch)/|^(node:)?(fs|path)$' },
    },
    {
      name: 'control-center-pages-import-no-database',
      comment: 'Components of pages must read and write over tRPC. They never reach the database.',
      severity: 'error',
      from: { path: '^app/.*_components/' },
      to: { path: '^lib/platform/(db|postgres)|^node_modules/(pg|@prisma)/' },
    },
    {
      name: 'no-unresolvable',
      comment: 'Every import must resolve to a file or a package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^lib/platform/generated/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
