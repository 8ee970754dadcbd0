import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { pollForValue } from '@/media-worker/vod/tasks/testing/jobs-process';
import { encodeFrames, NativePublisher } from './testing/native-publisher';
import { type RtcProcesses, startRtcProcesses } from './testing/rtc-processes';

const { ctx, db, createTeam, createStream, readStream } = createWorkerFixtures(await createTestDatabase());
let processes: RtcProcesses;

beforeAll(async () => {
  processes = await startRtcProcesses(ctx.settings, process.env.PATH);
  const isUp = async () =>
    (await fetch(`${processes.url}/webrtc/x`, { method: 'HEAD' }).catch(() => null))?.ok === true;
  await pollForValue(async () => ((await isUp()) ? true : undefined));
});
afterAll(() => processes.end());

const frames = encodeFrames(4);

const patch = async (session: string, fragment: string) => {
  const headers = { 'Content-Type': 'application/trickle-ice-sdpfrag', 'If-Match': '*' };
  return (await fetch(session, { method: 'PATCH', headers, body: fragment })).status;
};
const requestIceRestart = (session: string) =>
  patch(session, 'a=ice-ufrag:newufrag\r\na=ice-pwd:a-new-password-of-some-length\r\n');
const isSessionOpen = async (session: string) => (await patch(session, 'a=end-of-candidates\r\n')) === 204;

/** Starts a stream from a WebRTC publisher with audio. */
async function startLiveStream() {
  const row = await createStream(await createTeam());
  await db.stream.update({ where: { id: row.id }, data: { slate: true } });
  const url = `${processes.url}/webrtc/${row.streamKey}`;
  const publisher = new NativePublisher({ hasAudio: true });
  const session = await publisher.publish(url);
  publisher.startSending(frames);
  await expect.poll(async () => (await readStream(row.id)).isActive).toBe(true);
  await expect.poll(async () => (await readSegmentSeconds(row.playbackId)).length).toBeGreaterThan(4);
  return {
    ...row,
    url,
    publisher,
    session,
    interruptionCount: countInterruptions(await readPlaylist(row.playbackId)),
  };
}

async function readPlaylist(playbackId: string): Promise<string> {
  const response = await fetch(`${processes.url}/hls/${playbackId}/source/index.m3u8?ll=0`);
  return response.status === 200 ? await response.text() : '';
}

/** Durations of the segments, in seconds. */
const readSegmentSeconds = async (playbackId: string) =>
  [...(await readPlaylist(playbackId)).matchAll(/^#EXTINF:([\d.]+)/gm)].map(([, text]) => Number(text));

/** The number of the newest segment; -1 if there is none. */
const newestSegmentIn = (text: string): number =>
  Number([...text.matchAll(/^(\d+)\.m4s/gm)].at(-1)?.[1] ?? -1);

/** Number of discontinuities and gaps so far. */
const countInterruptions = (text: string): number =>
  Number(/^#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)/m.exec(text)?.[1] ?? 0) +
  (text.match(/^#EXT-X-(?:DISCONTINUITY|GAP)$/gm)?.length ?? 0);

interface LiveStream {
  readonly id: string;
  readonly playbackId: string;
  /** Interruptions of playback before the publish moved. */
  readonly interruptionCount: number;
}

async function expectOneSession({ id, playbackId, interruptionCount }: LiveStream) {
  const newest = newestSegmentIn(await readPlaylist(playbackId));
  await expect.poll(async () => newestSegmentIn(await readPlaylist(playbackId))).toBeGreaterThan(newest + 2);
  const text = await readPlaylist(playbackId);
  expect(countInterruptions(text)).toBe(interruptionCount);
  // Segments last about 2 s. One that spans a gap between the connections would be longer.
  for (const seconds of await readSegmentSeconds(playbackId)) expect(seconds).toBeLessThan(4);
  const { issues, ...row } = await readStream(id);
  expect(row).toMatchObject({ isActive: true, runs: 1 });
  // A publisher on a busy machine sends late.
  expect(issues.filter((issue) => !/^Video arrives at \d+ % of real time/.test(issue))).toEqual([]);
  const events = await db.event.findMany({ where: { streamId: id }, orderBy: { sequence: 'asc' } });
  expect(events.map(({ name }) => name)).toEqual(['stream.started']);
  expect(await db.session.count({ where: { parentId: id } })).toBe(1);
}

describe('a publisher', () => {
  test('whose ICE restart was rejected continues on a new connection while the previous one still sends', async () => {
    const { url, publisher, session, ...row } = await startLiveStream();
    expect(await requestIceRestart(session)).toBe(422);
    expect(await isSessionOpen(session)).toBe(true);
    const nextPublisher = new NativePublisher({ hasAudio: true });
    const nextSession = await nextPublisher.publish(url);
    nextPublisher.startSending(frames);
    await expect.poll(() => isSessionOpen(session)).toBe(false);
    publisher.close();
    await expectOneSession(row);
    expect(await isSessionOpen(nextSession)).toBe(true);
    expect((await fetch(nextSession, { method: 'DELETE' })).status).toBe(200);
    await expect.poll(async () => (await readStream(row.id)).isActive).toBe(false);
    nextPublisher.close();
  });

  test('whose ICE restart was rejected replaces its broken connection within 1 s of reconnecting', async () => {
    const { url, publisher, session, ...row } = await startLiveStream();
    publisher.close();
    expect(await requestIceRestart(session)).toBe(422);
    const nextPublisher = new NativePublisher({ hasAudio: true });
    await nextPublisher.publish(url);
    const connectedAtMs = performance.now();
    nextPublisher.startSending(frames);
    await expect.poll(() => isSessionOpen(session), { interval: 20 }).toBe(false);
    expect(performance.now() - connectedAtMs).toBeLessThan(1_000);
    await expectOneSession(row);
    nextPublisher.close();
  });

  test('that requested no ICE restart is not replaced by another encoder with its key', async () => {
    const { url, publisher, session } = await startLiveStream();
    const otherPublisher = new NativePublisher({ hasAudio: true });
    await expect(otherPublisher.publish(url)).rejects.toThrow('status 404');
    expect(await isSessionOpen(session)).toBe(true);
    otherPublisher.close();
    publisher.close();
  });
});
