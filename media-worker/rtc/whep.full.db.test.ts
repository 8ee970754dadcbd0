import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPlaybackToken, revokePlaybackToken } from '@/lib/domain/access';
import { updateStream } from '@/lib/domain/streams';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openEdge } from '@/media-worker/delivery/edge/testing/open-edge';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { killAndWait, pollForValue } from '@/media-worker/vod/tasks/testing/jobs-process';
import { type RtcProcesses, startRtcProcesses } from './testing/rtc-processes';
import { nalTypesIn, ViewerClient } from './testing/viewer-client';

/**
 * Viewers of a real encoder through the processes of the service. e2e/watching/whep.full.spec.ts is the same test in a browser.
 */

const { ctx, db, createTeam, createStream, readStream } = createWorkerFixtures(await createTestDatabase());
let processes: RtcProcesses;
const encoders: ChildProcess[] = [];
const viewers: ViewerClient[] = [];

beforeAll(async () => {
  processes = await startRtcProcesses(ctx.settings, process.env.PATH);
  await pollForValue(async () => {
    const response = await fetch(whepUrl('x'), { method: 'HEAD' }).catch(() => null);
    return response?.ok === true ? true : undefined;
  });
});
afterEach(async () => {
  for (const viewer of viewers.splice(0)) viewer.close();
  await Promise.all(encoders.splice(0).map(killAndWait));
});
afterAll(() => processes.end());

const whepUrl = (playbackId: string, query = '') => `${processes.url}/webrtc/${playbackId}${query}`;

/** Publishes video and a tone until the test is over. */
function publish(streamKey: string, video = '-tune zerolatency'): void {
  const input = '-re -f lavfi -i testsrc2=size=320x180:rate=30 -f lavfi -i sine=frequency=440';
  const output = `-c:v libx264 -preset ultrafast ${video} -g 60 -pix_fmt yuv420p -c:a aac -ac 2 -f flv`;
  const args = `-v error ${input} ${output} ${processes.rtmpUrl}${streamKey}`.split(' ');
  encoders.push(spawn('ffmpeg', args, { stdio: 'ignore' }));
}

async function startLiveStream(video?: string) {
  const teamId = await createTeam();
  const row = await createStream(teamId);
  publish(row.streamKey, video);
  await expect.poll(async () => (await readStream(row.id)).isActive).toBe(true);
  return { ...row, actorCtx: { ...ctx, actor: { kind: 'cli', teamId } } as const };
}

async function sendOffer(url: string) {
  const viewer = new ViewerClient();
  viewers.push(viewer);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/sdp' },
    body: await viewer.offer(),
  });
  const session = response.headers.get('Location');
  return { viewer, status: response.status, body: await response.text(), session };
}

/** Connects a viewer, with retries: libdatachannel as a client needs the answer before the first DTLS message. */
const connectViewer = (url: string) =>
  pollForValue(async () => {
    const connection = await sendOffer(url);
    // A process that has just started on a busy machine may be too slow for an answer.
    if (connection.status === 503) return undefined;
    expect([connection.status, connection.body]).toEqual([201, expect.stringContaining('H264')]);
    connection.viewer.accept(connection.body);
    await expect.poll(() => connection.viewer.state, { timeout: 30_000 }).toMatch(/connected|failed/);
    return connection.viewer.state === 'connected' ? connection : undefined;
  });

/** The number of different RTP timestamps, which are at bytes 4 to 7. */
const countFrames = ({ received }: ViewerClient) =>
  new Set(received.video.map((packet) => packet.readUInt32BE(4))).size;

