import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import { createTarget } from '@/lib/domain/multistream';
import { createStream, getMultistream } from '@/lib/domain/streams';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { killAndWait, pollForValue } from '@/media-worker/vod/tasks/testing/jobs-process';
import { findOnsets, audioLags } from '@/e2e/media/testing/flash-and-beep';
import { findOpusEncoderPids } from './testing/encoder-pids';
import { type RtcProcesses, startRtcProcesses } from './testing/rtc-processes';

/**
 * Streams of one installation that are sent to the WHIP endpoint of another installation, which has its own
 * database.
 */

const runProgram = promisify(execFile);
const [senderFixtures, receiverFixtures] = [
  createWorkerFixtures(await createTestDatabase()),
  createWorkerFixtures(await createTestDatabase()),
];
const createOwnerContext = async ({ ctx, createTeam }: typeof senderFixtures): Promise<TeamContext> => ({
  ...ctx,
  actor: { kind: 'cli', teamId: await createTeam() },
});
const [sender, receiver] = [
  await createOwnerContext(senderFixtures),
  await createOwnerContext(receiverFixtures),
];
let senderProcesses: RtcProcesses;
let receiverProcesses: RtcProcesses;
const encoders: ChildProcess[] = [];

beforeAll(async () => {
  [senderProcesses, receiverProcesses] = (await Promise.all(
    [senderFixtures, receiverFixtures].map(({ ctx }) => startRtcProcesses(ctx.settings, process.env.PATH)),
  )) as [RtcProcesses, RtcProcesses];
  for (const { url } of [senderProcesses, receiverProcesses])
    await pollForValue(async () => {
      const response = await fetch(`${url}/webrtc/x`, { method: 'HEAD' }).catch(() => null);
      return response?.ok === true ? true : undefined;
    });
});
const stopEncoders = () => Promise.all(encoders.splice(0).map(killAndWait));
afterEach(stopEncoders);
afterAll(() => Promise.all([senderProcesses.end(), receiverProcesses.end()]));

/** Publishes a flash and a beep every two seconds. */
function publish(streamKey: string, video = ['-tune', 'zerolatency']): void {
  const flash = "color=black:size=320x180:rate=30,drawbox=color=white:t=fill:enable='lt(mod(t,2),0.2)'";
  const beep = "aevalsrc='if(lt(mod(t,2),0.2),sin(2*PI*1000*t),0)':s=48000";
  const input = ['-re', '-f', 'lavfi', '-i', flash, '-re', '-f', 'lavfi', '-i', beep];
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', ...video, '-g', '60', '-pix_fmt', 'yuv420p'];
  const output = [...coding, '-c:a', 'aac', '-ac', '2', '-f', 'flv', senderProcesses.rtmpUrl + streamKey];
  encoders.push(spawn('ffmpeg', ['-v', 'error', ...input, ...output], { stdio: 'ignore' }));
}

/** Creates a stream that is sent to these URLs. */
async function createStreamWithTargets(urls: readonly string[], options: { readonly slate?: boolean } = {}) {
  const targets = [];
  for (const url of urls) targets.push({ id: (await createTarget(sender, { url })).id, profile: 'source' });
  const stream = await createStream(sender, {
    name: 'Source',
    profiles: [],
    slate: false,
    ...options,
    multistream: { targets },
  });
  const readStatus = async (index = 0) => (await getMultistream(sender, stream.id))[index];
  return { id: stream.id, streamKey: stream.streamKey ?? '', readStatus };
}

async function createReceiverStream() {
  const { id, playbackId, streamKey } = await createStream(receiver, { name: 'Receiver', profiles: [] });
  return {
    id,
    url: `${receiverProcesses.url}/webrtc#${streamKey ?? ''}`,
    playlist: `${receiverProcesses.url}/hls/${playbackId}/source/index.m3u8?ll=0`,
    isActive: async () => (await receiverFixtures.readStream(id)).isActive,
    countSessions: () => receiverFixtures.db.session.count({ where: { parentId: id } }),
  };
}

/** The whole status as text, which a failed test shows. */
const readStatusText = async (source: Awaited<ReturnType<typeof createStreamWithTargets>>) =>
  JSON.stringify(await source.readStatus());
/** Media sequence numbers of the segments. */
const readSegmentNumbers = async (playlist: string) =>
  [...(await (await fetch(playlist)).text()).matchAll(/^(\d+)\.m4s/gm)].map(([, msn]) => Number(msn));
const readNewestSegment = async (playlist: string) => (await readSegmentNumbers(playlist)).at(-1) ?? 0;

