import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * `npm test` must finish in minutes, so it leaves out files with `.full.` in their name. This test checks that slow
 * tests, and tests that need the machine for themselves, are in those files.
 */

const root = join(import.meta.dirname, '..');
const folders = ['app', 'components', 'e2e', 'lib', 'media-worker', 'scripts', 'web'];
const files = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => /\.(spec|(db|media|socket)\.test)\.ts$/.test(path));

const slowPatterns: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['kills a process', /\bkill\(.*'SIG(KILL|QUIT)'|\bkilled\(/],
  ['freezes a process', /'SIGSTOP'|\bfreeze\(\)/],
  ['starts a role', /\b(workerProcess|jobsProcesses)\(|\bstartTestService\(/],
  ['fills a disk', /\bsmallDisk\(/],
  ['needs a program that may be missing', /\b(redisServer|startHaproxy|preparePebble)\(/],
  ['starts several nodes', /\bstartCluster\(/],
  ['needs the machine for itself', /@alone/],
  ['measures what a busy machine changes', /\bpromptMs\b/],
];

const reasonsFor = (text: string) =>
  slowPatterns.filter(([, pattern]) => pattern.test(text)).map(([reason]) => reason);

/** One success and one failure of each kind stay in `npm test`, because they are fast and disturb nothing else. */
const exceptions: Readonly<Record<string, string>> = {
  'media-worker/media/ffmpeg/probe.media.test.ts': 'kills the ffprobe that it started',
  'media-worker/media/ffmpeg/run-ffmpeg-job.media.test.ts': 'kills the ffmpeg that it started',
  'media-worker/media/ffmpeg/wrapper.media.test.ts': 'the children sleep',
  'media-worker/live/multistream/push-attempt.media.test.ts': 'ends its receiver',
  'media-worker/live/multistream/try-target.media.test.ts': 'ends its receiver',
  'media-worker/ingest/rtmp/rtmp-ffmpeg.media.test.ts': 'ends its encoders',
  'media-worker/live/transcode/transcoder.media.test.ts': 'kills the ffmpeg that it started',
  'scripts/exclusive.socket.test.ts': 'the child holds a lock and does nothing else',
  'scripts/service/child-process.socket.test.ts': 'the children are scripts of three lines',
};

test('a file that kills, freezes, starts a role or several nodes, or fills a disk has .full. in its name', () => {
  const findings = files
    .filter((path) => !path.includes('.full.') && !(path in exceptions))
    .flatMap((path) =>
      reasonsFor(readFileSync(join(root, path), 'utf8')).map(
        (reason) => `${path} ${reason}: name it *.full.*`,
      ),
    );
  expect(files.length).toBeGreaterThan(200);
  expect(findings).toEqual([]);
});

test('every exception exists and is needed', () => {
  const stale = Object.keys(exceptions).filter(
    (path) => !files.includes(path) || reasonsFor(readFileSync(join(root, path), 'utf8')).length === 0,
  );
  expect(stale).toEqual([]);
});

test.each([
  ["process.kill(processOf('live'), 'SIGKILL');", 'kills a process'],
  ["redis.process()?.kill('SIGSTOP');", 'freezes a process'],
  ['const disk = smallDisk(size);', 'fills a disk'],
  ["test('drains', { tag: '@alone' }, async () => {", 'needs the machine for itself'],
  ["const live = workerProcess('live', env);", 'starts a role'],
])('%s is detected', (line, reason) => {
  expect(reasonsFor(line)).toContain(reason);
});

test('the nightly workflow installs every program without which a test is skipped', () => {
  const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
  const installed = new Set(
    [...workflow.matchAll(/install -y --no-install-recommends\s+((?:[\w.-]+\s+)+)/g)].flatMap(
      ([, names = '']) => names.trim().split(/\s+/),
    ),
  );
  const needed = files.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\(apt-get install ([^)]+)\)/g)].flatMap(
      ([, names = '']) => names.split(' '),
    ),
  );
  expect(needed).toContain('redis-server');
  expect(needed.filter((name) => !installed.has(name))).toEqual([]);
});
