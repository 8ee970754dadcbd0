import { readdirSync } from 'node:fs';

/**
 * The layers of the code (docs/architecture.md): imports only go down. Each rule has its reason as a comment;
 * `npm run layers` enforces them.
 */
const only = (name, comment, target, allowedFrom) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: [...allowedFrom, '\\.test\\.tsx?$', '^e2e/', '^bench/'] },
  to: { path: target },
});

/** Every file of the repository outside of these folders: a layer names what is below it, so a new folder is above it. */
const allExcept = (...folders) => `^(?!node_modules/|(${folders.join('|')})/)[^:]+/`;
/** Modules of Node have slashes too. */
const dependencyTypesNot = ['core'];

/** The folders of media-worker and their subfolders: imports only go down each list. */
const workerOrder = {
  '': [
    'roles',
    'delivery',
    'rtc',
    'ingest',
    'maintenance',
    'vod',
    'webhooks',
    'recording',
    'live',
    'media',
    'kit',
  ],
  'delivery/': ['edge', 'origin', 'uploads'],
  'ingest/': ['admission', 'rtmp', 'srt', 'pull', 'publisher'],
  'live/': ['session', 'multistream', 'health', 'thumbnails', 'program', 'transcode'],
  'media/': ['packaging', 'mpegts', 'packets', 'cmaf', 'ffmpeg'],
  'vod/': ['import', 'renditions', 'index', 'ipfs', 'tasks', 'speech'],
};

for (const [parent, order] of Object.entries(workerOrder)) {
  const folders = readdirSync(`${import.meta.dirname}/media-worker/${parent}`, { withFileTypes: true });
  const unordered = folders.filter(({ name }) => name !== 'testing' && !order.includes(name));
  if (unordered.some((entry) => entry.isDirectory()))
    throw new Error(`workerOrder['${parent}'] lacks ${unordered.map(({ name }) => name).join(', ')}`);
}

