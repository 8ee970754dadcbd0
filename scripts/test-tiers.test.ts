import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * `npm test` must finish in minutes, so it leaves out files with `.full.` in their name. This test checks that slow
 * tests, and tests that need the machine for themselves, are in those files.
 */

const root = join(import.meta.dirname, '..');
const folders = ['app', 'components', 'e2e', 'lib', 'media-worker', 'scripts', 'web'];
const sourceFiles = folders
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  )
  .filter((path) => path.endsWith('.ts'));
const files = sourceFiles.filter((path) => /\.(spec|(db|media|socket)\.test)\.ts$/.test(path));

/** Functions and values of test helpers that only a slow test uses. */
const slowHelpers = {
  'kills a process': ['killAndWait', 'killDatabase'],
  'starts a role': ['startWorkerProcess', 'createJobsProcesses', 'startRtcProcesses', 'startTestService'],
  'fills a disk': ['mountSmallDisk'],
  'needs a program that may be missing': ['createRedisServer', 'startHaproxy', 'preparePebble'],
  'measures what a busy machine changes': ['MAX_IMMEDIATE_DELAY_MS'],
};

const slowPatterns: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['kills a process', /\bkill\(.*'SIG(KILL|QUIT)'/],
  ['freezes a process', /'SIGSTOP'|\bfreeze\(\)/],
  ['needs the machine for itself', /@alone/],
  ...Object.entries(slowHelpers).map(
    ([reason, names]) => [reason, new RegExp(`\\b(${names.join('|')})\\b`)] as const,
  ),
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

test('a file that kills or freezes a process, starts a role or fills a disk has .full. in its name', () => {
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

test('every slow helper exists', () => {
  const code = sourceFiles.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
  const missing = Object.values(slowHelpers)
    .flat()
    .filter((name) => !new RegExp(`\\bexport (async )?(function|const) ${name}\\b`).test(code));
  expect(missing).toEqual([]);
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
  ['await killAndWait(jobs);', 'kills a process'],
  ['const disk = mountSmallDisk(size);', 'fills a disk'],
  ["test('drains', { tag: '@alone' }, async () => {", 'needs the machine for itself'],
  ["const live = startWorkerProcess('live', env);", 'starts a role'],
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
