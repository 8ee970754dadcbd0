import { expect, test } from 'vitest';
import { affected, type ImportGraph } from './changed';

const graph: ImportGraph = new Map([
  ['media-worker/vod/tasks/crash.full.db.test.ts', ['media-worker/vod/tasks/testing/jobs-process.ts']],
  ['media-worker/vod/tasks/testing/jobs-process.ts', []],
  ['media-worker/index.ts', ['media-worker/vod/tasks/run.ts']],
  ['media-worker/vod/tasks/run.ts', ['lib/core/retry.ts']],
  ['lib/core/retry.ts', []],
  ['media-worker/ingest/rtmp/fuzz.full.socket.test.ts', ['media-worker/ingest/rtmp/server.ts']],
  ['media-worker/ingest/rtmp/server.ts', ['media-worker/ingest/rtmp/chunks.ts']],
  ['media-worker/ingest/rtmp/chunks.ts', ['media-worker/ingest/rtmp/server.ts']],
  ['e2e/dashboard/clips.full.spec.ts', []],
  ['e2e/media/drain.full.spec.ts', []],
  ['app/(dashboard)/page.tsx', ['components/home.tsx']],
  ['components/home.tsx', []],
]);
const tests = [...graph.keys()].filter((file) => file.includes('.full.'));

test.each([
  [
    'an import of an import',
    ['media-worker/ingest/rtmp/chunks.ts'],
    ['media-worker/ingest/rtmp/fuzz.full.socket.test.ts'],
  ],
  [
    'what a process that the test starts imports',
    ['media-worker/vod/tasks/run.ts'],
    [
      'media-worker/vod/tasks/crash.full.db.test.ts',
      'e2e/dashboard/clips.full.spec.ts',
      'e2e/media/drain.full.spec.ts',
    ],
  ],
  ['a page of the dashboard', ['components/home.tsx'], ['e2e/dashboard/clips.full.spec.ts']],
  ['the test itself', ['e2e/media/drain.full.spec.ts'], ['e2e/media/drain.full.spec.ts']],
  ['nothing of theirs', ['README.md'], []],
  ['the packages', ['package-lock.json'], tests],
])('reached by %s', (_, changed, found) => {
  expect(affected(graph, tests, changed)).toEqual(found);
});
