// The rooms of lib, lowest layer first. A room imports only from rooms above it in this list.
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
      comment: 'Two files that import each other are one file, or have a third in common.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-circular-folders',
      comment: 'Two folders that import each other are one folder, or have a third in common.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^lib/[^/]+/[^/]+$' },
      to: { circular: true, path: '^lib/[^/]+/[^/]+$' },
    },
    {
      name: 'lib-has-nine-rooms',
      comment: 'A file of lib belongs to a room.',
      severity: 'error',
      from: { path: '^lib/', pathNot: `^lib/(${ROOMS.join('|')})/` },
      to: {},
    },
    ...upward,
    {
      name: 'lib-does-not-know-its-callers',
      comment: 'Imports point one way: app, inngest, scripts -> lib.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(app|inngest|scripts|tests|prisma)/|^node_modules/(next|inngest)/' },
    },
    {
      name: 'contract-is-pure',
      comment: 'The contract imports zod and readers of formats; its documentation also marked and files.',
      severity: 'error',
      from: { path: '^lib/contract/', pathNot: '^lib/contract/docs/' },
      to: { pathNot: '^lib/contract/|^node_modules/(zod|bcp-47)/' },
    },
    {
      name: 'contract-docs-are-pure',
      comment: 'The documentation imports the contract, marked and files.',
      severity: 'error',
      from: { path: '^lib/contract/docs/' },
      to: { pathNot: '^lib/contract/|^node_modules/marked/|^(node:)?(fs|path)$' },
    },
    {
      name: 'control-center-pages-import-no-database',
      comment: 'Pages read and write over tRPC; route handlers call lib.',
      severity: 'error',
      from: { path: '^app/\\(control-center\\)/.*/_components/|^app/_components/' },
      to: { path: '^lib/platform/(db|postgres)|^node_modules/(pg|@prisma)/' },
    },
    {
      name: 'no-unresolvable',
      comment: 'Every import leads somewhere.',
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
