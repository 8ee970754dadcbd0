import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { affectedTests, startedProcesses } from './changed';
import { readModule } from './import-graph';
import { root } from './step';

const sources: Readonly<Record<string, string>> = {
  'media-worker/vod/tasks/crash.full.db.test.ts': `
    import { createJobsProcesses } from './testing/jobs-process';
    const jobs = createJobsProcesses();`,
  'media-worker/vod/tasks/testing/jobs-process.ts': 'export function createJobsProcesses() {}',
  'media-worker/roles/jobs-role.ts': `
    import { run } from '@/media-worker/vod/tasks/run';
    export const start = () => run();`,
  'media-worker/vod/tasks/run.ts': `
    import { delayOf } from '@/lib/core/retry';
    import * as assets from '@/lib/domain/assets';
    export const run = () => assets.completeAsset(delayOf(1));`,
  'lib/core/retry.ts': 'export const delayOf = (n: number) => n;',
  'lib/domain/assets/index.ts': `
    export { completeAsset } from './complete-asset';
    export { createClip } from './create-clip';
    export { deleteAsset } from './delete-asset';`,
  'lib/domain/assets/complete-asset.ts': `
    import type { Clip } from './create-clip';
    export const completeAsset = (clip?: Clip) => clip;`,
  'lib/domain/assets/create-clip.ts': 'export const createClip = () => 1; export type Clip = number;',
  'lib/domain/assets/delete-asset.ts': `
    import { words } from './words';
    export const deleteAsset = () => 1;
    export const listWords = () => words;`,
  'lib/domain/assets/words.ts': 'export const words = [];',
  'lib/domain/assets/delete.full.db.test.ts': `
    import { deleteAsset } from '@/lib/domain/assets';
    test('it is gone', () => deleteAsset());`,
  'lib/contract/clip.ts': 'export const createClip = {};',
  'app/api/clip/route.ts': `
    import { createClip } from '@/lib/contract/clip';
    import * as assets from '@/lib/domain/assets';
    export const { POST } = routes(route(createClip, () => assets.createClip()));`,
  'app/(dashboard)/clips/page.tsx': `
    import { Clips } from '@/components/clips';
    export default function Page() { return <Clips />; }`,
  'app/(dashboard)/tasks/page.tsx': 'export default function Page() { return null; }',
  'components/clips.tsx': `
    import { createClip } from '@/lib/contract/clip';
    import { call } from '@/lib/client/call';
    export function Clips() { return call(createClip); }`,
  'lib/client/call.ts': 'export const call = (endpoint: object) => endpoint;',
  'lib/http/services.ts': `
    import { mailer } from '@/lib/infra/mailer';
    export const services = { mailer };`,
  'lib/infra/mailer.ts': 'export const mailer = {};',
  'e2e/dashboard/clips.full.spec.ts': `
    import { open } from '../session';
    test('a clip is made', () => open('/clips'));`,
  'e2e/media/drain.full.spec.ts': `
    import { endTask } from '../session';
    test('a node', () => endTask());`,
  'e2e/session.ts': `
    import { services } from '@/lib/http/services';
    export const open = (path: string) => services;
    export const endTask = () => fetch(\`/api/task/\${id}/cancel\`);`,
  'app/api/task/[id]/cancel/route.ts': 'export const { POST } = routes();',
};

const resolve = (from: string, specifier: string) => {
  const path = specifier.startsWith('@/') ? specifier.slice(2) : posix.join(posix.dirname(from), specifier);
  return ['.ts', '.tsx', '/index.ts'].map((ending) => path + ending).find((file) => file in sources) ?? null;
};
const graph = new Map(
  Object.entries(sources).map(([path, source]) => [path, readModule(path, source, resolve)]),
);
const tests = [...graph.keys()].filter((file) => file.includes('.full.'));
const [crashTest, deletionTest, clipsTest, drainTest] = tests as [string, string, string, string];

test.each<[string, string, string[]]>([
  ['a module that a process imports indirectly, which the test starts', 'lib/core/retry.ts', [crashTest]],
  [
    'a file whose export reaches the test through a re-export',
    'lib/domain/assets/complete-asset.ts',
    [crashTest],
  ],
  [
    'a file with another re-export of the same index file',
    'lib/domain/assets/delete-asset.ts',
    [deletionTest],
  ],
  ['the index file that re-exports', 'lib/domain/assets/index.ts', [crashTest, deletionTest, clipsTest]],
  ['a file that only an unused declaration imports', 'lib/domain/assets/words.ts', []],
  [
    'the code behind an endpoint that a page calls, but not for an import of a type',
    'lib/domain/assets/create-clip.ts',
    [clipsTest],
  ],
  ['a component of a page that the test names', 'components/clips.tsx', [clipsTest]],
  ['a page that no test names', 'app/(dashboard)/tasks/page.tsx', []],
  [
    'an endpoint whose URL is in a function that the test calls',
    'app/api/task/[id]/cancel/route.ts',
    [drainTest],
  ],
  ['a service that only the wiring imports', 'lib/infra/mailer.ts', [clipsTest]],
  ['the test itself', drainTest, [drainTest]],
  ['a file that is not code', 'README.md', []],
  ['the lock file of the packages, on which all tests depend', 'package-lock.json', tests],
])('affectedTests finds the tests that reach %s', (_, changedFile, reachedTests) => {
  expect(affectedTests(graph, tests, [changedFile])).toEqual(reachedTests);
});

test('every function by which a test starts a process exists', () => {
  const helpers = [
    'media-worker/vod/tasks/testing/jobs-process.ts',
    'media-worker/rtc/testing/rtc-processes.ts',
  ]
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');
  const names = startedProcesses.flatMap(
    ([textPattern]) => textPattern.source.replaceAll(String.raw`\b`, '').match(/\w+(?=\\\()/g) ?? [],
  );
  expect(names).toHaveLength(4);
  expect(names.filter((name) => !helpers.includes(`function ${name}(`))).toEqual([]);
});