describe('a WHIP target', () => {
  test('gets H.264 and audio in sync, encoded once for two targets, until the stream ends', async () => {
    const [firstReceiver, secondReceiver] = [await createReceiverStream(), await createReceiverStream()];
    const source = await createStreamWithTargets([firstReceiver.url, secondReceiver.url]);
    expect(await findOpusEncoderPids(senderProcesses.rtcPid())).toEqual([]);
    publish(source.streamKey);
    for (const index of [0, 1])
      await expect.poll(async () => (await source.readStatus(index))?.state).toBe('connected');
    for (const { isActive } of [firstReceiver, secondReceiver]) await expect.poll(isActive).toBe(true);
    await expect.poll(async () => (await source.readStatus())?.bitrate).toBeGreaterThan(10_000);
    expect(await findOpusEncoderPids(senderProcesses.rtcPid())).toHaveLength(1);
    await expect
      .poll(async () => (await readSegmentNumbers(firstReceiver.playlist)).length)
      .toBeGreaterThan(4);
    const entries = ['-show_entries', 'stream=codec_name', '-of', 'csv=p=0'];
    const { stdout } = await runProgram('ffprobe', ['-v', 'error', ...entries, firstReceiver.playlist]);
    expect([...new Set(stdout.match(/\w+/g))].sort()).toEqual(['aac', 'h264']);
    const receivedFile = join(receiverFixtures.dataDir, 'received.ts');
    await runProgram('ffmpeg', [
      ...['-v', 'error', '-i', firstReceiver.playlist],
      ...['-t', '10', '-c', 'copy', receivedFile],
    ]);
    const lags = audioLags(await findOnsets(receivedFile, 12));
    expect(lags.length).toBeGreaterThanOrEqual(3);
    // The median lag of the beep behind the flash, in seconds.
    expect(Math.abs(lags[Math.floor(lags.length / 2)] ?? 1)).toBeLessThan(0.1);
    await stopEncoders();
    // The target deletes its session at the endpoint. Otherwise the endpoint would count it as lost only after eight seconds.
    const endedAtMs = performance.now();
    await expect.poll(async () => (await source.readStatus())?.state).toBe('disconnected');
    await expect.poll(firstReceiver.isActive).toBe(false);
    expect(performance.now() - endedAtMs).toBeLessThan(60_000);
    await expect.poll(() => findOpusEncoderPids(senderProcesses.rtcPid())).toEqual([]);
  });

  test('reconnects after its endpoint was killed', async () => {
    const target = await createReceiverStream();
    const source = await createStreamWithTargets([target.url]);
    publish(source.streamKey);
    await expect.poll(async () => (await source.readStatus())?.state).toBe('connected');
    await expect.poll(target.isActive).toBe(true);
    await receiverProcesses.restartRtc();
    await expect.poll(async () => (await source.readStatus())?.lastError?.message ?? '').not.toBe('');
    await expect.poll(async () => (await source.readStatus())?.state).toBe('connected');
    await expect.poll(target.isActive).toBe(true);
  });

  test('stays connected while the slate is shown, in one session at the endpoint', async () => {
    const target = await createReceiverStream();
    const source = await createStreamWithTargets([target.url], { slate: true });
    publish(source.streamKey);
    await expect.poll(async () => (await source.readStatus())?.state).toBe('connected');
    await expect.poll(async () => (await readSegmentNumbers(target.playlist)).length).toBeGreaterThan(2);
    const readProgram = async () => (await senderFixtures.readStream(source.id)).program;
    await stopEncoders();
    await expect.poll(readProgram).toMatchObject({ input: 'slate' });
    const newestAtSlate = await readNewestSegment(target.playlist);
    await expect.poll(() => readNewestSegment(target.playlist)).toBeGreaterThan(newestAtSlate + 2);
    expect((await source.readStatus())?.state).toBe('connected');
    publish(source.streamKey);
    await expect.poll(readProgram).toMatchObject({ input: 'primary' });
    const newestAtReturn = await readNewestSegment(target.playlist);
    await expect.poll(() => readNewestSegment(target.playlist)).toBeGreaterThan(newestAtReturn + 2);
    expect((await source.readStatus())?.state).toBe('connected');
    expect(await target.countSessions()).toBe(1);
  });

  test('with a wrong token is reported, without showing the token', async () => {
    const source = await createStreamWithTargets([`${receiverProcesses.url}/webrtc#wrong-secret-key`]);
    publish(source.streamKey);
    await expect.poll(() => readStatusText(source)).toContain('has no stream at this URL: status 404');
    expect(await readStatusText(source)).not.toContain('secret');
  });

  test.each([
    [401, 'rejected the bearer token: status 401'],
    [410, 'has no stream at this URL: status 410'],
  ])('that responds with status %i is reported', async (status, message) => {
    const tokens = new Set<string | undefined>();
    const endpoint = createServer((request, response) => {
      tokens.add(request.headers.authorization);
      response.writeHead(status).end('secret-token is wrong');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => endpoint.once('listening', resolve));
    const { port } = endpoint.address() as AddressInfo;
    const source = await createStreamWithTargets([`http://127.0.0.1:${port}/whip#secret-token`]);
    publish(source.streamKey);
    await expect.poll(() => readStatusText(source)).toContain(message);
    expect(await readStatusText(source)).not.toContain('secret');
    expect([...tokens]).toEqual(['Bearer secret-token']);
    endpoint.close();
  });

  test('of a stream with B-frames reports them as its error', async () => {
    const target = await createReceiverStream();
    const source = await createStreamWithTargets([target.url]);
    publish(source.streamKey, ['-bf', '2', '-b_strategy', '0']);
    await expect.poll(() => readStatusText(source), { timeout: 60_000 }).toContain('B-frames');
  });
});