describe('a viewer', () => {
  test('of an edge gets media from the origin, and ends its session through the edge', async () => {
    const { playbackId } = await startLiveStream();
    const edge = await openEdge(processes.url, { responseTimeoutMs: 60_000 });
    try {
      const { viewer, session } = await connectViewer(`${edge.url}/webrtc/${playbackId}`);
      await expect.poll(() => countFrames(viewer)).toBeGreaterThan(30);
      expect((await fetch(edge.url + String(session), { method: 'DELETE' })).status).toBe(200);
      await expect.poll(() => viewer.state).toMatch(/disconnected|failed|closed/);
    } finally {
      await edge.close();
    }
  });

  test('gets video from a keyframe and audio, is counted with its bytes, and ends its session with DELETE', async () => {
    const { id, playbackId, actorCtx } = await startLiveStream();
    const { viewer, session } = await connectViewer(whepUrl(playbackId));
    await expect.poll(() => countFrames(viewer)).toBeGreaterThan(60);
    // SPS and PPS, which come before a keyframe.
    expect(nalTypesIn(viewer.received.video).slice(0, 2)).toEqual([7, 8]);
    await expect.poll(() => viewer.received.audio.length).toBeGreaterThan(50);
    const views = () => db.streamViewers.aggregate({ where: { streamId: id }, _sum: { views: true } });
    await expect.poll(async () => (await views())._sum.views).toBe(1);
    const readDelivered = () =>
      db.deliveredDay.aggregate({ where: { teamId: actorCtx.actor.teamId }, _sum: { bytes: true } });
    await expect.poll(async () => Number((await readDelivered())._sum.bytes ?? 0)).toBeGreaterThan(10_000);
    expect((await fetch(`${processes.url}${session ?? ''}`, { method: 'DELETE' })).status).toBe(200);
    expect((await fetch(`${processes.url}${session ?? ''}`, { method: 'DELETE' })).status).toBe(404);
  });

  test('is not ended by the 45 s limit for viewers that no origin asks about', async () => {
    const { playbackId } = await startLiveStream();
    const { viewer } = await connectViewer(whepUrl(playbackId));
    viewer.discardPackets();
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    const packetCountBefore = viewer.packetCount;
    await expect.poll(() => viewer.packetCount).toBeGreaterThan(packetCountBefore + 30);
  });

  test('needs the token, and is disconnected when it is revoked', async () => {
    const { id, playbackId, actorCtx } = await startLiveStream();
    await updateStream(actorCtx, { id, change: { playbackPolicy: { type: 'jwt' } } });
    await expect
      .poll(async () => (await sendOffer(whepUrl(playbackId))).body)
      .toContain('A token is required');
    const { token } = await createPlaybackToken(actorCtx, { id: playbackId, expiresIn: 600 });
    const { viewer, session } = await connectViewer(whepUrl(playbackId, `?token=${token}`));
    await expect.poll(() => countFrames(viewer)).toBeGreaterThan(5);
    await revokePlaybackToken(actorCtx, { id: playbackId, token });
    const readSessionStatus = async () => {
      const headers = { 'Content-Type': 'application/trickle-ice-sdpfrag', 'If-Match': '*' };
      const request = { method: 'PATCH', headers, body: 'a=mid:0' };
      return (await fetch(`${processes.url}${session ?? ''}`, request)).status;
    };
    await expect.poll(readSessionStatus, { timeout: 60_000 }).toBe(404);
    expect((await sendOffer(whepUrl(playbackId, `?token=${token}`))).body).toContain('revoked');
  });

  test('can connect again after the rtc process was killed', async () => {
    const { playbackId } = await startLiveStream();
    const { viewer } = await connectViewer(whepUrl(playbackId));
    await expect.poll(() => countFrames(viewer)).toBeGreaterThan(5);
    await processes.restartRtc();
    await expect.poll(async () => (await sendOffer(whepUrl(playbackId))).status).toBe(201);
    const secondConnection = await connectViewer(whepUrl(playbackId));
    await expect.poll(() => countFrames(secondConnection.viewer)).toBeGreaterThan(5);
  });

  test('gets the next publish of the encoder too, with consecutive sequence numbers', async () => {
    const { playbackId, streamKey } = await startLiveStream();
    const { viewer } = await connectViewer(whepUrl(playbackId));
    await expect.poll(() => countFrames(viewer)).toBeGreaterThan(5);
    await Promise.all(encoders.splice(0).map(killAndWait));
    const frameCountBefore = countFrames(viewer);
    publish(streamKey);
    await expect.poll(() => countFrames(viewer)).toBeGreaterThan(frameCountBefore + 60);
    const sequenceNumbers = viewer.received.video.map((packet) => packet.readUInt16BE(2));
    expect(
      sequenceNumbers.every(
        (number, index) => index === 0 || number === ((sequenceNumbers[index - 1] ?? 0) + 1) % 65_536,
      ),
    ).toBe(true);
  });
});

test('a viewer of a stream with B-frames is rejected with a message, and the stream gets an issue', async () => {
  const { id, playbackId } = await startLiveStream('-bf 2');
  const { status, body } = await sendOffer(whepUrl(playbackId));
  expect([status, JSON.parse(body) as object]).toEqual([
    406,
    { errors: [expect.stringContaining('B-frames')], reason: 'b_frames' },
  ]);
  await expect
    .poll(async () => (await readStream(id)).issues)
    .toContain('Hint: WebRTC cannot play B-frames: set them to 0 in the encoder, or viewers get HLS instead');
});
