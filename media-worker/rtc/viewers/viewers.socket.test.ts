import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '@/lib/infra/clock';
import { createLogger } from '@/lib/infra/logger';
import { findFreePort } from '@/lib/infra/testing/free-port';
import type { Answer } from '@/media-worker/kit/http/answer';
import { prefixWithLengths } from '@/media-worker/media/cmaf/nal-units';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { video } from '@/media-worker/media/packets/testing/packets';
import { sessionPath, Signalling } from '@/media-worker/rtc/signalling';
import { nalTypesIn, ViewerClient } from '@/media-worker/rtc/testing/viewer-client';
import { ViewerDirection } from './viewer-direction';
import { ViewerFeeds } from './viewer-feeds';
import { ViewerSessions } from './viewer-sessions';

/** Connections between two libdatachannel peers over the loopback interface. */

const videoConfig: VideoPacket = {
  ...video(0),
  role: 'config',
  payload: CONFIG_RECORDS.high320,
};

/** One video frame of this many bytes. */
function videoFrame(dts: number, key: boolean, bytes = 3_000): VideoPacket {
  const slice = Buffer.alloc(bytes, 0x55);
  slice[0] = key ? 0x65 : 0x41;
  return { ...video(dts, key), payload: prefixWithLengths([slice]) };
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Opens the WebRTC handlers of an rtc process, and a stream whose packets the test pushes. */
async function openStream(cached: readonly MediaPacket[]) {
  let bus = new PacketBus({ onSubscriberError: (error) => expect.unreachable(String(error)) });
  for (const packet of cached) bus.push(packet);
  let isLive = true;
  let leaveCount = 0;
  const sessions = new ViewerSessions(systemClock);
  const feeds = new ViewerFeeds({
    clock: systemClock,
    feeds: { join: () => Promise.resolve(isLive ? { bus, leave: () => void (leaveCount += 1) } : null) },
    onAudioStateChange: () => undefined,
  });
  const watch = new ViewerDirection({ clock: systemClock, feeds, sessions });
  const settings = { host: '127.0.0.1', rtcPublicAddresses: [], rtcPort: await findFreePort() };
  const signalling = new Signalling({
    settings,
    log: createLogger('rtc', 'silent'),
    directions: { watch },
    takeProgress: (ids) => sessions.takeProgress(ids),
  });
  closers.push(() => {
    signalling.close();
    feeds.close();
    sessions.close();
  });
  const sendOffer = async (client: ViewerClient): Promise<Answer> => {
    closers.push(() => client.close());
    const offer = await client.offer();
    const live = 'http://127.0.0.1:1';
    return signalling.answer({ kind: 'watch', ip: '127.0.0.1', offer, playbackId: 'a'.repeat(16), live });
  };
  return {
    sendOffer,
    signalling,
    push: (packet: MediaPacket) => bus.push(packet),
    /** Ends the live process. Another live process has the stream once `startLiveProcess` is called. */
    loseLiveProcess: () => {
      isLive = false;
      bus.end('lost');
    },
    startLiveProcess: (packets: readonly MediaPacket[]) => {
      bus = new PacketBus({ onSubscriberError: (error) => expect.unreachable(String(error)) });
      for (const packet of packets) bus.push(packet);
      isLive = true;
    },
    countLeaves: () => leaveCount,
  };
}

const textOf = ({ body = [] }: Answer) => Buffer.concat(body).toString();
const idOf = ({ headers }: Answer) => String(headers?.['Location']).slice(sessionPath('').length);

/**
 * Connects a viewer. libdatachannel as a client needs the answer before the first DTLS message, and drops packets that arrive
 * before another of its threads has the keys. A browser does not, and would request a keyframe.
 */
async function connectViewer({ sendOffer }: Awaited<ReturnType<typeof openStream>>) {
  for (;;) {
    const client = new ViewerClient();
    const answer = await sendOffer(client);
    expect([answer.status, textOf(answer)]).toEqual([201, expect.stringContaining('H264')]);
    client.accept(textOf(answer));
    await expect.poll(() => client.state, { timeout: 20_000 }).toMatch(/connected|failed/);
    if (client.state === 'connected' && (await hasFirstFrame(client))) return { client, id: idOf(answer) };
    client.close();
  }
}

const hasFirstFrame = ({ received }: ViewerClient) =>
  vi
    .waitFor(() => expect(nalTypesIn(received.video)[0]).toBe(7), { timeout: 2_000 })
    .then(
      () => true,
      () => false,
    );

const gopPackets = (firstDtsMs: number, count: number) =>
  Array.from({ length: count }, (_, index) => videoFrame(firstDtsMs + index * 33, index === 0));

const timestampsOf = (packets: readonly Buffer[]) => [
  ...new Set(packets.map((packet) => packet.readUInt32BE(4))),
];
const sequenceNumbersOf = (packets: readonly Buffer[]) => packets.map((packet) => packet.readUInt16BE(2));
const isConsecutive = (numbers: readonly number[]) =>
  numbers.every((number, index) => index === 0 || number === ((numbers[index - 1] ?? 0) + 1) % 65_536);

test('a viewer gets the current GOP immediately, and then new frames', async () => {
  const stream = await openStream([videoConfig, ...gopPackets(0, 10)]);
  const { client, id } = await connectViewer(stream);
  await expect.poll(() => timestampsOf(client.received.video).length).toBe(10);
  // A keyframe carries its parameter sets.
  expect(nalTypesIn(client.received.video)).toEqual([7, 8, 5, ...Array.from({ length: 9 }, () => 1)]);
  stream.push(videoFrame(330, false));
  await expect.poll(() => timestampsOf(client.received.video).length).toBe(11);
  expect(isConsecutive(sequenceNumbersOf(client.received.video))).toBe(true);
  const [progress] = JSON.parse(textOf(await stream.signalling.answer({ kind: 'progress', ids: [id] }))) as {
    bytes: number;
  }[];
  expect(progress?.bytes).toBeGreaterThan(11 * 3_000);
});

test('a viewer that requests a keyframe gets the GOP again', async () => {
  const stream = await openStream([videoConfig, ...gopPackets(0, 5)]);
  const { client } = await connectViewer(stream);
  await expect.poll(() => timestampsOf(client.received.video).length).toBe(5);
  await expect
    .poll(() => {
      client.requestKeyframe();
      return nalTypesIn(client.received.video).filter((type) => type === 5).length;
    })
    .toBe(2);
  expect(isConsecutive(sequenceNumbersOf(client.received.video))).toBe(true);
});

test('the connection survives the change to another live process, and its timestamps continue', async () => {
  const stream = await openStream([videoConfig, ...gopPackets(900_000, 5)]);
  const { client } = await connectViewer(stream);
  await expect.poll(() => timestampsOf(client.received.video).length).toBe(5);
  stream.loseLiveProcess();
  stream.startLiveProcess([videoConfig, ...gopPackets(0, 4)]);
  await expect.poll(() => timestampsOf(client.received.video).length, { timeout: 10_000 }).toBe(9);
  expect(client.state).toBe('connected');
  expect(isConsecutive(sequenceNumbersOf(client.received.video))).toBe(true);
  const [timestampBefore, timestampAfter] = timestampsOf(client.received.video).slice(4, 6);
  expect((((timestampAfter ?? 0) - (timestampBefore ?? 0) + 2 ** 32) % 2 ** 32) / 90).toBeLessThan(10_000);
});

test('offers for B-frames, unsupported codecs and streams that are not live are rejected', async () => {
  const frame = (dts: number, offset: number) => ({ ...videoFrame(dts, dts === 0), pts: dts + offset });
  const reorderedStream = await openStream([videoConfig, frame(0, 66), frame(33, 132), frame(66, 0)]);
  const rejection = await reorderedStream.sendOffer(new ViewerClient());
  expect([rejection.status, JSON.parse(textOf(rejection))]).toEqual([
    406,
    { errors: [expect.stringContaining('set B-frames to 0')], reason: 'b_frames' },
  ]);
  const av1Stream = await openStream([
    { ...videoConfig, codec: 'av1' },
    { ...videoFrame(0, true), codec: 'av1' },
  ]);
  const av1Answer = await av1Stream.sendOffer(new ViewerClient());
  expect([av1Answer.status, textOf(av1Answer)]).toEqual([406, expect.stringContaining('"reason":"codec"')]);
  const missingStream = await openStream([]);
  missingStream.loseLiveProcess();
  expect((await missingStream.sendOffer(new ViewerClient())).status).toBe(404);
});

test('a viewer is disconnected when B-frames begin, and the next offer is rejected', async () => {
  const stream = await openStream([videoConfig, ...gopPackets(0, 5)]);
  await connectViewer(stream);
  expect(stream.signalling.count).toBe(1);
  stream.push({ ...videoFrame(165, false), pts: 300 });
  await expect.poll(() => stream.signalling.count).toBe(0);
  expect((await stream.sendOffer(new ViewerClient())).status).toBe(406);
});
