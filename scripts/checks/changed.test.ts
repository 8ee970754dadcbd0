import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { affectedTests } from './changed';
import { readModule } from './import-graph';

const sources: Readonly<Record<string, string>> = {
  'media-worker/vod/tasks/crash.full.db.test.ts': `
    import { jobsProcesses } from './testing/jobs-process';
    const jobs = jobsProcesses();`,
  'media-worker/vod/tasks/testing/jobs-process.ts': 'export function jobsProcesses() {}',
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
const [crash, deletedTest, clips, drain] = tests as [string, string, string, string];

test.each<[string, string, string[]]>([
  ['an import of an import, in a process that the test starts', 'lib/core/retry.ts', [crash]],
  ['a name that another file passes on', 'lib/domain/assets/complete-asset.ts', [crash]],
  ['another name that it passes on', 'lib/domain/assets/delete-asset.ts', [deletedTest]],
  ['the file that passes names on', 'lib/domain/assets/index.ts', [crash, deletedTest, clips]],
  ['no declaration that is used', 'lib/domain/assets/words.ts', []],
  ['the endpoint that a page calls, and not a type', 'lib/domain/assets/create-clip.ts', [clips]],
  ['a page by its name', 'components/clips.tsx', [clips]],
  ['another page', 'app/(dashboard)/tasks/page.tsx', []],
  ['an address in the function that it calls', 'app/api/task/[id]/cancel/route.ts', [drain]],
  ['what a request is given', 'lib/infra/mailer.ts', [clips]],
  ['the test itself', drain, [drain]],
  ['nothing of theirs', 'README.md', []],
  ['the packages', 'package-lock.json', tests],
])('the tests that reach a changed file are found: %s', (_, changedFile, reachedTests) => {
  expect(affectedTests(graph, tests, [changedFile])).toEqual(reachedTests);
});
