import { execFile } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reconnectingIssue } from '@/lib/core/streams/stream-doctor';
import type { TeamContext } from '@/lib/domain/context';
import { createTarget } from '@/lib/domain/multistream';
import { createStream as createStreamWithSettings } from '@/lib/domain/streams';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { pollForValue } from '@/media-worker/vod/tasks/testing/jobs-process';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
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

const fetchPlaylist = async (playbackId: string, file: string) => {
  const response = await fetch(`${processes.url}/hls/${playbackId}/${file}`);
  return response.status === 200 ? await response.text() : '';
};

const whipUrl = (key: string) => `${processes.url}/webrtc/${key}`;
const createTestStream = async () => {
  const row = await createStream(await createTeam());
  return { ...row, isActive: async () => (await readStream(row.id)).isActive };
};
describe('an encoder with libdatachannel', () => {
  const frames = encodeFrames(4);

  test('publishes without a discontinuity while invalid datagrams arrive at the port', async () => {
    const { streamKey, playbackId, isActive } = await createTestStream();
    const publisher = new NativePublisher();
    const session = await publisher.publish(whipUrl(streamKey));
    publisher.startSending(frames);
    const stop = sendInvalidDatagrams(processes.rtcPort);
    try {
      await expect.poll(isActive).toBe(true);
      await expect.poll(() => fetchPlaylist(playbackId, 'source/index.m3u8?ll=0')).toMatch(/(\.m4s[^]*){5}/);
      const text = await fetchPlaylist(playbackId, 'source/index.m3u8?ll=0');
      expect(text).not.toContain('#EXT-X-DISCONTINUITY\n');
      expect(await readFfmpegWarnings(`${processes.url}/hls/${playbackId}/source/index.m3u8?ll=0`)).toBe('');
    } finally {
      expect(stop()).toBeGreaterThan(1_000);
    }
    expect((await fetch(session, { method: 'DELETE' })).status).toBe(200);
    await expect.poll(isActive).toBe(false);
    publisher.close();
  });

  test('is recorded and sent to a target, and the slate is shown while it is disconnected', async () => {
    const ingest = await startIngest();
    const owner: TeamContext = { ...ctx, actor: { kind: 'cli', teamId: await createTeam() } };
    const { id: target } = await createTarget(owner, {
      url: `rtmp://127.0.0.1:${ingest.port}/live/good-key`,
    });
    const { id, streamKey, playbackId } = await createStreamWithSettings(owner, {
      name: 'Town hall',
      profiles: [],
      record: true,
      slate: true,
      multistream: { targets: [{ id: target, profile: 'source' }] },
    });
    const publisher = new NativePublisher();
    await publisher.publish(whipUrl(streamKey ?? ''));
    publisher.startSending(frames);
    const readSession = () => db.session.findFirstOrThrow({ where: { parentId: id } });
    await expect.poll(async () => (await readSession()).recording).toBe('recording');
    const countSentPackets = () => ingest.publishes[0]?.sink.packets.length ?? 0;
    await expect.poll(countSentPackets).toBeGreaterThan(200);
    publisher.close();
    await expect.poll(async () => (await readStream(id)).program).toMatchObject({ input: 'slate' });
    const newestBefore = newestSegmentIn(await fetchPlaylist(playbackId, 'source/index.m3u8?ll=0'));
    await expect
      .poll(async () => newestSegmentIn(await fetchPlaylist(playbackId, 'source/index.m3u8?ll=0')))
      .toBeGreaterThan(newestBefore + 2);
    expect((await readStream(id)).isActive).toBe(true);
    await ingest.server.close();
  });

  test('sends both tracks after an offer without SSRCs, as browsers create for several RID encodings', async () => {
    const { streamKey, playbackId, isActive } = await createTestStream();
    const publisher = new NativePublisher({ hasAudio: true, declaresSsrcs: false });
    await publisher.publish(whipUrl(streamKey));
    publisher.startSending(frames);
    await expect.poll(isActive).toBe(true);
    await expect.poll(() => fetchPlaylist(playbackId, 'index.m3u8')).toMatch(/CODECS="avc1\.\w+,mp4a/);
    publisher.close();
  });

  test.each([
    ['was killed', 'SIGKILL'],
    ['was restarted', 'SIGTERM'],
  ] as const)('reconnects in the same session after the rtc process %s', async (_name, signal) => {
    const { id, streamKey, playbackId, isActive } = await createTestStream();
    const firstPublisher = new NativePublisher();
    await firstPublisher.publish(whipUrl(streamKey));
    firstPublisher.startSending(frames);
    await expect.poll(isActive).toBe(true);
    await processes.restartRtc(signal);
    const text = await fetchPlaylist(playbackId, 'source/index.m3u8?ll=0');
    expect([text.includes('#EXTINF'), text.includes('#EXT-X-ENDLIST')]).toEqual([true, false]);
    firstPublisher.close();
    const nextPublisher = await pollForValue(async () => {
      const publisher = new NativePublisher();
      const isConnected = await publisher.publish(whipUrl(streamKey)).catch(() => null);
      if (isConnected === null) publisher.close();
      return isConnected === null ? undefined : publisher;
    }, 500);
    nextPublisher.startSending(frames);
    await expect.poll(isActive).toBe(true);
    await expect.poll(async () => (await readStream(id)).issues).toEqual([]);
    const events = await db.event.findMany({ where: { streamId: id }, orderBy: { sequence: 'asc' } });
    // The stream is idle meanwhile if a busy machine needs more than 8 s to start the process.
    const names = events.map(({ name }) => name).join(' ');
    expect(['stream.started', 'stream.started stream.idle stream.started']).toContain(names);
    expect(await db.session.count({ where: { parentId: id } })).toBe(1);
    nextPublisher.close();
  });

  test('that cannot reach the port causes a `stream.rejected` event', async () => {
    const { id, streamKey, isActive } = await createTestStream();
    const publisher = new NativePublisher();
    const response = await fetch(whipUrl(streamKey), {
      method: 'POST',
      headers: { 'Content-Type': 'application/sdp' },
      body: await publisher.offer(),
    });
    expect(response.status).toBe(201);
    // The client never applies the answer, so it sends no datagram.
    await expect
      .poll(() => db.event.findMany({ where: { streamId: id, name: 'stream.rejected' } }))
      .toHaveLength(1);
    const [event] = await db.event.findMany({ where: { streamId: id, name: 'stream.rejected' } });
    expect(event?.payload).toMatchObject({
      payload: {
        reason: 'unreachable',
        message: expect.stringContaining(`UDP port ${processes.rtcPort}`) as string,
      },
    });
    expect(await isActive()).toBe(false);
    publisher.close();
  });

  test('that stops sending is disconnected, and an issue of its stream says that it has to reconnect', async () => {
    const { id, streamKey, isActive } = await createTestStream();
    const publisher = new NativePublisher();
    await publisher.publish(whipUrl(streamKey));
    publisher.startSending(frames);
    await expect.poll(isActive).toBe(true);
    publisher.close();
    await expect.poll(async () => (await readStream(id)).issues).toContain(reconnectingIssue);
  });
});

/** Number of the newest segment in a playlist; -1 if there is none. */
const newestSegmentIn = (text: string): number =>
  Number([...text.matchAll(/^(\d+)\.m4s/gm)].at(-1)?.[1] ?? -1);

/**
 * Sends datagrams that are not valid WebRTC to a port; some are nearly valid.
 * @returns a function that stops sending and returns the number of datagrams
 */
function sendInvalidDatagrams(port: number): () => number {
  const socket = createSocket('udp4');
  // A STUN binding request, a DTLS handshake record, RTP, RTCP, random bytes only, and a STUN success response.
  const firstBytes = ['000100002112a442', '16fefd000000000000', '8060', '80c8', '', '0101'].map((hex) =>
    Buffer.from(hex, 'hex'),
  );
  let count = 0;
  const timer = setInterval(() => {
    for (let packet = 0; packet < 20; packet += 1) {
      const prefix = firstBytes[count % firstBytes.length] ?? Buffer.alloc(0);
      socket.send(
        Buffer.concat([prefix, randomBytes(randomInt(0, 1_200))]),
        port,
        '127.0.0.1',
        () => undefined,
      );
      count += 1;
    }
  }, 10);
  return () => {
    clearInterval(timer);
    socket.close();
    return count;
  };
}

async function readFfmpegWarnings(url: string): Promise<string> {
  const { stderr } = await promisify(execFile)('ffmpeg', [
    '-hide_banner',
    '-loglevel',
    'warning',
    '-i',
    url,
    '-t',
    '6',
    '-f',
    'null',
    '-',
  ]);
  // ffmpeg 5 reads the init segment again with every reload of a live playlist, and warns about it.
  const lines = stderr.split('\n').filter((line) => !/duplicated MOOV Atom|Last message repeated/.test(line));
  return lines.join('').trim();
}
