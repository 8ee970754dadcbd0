import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, expect, test } from 'vitest';
import { mp4File, parseSegmentName } from '@/lib/core/sessions/recorded-segment';
import { recordingKey, recordingPrefix } from '@/lib/core/storage-keys';
import { openStorage } from '@/lib/infra/storage';
import { createLiveFixtures } from '@/lib/domain/testing/live-fixtures';
import { killAndWait, startWorkerProcess } from '@/media-worker/vod/tasks/testing/jobs-process';
import { createNodeFetch } from '@/media-worker/testing/node-fetch';
import { readDecoderErrors, probePackets } from '@/media-worker/recording/testing/recorded-session';
import { migrate } from '../migrate';
import { openCluster } from '../postgres/cluster';
import { runSql, startPostgres } from '../postgres/server';
import { findFreePort } from '../service/ports';

/** Kills and freezes real processes during a publish. Every segment that a viewer received must be recorded. */
const folder = await mkdtemp(join(tmpdir(), 'recording-faults-'));
const cluster = await openCluster(folder, { durable: true });
const server = await startPostgres(cluster);
const processes: ChildProcess[] = [];
// Registered first, so that it runs last, after fixtures have closed their connections.
afterAll(async () => {
  await setDatabaseFrozen(false);
  for (const process of processes) await killAndWait(process);
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});
const databaseUrl = server.url('headwater');
await runSql(server.url('postgres'), 'create database headwater');
await migrate(databaseUrl);
const settings = {
  dataDir: folder,
  host: '127.0.0.1',
  rtmpPort: await findFreePort(),
  sessionReconnectSeconds: 2,
};
const { ctx, db, createTeam, createStream, sessionsOf, eventsOf } = createLiveFixtures(databaseUrl, {
  settings,
});
const environment = {
  ...ctx.settings.environment,
  DATA_DIR: settings.dataDir,
  HOST: settings.host,
  RTMP_PORT: String(settings.rtmpPort),
  SESSION_RECONNECT_SECONDS: String(settings.sessionReconnectSeconds),
};
const fetchFromNode = createNodeFetch(ctx.secrets);
const storage = openStorage({ dataDir: folder });
const teamId = await createTeam();
const longTimeout = { timeout: 300_000 };

function startRole(name: 'live' | 'jobs'): ChildProcess {
  // Temporary files of killed processes are removed with the folder.
  const variables = { PATH: process.env.PATH, TMPDIR: folder, NODE_ENV: 'test' as const };
  const child = startWorkerProcess(name, { ...environment, ...variables });
  processes.push(child);
  return child;
}

/** Stops the postmaster and its children, or resumes them. */
async function setDatabaseFrozen(isFrozen: boolean): Promise<void> {
  const text = await readFile(join(cluster.directory, 'postmaster.pid'), 'utf8').catch(() => '');
  const postmaster = Number(text.split('\n')[0]);
  if (!(postmaster > 1)) return;
  for (const pid of [postmaster, ...childrenOf(postmaster)]) signal(pid, isFrozen ? 'SIGSTOP' : 'SIGCONT');
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === parent).map(Number);
}

function parentOf(pid: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // The process has ended.
    return -1;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended.
  }
}

/** Creates a recorded stream and starts an encoder that publishes to it. */
async function publishStream() {
  const { id, streamKey, playbackId } = await createStream(teamId, { record: true });
  const args = '-v error -nostdin -re -f lavfi -i testsrc2=size=160x90:rate=25 -re -f lavfi -i sine'.split(
    ' ',
  );
  const codecs =
    '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25 -sc_threshold 0 -c:a aac -f flv'.split(' ');
  const url = `rtmp://127.0.0.1:${settings.rtmpPort}/live/${streamKey}`;
  const encoder = spawn('ffmpeg', [...args, ...codecs, url], { stdio: 'ignore' });
  processes.push(encoder);
  return { id, playbackId, encoder };
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/**
 * Starts to fetch every new segment of a live playlist, until the end of the test.
 * @returns a map from media sequence number to the hash of the segment, which grows until the end of the test
 */
function fetchSegments(url: string, playbackId: string) {
  const seenSegments = new Map<number, string>();
  const watchEnd = new AbortController();
  const get = async (path: string) => {
    const requestEnd = AbortSignal.any([watchEnd.signal, AbortSignal.timeout(5_000)]);
    const response = await fetchFromNode(`${url}/${playbackId}/source/${path}`, requestEnd).catch(() => null);
    return response?.ok ? Buffer.from(await response.arrayBuffer().catch(() => new ArrayBuffer(0))) : null;
  };
  const fetchNew = async () => {
    const playlist = await get('index.m3u8?ll=0');
    for (const [, name = ''] of playlist?.toString().matchAll(/^(\d+)\.m4s/gm) ?? []) {
      if (seenSegments.has(Number(name))) continue;
      const bytes = await get(`${name}.m4s`);
      if (bytes && bytes.length > 0) seenSegments.set(Number(name), hash(bytes));
    }
  };
  const watching = (async () => {
    while (!watchEnd.signal.aborted) {
      await fetchNew();
      await delay(20);
    }
  })();
  watchers.push(async () => {
    watchEnd.abort();
    await watching;
  });
  return seenSegments;
}

const watchers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await setDatabaseFrozen(false);
  for (const stop of watchers.splice(0)) await stop();
  for (const process of processes.splice(0)) await killAndWait(process);
});