const workerRules = Object.entries(workerOrder).flatMap(([parent, order]) =>
  order.slice(1).map((folder, index) => ({
    name: `worker-order-${parent}${folder}`,
    comment: 'A folder of the worker imports only folders below it, never its users.',
    severity: 'error',
    from: { path: `^media-worker/${parent}${folder}/`, pathNot: '\\.test\\.ts$|/testing/' },
    to: { path: `^media-worker/${parent}(${order.slice(0, index + 1).join('|')})/` },
  })),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...workerRules,
    {
      name: 'no-cycles',
      comment: 'No file of an import cycle can be understood without the others.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: '^lib/generated/' } },
    },
    {
      name: 'core-is-pure',
      comment: 'lib/core contains pure functions: no zod, no node:*, no clock, no other layer.',
      severity: 'error',
      from: { path: '^lib/core/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^lib/core/' },
    },
    {
      name: 'contract-imports-core-and-zod',
      comment: 'Browser and server share the contract, so it depends on neither.',
      severity: 'error',
      from: { path: '^lib/contract/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^lib/contract/', '^lib/core/', 'node_modules/(zod|zod-openapi)/'] },
    },
    {
      name: 'pure-tests-are-fast',
      comment:
        'A test that listens or starts a process is a *.socket.test.ts, so that `npm run check` takes less than a minute. The docs test runs git.',
      severity: 'error',
      from: {
        path: '\\.test\\.tsx?$',
        pathNot: ['\\.(db|media|socket)\\.test\\.ts$', '^scripts/docs\\.test'],
      },
      to: { path: '^(node:)?(net|http|https|http2|dgram|child_process)$' },
    },
    {
      name: 'infra-below-domain',
      comment: 'Infra wraps external systems and has no knowledge of streams or assets.',
      severity: 'error',
      from: { path: '^lib/infra/' },
      to: { path: allExcept('lib/(infra|generated|contract|core)'), dependencyTypesNot },
    },
    {
      name: 'domains-import-domain-indexes',
      comment: 'Other domains import a domain through its index.ts, so that its internals can change.',
      severity: 'error',
      from: { path: '^lib/(?:domain/)?([a-z-]+)/', pathNot: '\\.test\\.ts$|/testing/' },
      to: {
        path: '^lib/domain/[^/]+/(?!index\\.ts$)',
        pathNot: '^lib/(?:domain/)?$1/',
      },
    },
    {
      name: 'outside-imports-domain-indexes',
      comment: 'Routes, workers and scripts import a domain through its index.ts.',
      severity: 'error',
      from: { path: '^(app|media-worker|scripts)/', pathNot: '\\.test\\.ts$|/testing/' },
      to: {
        path: '^lib/domain/[^/]+/(?!index\\.ts$)',
      },
    },
    {
      name: 'domain-below-edges',
      comment: 'Domain functions serve HTTP routes and workers, so they import neither.',
      severity: 'error',
      from: {
        path: '^lib/domain/',
      },
      to: {
        path: [allExcept('lib/(domain|infra|generated|contract|core)'), 'node_modules/next/'],
        dependencyTypesNot,
      },
    },
    {
      name: 'client-below-components',
      comment: 'Pages use the typed client, which renders nothing and imports no page.',
      severity: 'error',
      from: { path: '^lib/client/', pathNot: '\\.test\\.tsx?$' },
      to: { path: allExcept('lib/(client|contract|core)'), dependencyTypesNot },
    },
    {
      name: 'http-below-routes',
      comment: 'Routes declare endpoints and this layer executes them: it imports neither routes nor pages.',
      severity: 'error',
      from: { path: '^lib/http/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: allExcept('lib/(http|domain|infra|contract|core)'), dependencyTypesNot },
    },
    {
      name: 'browser-code-stays-in-the-browser',
      comment:
        'Components and the typed client are shipped to the browser: contract only, never domain or infra.',
      severity: 'error',
      from: { path: '^(components|lib/client)/', pathNot: '\\.test\\.tsx?$|/testing/' },
      to: { path: allExcept('components', 'lib/(client|contract|core)', 'messages'), dependencyTypesNot },
    },
    {
      name: 'calls-load-no-contract',
      comment:
        'Pages call endpoints by routes: the contract would add zod and its descriptions to every page.',
      severity: 'error',
      from: { path: '^lib/client/', pathNot: '\\.test\\.tsx?$' },
      to: { path: ['^lib/contract/', 'node_modules/zod/'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'worker-enters-at-the-domain',
      comment: 'The worker has no HTTP API and no pages.',
      severity: 'error',
      from: { path: '^media-worker/', pathNot: '\\.test\\.ts$' },
      to: {
        path: [
          allExcept('media-worker', 'lib/(domain|infra|generated|contract|core)'),
          'node_modules/(next|react|react-dom)/',
        ],
        dependencyTypesNot,
      },
    },
    {
      name: 'web-server-only-stands-in-front',
      comment: 'The web server passes requests to Next and does not interpret them.',
      severity: 'error',
      from: { path: '^web/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: [
          '^web/',
          '^lib/infra/',
          '^lib/core/',
          '^(node:)?cluster$',
          'node_modules/next/',
          '^(node:)?http$',
          '^(node:)?net$',
          '^(node:)?crypto$',
        ],
      },
    },
    only(
      'only-node-media-server',
      'This library is only safe behind its hardened adapter.',
      'node_modules/node-media-server/',
      ['^media-worker/(ingest/rtmp/rtmp-server|media/packets/rtmp-library)\\.ts$'],
    ),
    only(
      'only-fluent-ffmpeg',
      'Child processes start in one place: limits, death with the parent, exit codes.',
      'node_modules/fluent-ffmpeg/',
      ['^media-worker/media/ffmpeg/(run|probe)\\.ts$'],
    ),
    only(
      'only-child-process',
      'Child processes start in one place: limits, death with the parent, exit codes.',
      '^(node:)?child_process$',
      [
        '^media-worker/media/ffmpeg/(run|probe|sandbox)\\.ts$',
        '^media-worker/vod/speech/run-recogniser\\.ts$',
        '^scripts/',
        '/testing/',
      ],
    ),
    only('only-undici', 'Addresses from users are checked in one place.', 'node_modules/undici/', [
      '^lib/infra/egress/egress(-connector|-error|-pool)?\\.ts$',
    ]),
    only(
      'only-node-https',
      'TLS between nodes is configured in one place per side, an edge has one origin, and a start checks its own server; calls to other services go through egress.',
      '^(node:)?https$',
      [
        '^lib/infra/(node-http|http-server)\\.ts$',
        '^media-worker/kit/http/listen\\.ts$',
        '^media-worker/delivery/edge/upstream\\.ts$',
        '^scripts/service/health\\.ts$',
        '/testing/',
      ],
    ),
    only(
      'only-s3',
      'Only the driver depends on S3: other code uses the storage interface.',
      'node_modules/@(aws-sdk|smithy)/',
      ['^lib/infra/storage/s3-[a-z]+\\.ts$', '^lib/infra/storage/testing/second-s3-server\\.ts$'],
    ),
    only('only-mail', 'One file has the timeouts for mail servers.', 'node_modules/nodemailer/', [
      '^lib/infra/mail/mailer\\.ts$',
    ]),
    only(
      'only-acme',
      'One file has the timeouts for ACME servers.',
      'node_modules/(acme-client|@peculiar/x509)/',
      ['^lib/infra/tls/acme\\.ts$', '/testing/'],
    ),
    only('only-bullmq', 'One file chooses the queue backend.', 'node_modules/bullmq/', [
      '^lib/infra/queue/queue\\.ts$',
      '^media-worker/kit/process/workers\\.ts$',
      '^media-worker/kit/process/testing/queue-behaviour\\.ts$',
    ]),
    only(
      'only-prisma',
      'Rows stay in the domain: the layers above use types of the contract.',
      ['node_modules/@prisma/', '^lib/generated/'],
      [
        '^lib/infra/db\\.ts$',
        '^lib/domain/context\\.ts$',
        '^lib/generated/',
        '^lib/domain/',
        '^scripts/schema-difference\\.ts$',
      ],
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^\\.next/', '^\\.build/'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
    },
  },
};
