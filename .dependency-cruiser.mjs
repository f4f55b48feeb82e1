// Which file may import which: rules 1 to 5 of the architecture. scripts/verify/import-rules.mjs runs them, and
// plants a breach of each in each spelling of an import to see that it is reported.

/** From the ground up: a slice imports only from those before it. */
export const FLOORS = [
  ['audit', 'events', 'timeline'],
  ['plans'],
  ['users'],
  ['workspaces'],
  ['api-keys'],
  ['locations'],
  ['monitors'],
  ['maintenance', 'marks'],
  ['on-call'],
  ['channels'],
  ['group-settings'],
  ['delivery'],
  ['recipients'],
  ['paging'],
  ['incidents'],
  ['heartbeats', 'domains'],
  ['verdicts'],
  ['results', 'pings'],
  ['figures'],
  ['fleet'],
  ['reports', 'status-pages'],
  ['overview', 'documents', 'diagnosis'],
  ['sign-in'],
];
const SLICES = FLOORS.flat();

/**
 * The folders of the capabilities that have several, from the ground up in the same way; the files beside them (index.ts,
 * erasing) may use all.
 *
 * - `verdicts`: the state of series, which regions are trusted, what makes an outage, warnings about certificates, names and
 *   latency, and the verdict.
 * - `results`: the partitions of results, and what writes them.
 * - `figures`: rollups, packed results, and what reads.
 */
export const FOLDERS = {
  verdicts: ['series', 'trust', 'outage', 'warnings', 'verdict'],
  results: ['partitions', 'ingest'],
  figures: ['rollup', 'packing', 'reading'],
};

const anyOf = (names) => `(${names.join('|')})`;
const slice = (names) => `^control-plane/src/capabilities/${anyOf(names)}/`;
const folder = (...names) => `^control-plane/src/${anyOf(names)}/`;
const npmPackage = (names) => `(^|/)node_modules/${anyOf(names)}(/|$)`;

/** A floor of one capability at the top has nothing above it. */
const onlyDownwards = FLOORS.filter((floor) => floor !== FLOORS.at(-1) || floor.length > 1).flatMap((floor, height) =>
  floor.map((name) => ({
    name: `only-downwards-from-${name}`,
    comment: 'A slice imports only from the slices below it; what it needs from above comes in as an argument.',
    severity: 'error',
    from: { path: slice([name]) },
    to: { path: slice(FLOORS.slice(height).flat()), pathNot: slice([name]) },
  })),
);

const foldersDownwards = Object.entries(FOLDERS).flatMap(([name, folders]) => {
  const here = `^control-plane/src/capabilities/${name}/`;
  return folders.map((folder, height) => ({
    name: `${name}-downwards-from-${folder}`,
    comment: 'A folder imports only from the folders of its capability that are below it.',
    severity: 'error',
    from: { path: `${here}${folder}/` },
    to: { path: [`${here}${anyOf(folders.slice(height))}/`, `${here}[^/]+\\.ts$`], pathNot: `${here}${folder}/` },
  }));
});