const readLiveUrl = async (): Promise<string> =>
  (await db.node.findFirstOrThrow({ where: { role: 'live' } })).url;

/** Starts both roles and waits for them. They are not restarted if they exit while the database is frozen. */
async function startWorker(): Promise<ChildProcess> {
  await db.node.deleteMany();
  const live = startRole('live');
  startRole('jobs');
  for (const name of ['live', 'jobs'])
    await expect.poll(() => db.node.count({ where: { role: name } }), longTimeout).toBe(1);
  return live;
}

interface RecordedSegment {
  readonly msn: number;
  readonly hash: string;
}

/** The recorded segments of a session, after checking them against its playlist and MP4. */
async function checkRecording(sessionId: string): Promise<RecordedSegment[]> {
  const recordedSegments: RecordedSegment[] = [];
  for await (const { key } of storage.list(`${recordingPrefix(sessionId)}hls/source/`)) {
    const segment = parseSegmentName(key.slice(key.lastIndexOf('/') + 1));
    if (!segment) continue;
    const bytes = await storage.withFile(key, (path) => readFile(path));
    recordedSegments.push({ msn: segment.msn, hash: hash(bytes) });
  }
  const pathOf = (file: string) =>
    storage.withFile(recordingKey(sessionId, file), (path) => Promise.resolve(path));
  const playlist = await readFile(await pathOf('hls/source/index.m3u8'), 'utf8');
  const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
  expect(durations).toHaveLength(recordedSegments.length);
  const totalSeconds = durations.reduce((sum, seconds) => sum + seconds, 0);
  const { video } = await probePackets(await pathOf(mp4File));
  const lastPacket = video.at(-1);
  expect(
    Math.abs(Number(lastPacket?.pts_time) + Number(lastPacket?.duration_time) - totalSeconds),
  ).toBeLessThan(0.2);
  expect(await readDecoderErrors(await pathOf(mp4File))).toBe('');
  return recordedSegments;
}

/** Expects that all sessions are ready, contain every segment the viewer received, and emitted each event once. */
async function expectCompleteRecordings(
  streamId: string,
  seenSegments: ReadonlyMap<number, string>,
): Promise<number> {
  const spooledFiles = () => (existsSync(join(folder, 'spool')) ? readdirSync(join(folder, 'spool')) : []);
  await expect.poll(spooledFiles, longTimeout).toEqual([]);
  const states = async () => [...new Set((await sessionsOf(streamId)).map(({ recording }) => recording))];
  await expect.poll(states, longTimeout).toEqual(['ready']);
  const sessions = await sessionsOf(streamId);
  const recorded = new Map<number, string>();
  for (const { id } of sessions)
    for (const segment of await checkRecording(id)) recorded.set(segment.msn, segment.hash);
  for (const [msn, segmentHash] of seenSegments) expect([msn, recorded.get(msn)]).toEqual([msn, segmentHash]);
  const names = (await eventsOf(streamId)).map(({ name }) => name);
  for (const name of ['recording.started', 'recording.ready'])
    expect(names.filter((candidate) => candidate === name)).toHaveLength(sessions.length);
  return sessions.length;
}

test.runIf(existsSync('/proc/self/stat')).each([
  ['before the stream is active', 0],
  ['in the middle of a publish', 2],
])(
  'every segment that a viewer got is recorded if the database freezes %s and the live process is killed',
  async (_, minSegments) => {
    const live = await startWorker();
    const { id, playbackId } = await publishStream();
    await expect.poll(async () => (await sessionsOf(id)).length, { ...longTimeout, interval: 10 }).toBe(1);
    const seenSegments = fetchSegments(await readLiveUrl(), playbackId);
    await expect.poll(() => seenSegments.size, longTimeout).toBeGreaterThanOrEqual(minSegments);
    await setDatabaseFrozen(true);
    const countAtFreeze = seenSegments.size;
    await expect.poll(() => seenSegments.size, longTimeout).toBeGreaterThan(countAtFreeze + 2);
    await killAndWait(live);
    await setDatabaseFrozen(false);
    startRole('live');
    expect(await expectCompleteRecordings(id, seenSegments)).toBe(1);
  },
);

test.runIf(existsSync('/proc/self/stat'))(
  'every segment that a viewer got is recorded if a live process is frozen until the recording of its session is ready',
  async () => {
    const live = await startWorker();
    const { id, playbackId, encoder } = await publishStream();
    await expect.poll(async () => (await sessionsOf(id)).length, longTimeout).toBe(1);
    const seenSegments = fetchSegments(await readLiveUrl(), playbackId);
    await expect.poll(() => seenSegments.size, longTimeout).toBeGreaterThan(1);
    signal(live.pid ?? 0, 'SIGSTOP');
    await expect.poll(async () => (await sessionsOf(id))[0]?.recording, longTimeout).toBe('ready');
    signal(live.pid ?? 0, 'SIGCONT');
    // Whether or not the process keeps the encoder's connection, later segments belong to a second recording.
    await expect.poll(async () => (await sessionsOf(id)).length, longTimeout).toBe(2);
    encoder.kill('SIGINT');
    expect(await expectCompleteRecordings(id, seenSegments)).toBeGreaterThan(1);
  },
);
