/**
 * The layers of the house (docs/architecture.md): imports go down only.
 * Each rule says why it exists; `npm run layers` enforces them.
 */
const only = (name, comment, target, allowedFrom) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: [...allowedFrom, '\\.test\\.tsx?$', '^e2e/', '^bench/'] },
  to: { path: target },
});

/** The folders of media-worker and of those in them: imports go down each list. */
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
  'ingest/': ['admission', 'rtmp', 'srt', 'publisher'],
  'live/': ['session', 'push', 'health', 'thumbnails', 'program', 'transcode'],
  'media/': ['packaging', 'mpegts', 'packets', 'cmaf', 'ffmpeg'],
  'vod/': ['import', 'renditions', 'index', 'ipfs', 'tasks', 'speech'],
};

const workerRules = Object.entries(workerOrder).flatMap(([parent, order]) =>
  order.slice(1).map((folder, index) => ({
    name: `worker-order-${parent}${folder}`,
    comment: 'Each concept of the worker is understood with what is below it, never with what uses it.',
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
      comment: 'A cycle has no bottom: nobody can understand one file of it alone.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { pathNot: '^lib/generated/' } },
    },
    {
      name: 'core-is-pure',
      comment: 'Decisions take facts in and give decisions out: no zod, no node:*, no clock, no other layer.',
      severity: 'error',
      from: { path: '^lib/core/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^lib/core/' },
    },
    {
      name: 'contract-imports-core-and-zod',
      comment: 'The contract is shared by browser and server: it can know neither.',
      severity: 'error',
      from: { path: '^lib/contract/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^lib/contract/', '^lib/core/', 'node_modules/(zod|zod-openapi)/'] },
    },
    {
      name: 'pure-tests-are-fast',
      comment:
        'A test that listens or starts a process is *.socket.test.ts (but git lists the documents): `npm run check` stays under a minute.',
      severity: 'error',
      from: {
        path: '\\.test\\.tsx?$',
        pathNot: ['\\.(db|media|socket)\\.test\\.ts$', '^scripts/docs\\.test'],
      },
      to: { path: '^(node:)?(net|http|https|http2|dgram|child_process)$' },
    },
    {
      name: 'infra-below-domain',
      comment: 'Infra offers doors to the outside; it knows nothing of streams or assets.',
      severity: 'error',
      from: { path: '^lib/infra/' },
      to: {
        path: ['^lib/(http|client|domain)/', '^(app|components|media-worker|scripts)/'],
      },
    },
    {
      name: 'domains-meet-at-the-door',
      comment: 'A domain is used through its index.ts, so that its inside can change.',
      severity: 'error',
      from: { path: '^lib/(?:domain/)?([a-z-]+)/', pathNot: '\\.test\\.ts$|/testing/' },
      to: {
        path: '^lib/domain/[^/]+/(?!index\\.ts$)',
        pathNot: '^lib/(?:domain/)?$1/',
      },
    },
    {
      name: 'outside-uses-the-door',
      comment: 'Routes, workers and scripts enter a domain at its index.ts.',
      severity: 'error',
      from: { path: '^(app|media-worker|scripts)/', pathNot: '\\.test\\.ts$|/testing/' },
      to: {
        path: '^lib/domain/[^/]+/(?!index\\.ts$)',
      },
    },
    {
      name: 'domain-below-edges',
      comment: 'Verbs know no HTTP and no worker: the same verb serves both.',
      severity: 'error',
      from: {
        path: '^lib/domain/',
      },
      to: { path: ['^lib/(http|client)/', '^(app|components|media-worker|scripts)/', 'node_modules/next/'] },
    },
    {
      name: 'client-below-components',
      comment: 'The typed client is used by pages; it draws nothing and knows none of them.',
      severity: 'error',
      from: { path: '^lib/client/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(app|components)/' },
    },
    {
      name: 'http-below-routes',
      comment: 'Routes declare and this layer carries out: it knows none of them, and no page.',
      severity: 'error',
      from: { path: '^lib/http/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: ['^lib/client/', '^(app|components|media-worker|scripts)/'] },
    },
    {
      name: 'browser-code-stays-in-the-browser',
      comment:
        'Components and the typed client are shipped to the browser: contract only, never domain or infra.',
      severity: 'error',
      from: { path: '^(components|lib/client)/', pathNot: '\\.test\\.tsx?$|/testing/' },
      to: {
        path: ['^lib/(infra|http|domain|generated)/', '^(app|media-worker|scripts)/'],
      },
    },
    {
      name: 'worker-enters-at-the-domain',
      comment: 'The worker has no HTTP API and no pages.',
      severity: 'error',
      from: { path: '^media-worker/' },
      to: {
        path: ['^lib/(http|client)/', '^(app|components|scripts)/', 'node_modules/(next|react|react-dom)/'],
      },
    },
    {
      name: 'web-server-only-stands-in-front',
      comment: 'It hands requests to Next; what they mean is decided behind it.',
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
      'door-node-media-server',
      'A hardened adapter is the only safe way to use this library.',
      'node_modules/node-media-server/',
      ['^media-worker/(ingest/rtmp/rtmp-server|media/packets/rtmp-library)\\.ts$'],
    ),
    only(
      'door-fluent-ffmpeg',
      'One door for child processes: limits, death with the parent, exit codes.',
      'node_modules/fluent-ffmpeg/',
      ['^media-worker/media/ffmpeg/(run|probe)\\.ts$'],
    ),
    only(
      'door-child-process',
      'One door for child processes: limits, death with the parent, exit codes.',
      '^(node:)?child_process$',
      [
        '^media-worker/media/ffmpeg/(run|probe|sandbox)\\.ts$',
        '^media-worker/vod/speech/run-recogniser\\.ts$',
        '^scripts/',
        '/testing/',
      ],
    ),
    only(
      'door-undici',
      'Calls to addresses that an account named are judged in one place.',
      'node_modules/undici/',
      ['^lib/infra/egress/egress(-connector|-redirect|-pool)?\\.ts$'],
    ),
    only(
      'door-node-https',
      'TLS between nodes is decided in one place for each end, an edge knows one origin, and a start asks its own server; calls to other services go through egress.',
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
      'door-s3',
      'The driver alone knows S3: everybody else knows a storage.',
      'node_modules/@(aws-sdk|smithy)/',
      ['^lib/infra/storage/s3-[a-z]+\\.ts$', '^lib/infra/storage/testing/second-s3-server\\.ts$'],
    ),
    only('door-mail', 'One file decides how long a mail server is waited for.', 'node_modules/nodemailer/', [
      '^lib/infra/mail/mailer\\.ts$',
    ]),
    only(
      'door-acme',
      'One file decides how long an ACME server is waited for.',
      'node_modules/(acme-client|@peculiar/x509)/',
      ['^lib/infra/tls/acme\\.ts$', '/testing/'],
    ),
    only('door-bullmq', 'One file knows which queue backend is in use.', 'node_modules/bullmq/', [
      '^lib/infra/queue/queue\\.ts$',
      '^media-worker/kit/process/workers\\.ts$',
      '^media-worker/kit/process/testing/queue-behaviour\\.ts$',
    ]),
    only(
      'door-prisma',
      'Rows stay in the domain: everything above speaks the contract.',
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