export default {
  forbidden: [
    {
      name: 'shared-knows-neither-side',
      comment: 'The shared package imports neither the control plane nor the agent.',
      severity: 'error',
      from: { path: '^shared/src/' },
      to: { path: '^(control-plane|agent|scripts|test)/' },
    },
    {
      name: 'agent-knows-only-shared',
      comment: 'The wire contract is all that agent and control plane have in common.',
      severity: 'error',
      from: { path: '^agent/src/' },
      to: { path: '^(control-plane|scripts|test)/' },
    },
    {
      name: 'control-plane-knows-only-shared',
      comment: 'The wire contract is all that agent and control plane have in common.',
      severity: 'error',
      from: { path: '^control-plane/src/' },
      to: { path: '^(agent|scripts|test)/' },
    },
    {
      name: 'console-knows-only-schemas',
      comment:
        'The console has the design, the rounds of escalation, the bounds of the first screen, grouping, the snippets of pings, the rows of paths, the lines of tables, the regions, the facts of monitor types, incident types, assertions, placeholders, plan limits, one-off tests, secrets and masks, lengths of time, and the shapes of answers in common with others, and nothing else.',
      severity: 'error',
      from: { path: '^control-plane/console/src/' },
      to: {
        path: '^(shared|agent|test|control-plane/src)/',
        pathNot: [
          '^shared/src/(assertions/(assertion|exact-number|sources)\\.ts$|design/|(csv-line|escalation-rounds|first-screen|group-by|path-rows|ping-snippets|region|time)\\.ts$|(monitor|incident)-types\\.ts$|plan-limits\\.ts$|one-off-tests\\.ts$|steps/placeholders\\.ts$|secrets/(masked-settings|secret-header|secret-setting)\\.ts$)',
          '^control-plane/src/.*-schemas\\.ts$',
        ],
      },
    },
    {
      name: 'console-takes-only-types (types are welcome)',
      comment: 'A schema as a value would bring zod and the control plane into the browser.',
      severity: 'error',
      from: { path: '^control-plane/console/src/' },
      to: { path: '^(control-plane/src/.*-schemas|shared/src/assertions/assertion)\\.ts$' },
    },
    {
      name: 'nothing-imports-console',
      comment: 'The console is served as files.',
      severity: 'error',
      from: { path: '^(shared|control-plane|agent|test)/', pathNot: '^control-plane/console/' },
      to: { path: '^control-plane/console/' },
    },
    {
      name: 'command-line-knows-only-schemas',
      comment:
        'The command line talks REST: the shapes of answers are all that it has of the control plane, and the pure functions of shifts.',
      severity: 'error',
      from: { path: '^scripts/cli/src/' },
      to: {
        path: '^(agent|test|control-plane)/',
        pathNot: ['^control-plane/src/(.*-schemas|capabilities/on-call/decide-(on-call|schedule))\\.ts$'],
      },
    },
    {
      name: 'command-line-takes-only-types (types are welcome)',
      comment: 'A schema as a value would bring zod and the control plane into the one file of the command line.',
      severity: 'error',
      from: { path: '^scripts/cli/src/' },
      to: { path: '^control-plane/src/.*-schemas\\.ts$' },
    },
    {
      name: 'sources-not-builds',
      comment: 'What is compiled is imported by the name of its package, which the other rules follow to the source.',
      severity: 'error',
      from: {},
      to: { path: '^(shared|control-plane|control-plane/console|agent|scripts/cli)/(dist|compiled)/' },
    },
    {
      name: 'slices-meet-at-the-index',
      comment: "Another slice's index.ts is its public face; the rest is its own.",
      severity: 'error',
      from: { path: slice(SLICES) },
      to: {
        path: slice(SLICES),
        pathNot: ['^control-plane/src/capabilities/$1/', '^control-plane/src/capabilities/[^/]+/index\\.ts$'],
      },
    },
    ...onlyDownwards,
    ...foldersDownwards,
    {
      name: 'platform-knows-no-capability',
      comment: 'app/ hands the capabilities to the platform.',
      severity: 'error',
      from: { path: folder('platform', 'config') },
      to: { path: folder('capabilities', 'embedded', 'app') },
    },
    {
      name: 'capabilities-are-composed',
      comment: 'A capability gets its settings and its surroundings as arguments from app/.',
      severity: 'error',
      from: { path: folder('capabilities') },
      to: { path: folder('config', 'embedded', 'app') },
    },
    {
      name: 'embedded-is-added',
      comment: 'Only app/ adds the embedded programs.',
      severity: 'error',
      from: { path: folder('embedded') },
      to: { path: folder('app') },
    },
    {
      name: 'no-circles',
      comment:
        'Files that import each other are one file, or one of them depends on something that it should be given.',
      severity: 'error',
      from: {
        path: '^(control-plane|control-plane/console|agent|shared|scripts/cli)/src/',
        pathNot: ['^shared/src/gen/'],
      },
      to: { circular: true },
    },
    {
      name: 'faces-call-verbs',
      comment: 'Routes and tools import verbs and schemas, never stores or entities.',
      severity: 'error',
      from: { path: '-(routes|tools)\\.ts$' },
      to: { path: '(-store|\\.entity)\\.ts$' },
    },
    {
      name: 'database-behind-stores',
      comment: 'TypeORM and pg stay in *.entity.ts, *-store.ts and db/; a test may make the errors that they throw.',
      severity: 'error',
      from: {
        path: '^(control-plane|agent|shared)/src/',
        pathNot: ['(-store|\\.entity|\\.test)\\.ts$', '^control-plane/src/(platform/db|embedded/postgres)/'],
      },
      to: { path: npmPackage(['typeorm', 'pg', 'pg-copy-streams', '@types/pg', '@types/pg-copy-streams']) },
    },
    {
      name: 'wire-types-at-the-border',
      comment: 'Generated types are mapped to ours where they come in.',
      severity: 'error',
      from: {
        path: '^(control-plane|agent|shared)/src/',
        pathNot: [
          '^control-plane/src/capabilities/fleet/streams/',
          '^agent/src/(sync|report)/',
          '^shared/src/(gen|wire)/',
        ],
      },
      to: { path: '^shared/src/gen/' },
    },
    {
      name: 'decisions-are-pure',
      comment: 'decide-*.ts gets all it needs as arguments: no I/O, no clock.',
      severity: 'error',
      from: { path: '(^|/)(decide|dedupe|detect)-[^/]*\\.ts$', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|util|assert|buffer)$' },
    },
    {
      name: 'decisions-reach-nothing',
      comment: 'decide-*.ts gets all it needs as arguments, and a database or a clock is none of it.',
      severity: 'error',
      from: { path: '(^|/)(decide|dedupe|detect)-[^/]*\\.ts$', pathNot: '\\.test\\.ts$' },
      to: {
        path: [
          '^shared/src/clock\\.',
          '^control-plane/src/platform/db/',
          npmPackage(['typeorm', 'pg', 'undici', 'ioredis', '@grpc', 'pino']),
        ],
      },
    },
    {
      // The swc parser does not distinguish types, so import-rules.mjs checks them.
      name: 'decisions-call-no-store (types are welcome)',
      comment: 'decide-*.ts may know the shape of a row, not where it is kept.',
      severity: 'error',
      from: { path: '(^|/)(decide|dedupe|detect)-[^/]*\\.ts$', pathNot: '\\.test\\.ts$' },
      to: { path: '(-store|\\.entity)\\.ts$' },
    },
    {
      name: 'imports-resolve',
      comment: 'An import that leads nowhere would slip through all rules above.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // The default one needs a compiler API that TypeScript 7 does not have, and then silently reads no TypeScript.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: ['(^|/)node_modules/'] },
    exclude: { path: ['^(test|scripts/cli)/dist/'] },
    // Imports by the name of a package of ours lead to its sources: its exports have the condition `source` for that.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'node', 'import', 'types', 'default'],
    },
  },
};
