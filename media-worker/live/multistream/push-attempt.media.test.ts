import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { parseMuxedUrl } from '@/lib/core/targets/target-url';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';
import { createParameterSetInserter } from '@/media-worker/media/packets/keyframe-parameter-sets';
import { PushAttempt, type PushAttemptOptions } from './push-attempt';
import { encodeClip, EncoderBus } from './testing/encoder-bus';
import { neverRead, redirectTo, resetAfter, startRawTarget } from './testing/raw-target';

const packets = await encodeClip();
const encoders: EncoderBus[] = [];
afterEach(() => encoders.splice(0).forEach((encoder) => encoder.end()));

/** Timeouts that no machine reaches. */
const longTimeouts = { connectMs: 240_000, flowingMs: 240_000, stalledMs: 240_000 };
const loopback = openEgressSockets({ allowCidrs: ['127.0.0.1/32'] });

function startPush(url: string, options: Partial<PushAttemptOptions> = {}) {
  const destination = parseMuxedUrl(url);
  if (typeof destination === 'string') throw new Error(destination);
  const encoder = new EncoderBus(packets);
  encoders.push(encoder);
  const onFlowing = vi.fn<() => void>();
  const attempt = new PushAttempt({
    destination,
    bus: encoder.bus,
    videoOnly: false,
    sockets: loopback,
    onFlowing,
    isOwn: () => Promise.resolve(false),
    now: () => performance.now(),
    ...options,
    limits: { ...longTimeouts, ...options.limits },
  });
  return { attempt, encoder, onFlowing };
}

const remainingOptionFiles = () => readdirSync(scratchFolder()).filter((name) => name.startsWith('options-'));

describe('a target that accepts the stream', () => {
  test('gets every packet at the path and key of its URL, and a clean end', async () => {
    await using ingest = await startIngest();
    const { attempt, encoder, onFlowing } = startPush(`rtmp://127.0.0.1:${ingest.port}/live/good-key?x=1`);
    await expect.poll(() => onFlowing).toHaveBeenCalled();
    expect(remainingOptionFiles()).toEqual([]);
    const [publisher] = ingest.publishes;
    await publisher?.sink.waitForPackets(80);
    expect(publisher?.request).toMatchObject({ app: 'live', streamKey: 'good-key' });
    encoder.end();
    expect(await attempt.whenDone).toEqual({ isPlanned: true });
    expect(await publisher?.sink.waitForEnd()).toBe('finished');
    const frames = publisher?.sink.packets.filter(({ role }) => role === 'frame') ?? [];
    const payloads = frames
      .filter(({ kind }) => kind === 'video')
      .map(({ payload }) => payload.toString('hex'));
    const sentPackets = packets.map(createParameterSetInserter());
    const expectedPayloads = sentPackets
      .filter(({ kind, role }) => kind === 'video' && role === 'frame')
      .map(({ payload }) => payload.toString('hex'));
    expect(payloads.length).toBeGreaterThan(25);
    // The payloads are identical from the first keyframe on; keyframes carry their parameter sets.
    expect(payloads).toEqual(expectedPayloads.concat(expectedPayloads).slice(0, payloads.length));
    expect(frames.some(({ kind }) => kind === 'audio')).toBe(true);
    expect(attempt.bytes).toBeGreaterThan(10_000);
    expect(onFlowing).toHaveBeenCalledTimes(1);
  });

  test('gets no audio if only video is configured, and a clean end when the push is stopped', async () => {
    await using ingest = await startIngest();
    const { attempt, onFlowing } = startPush(`rtmp://127.0.0.1:${ingest.port}/live/good-key`, {
      videoOnly: true,
    });
    await expect.poll(() => onFlowing).toHaveBeenCalled();
    await Promise.all([attempt.stop(), attempt.stop()]);
    expect(await attempt.whenDone).toEqual({ isPlanned: true });
    expect(await ingest.publishes[0]?.sink.waitForEnd()).toBe('finished');
    expect(ingest.publishes[0]?.sink.packets.some(({ kind }) => kind === 'audio')).toBe(false);
  });
});

test('a push whose ffmpeg this machine kills is not reported as a fault of the target', async () => {
  await using ingest = await startIngest();
  const { attempt, onFlowing } = startPush(`rtmp://127.0.0.1:${ingest.port}/live/good-key`);
  await expect.poll(() => onFlowing).toHaveBeenCalled();
  process.kill(attempt.pid() ?? 0, 'SIGKILL');
  const reason = 'Sending to 127.0.0.1 was interrupted on this server. It restarts automatically.';
  expect(await attempt.whenDone).toEqual({ isPlanned: false, reason });
});

describe('a target that redirects to another', () => {
  test('gets the stream at the other server, with the key', async () => {
    await using ingest = await startIngest();
    const target = await startRawTarget(redirectTo(`rtmp://127.0.0.1:${ingest.port}/live`));
    const { attempt, encoder, onFlowing } = startPush(`rtmp://127.0.0.1:${target.port}/old/good-key?x=1`);
    await expect.poll(() => onFlowing).toHaveBeenCalled();
    expect(ingest.publishes[0]?.request).toMatchObject({ app: 'live', streamKey: 'good-key' });
    encoder.end();
    expect(await attempt.whenDone).toEqual({ isPlanned: true });
    expect(remainingOptionFiles()).toEqual([]);
    await target.close();
  });

  test('is followed at most three times, and never to an address that the egress policy forbids', async () => {
    const privateRedirect = await startRawTarget(redirectTo('rtmp://10.0.0.1/live'));
    const end = startPush(`rtmp://127.0.0.1:${privateRedirect.port}/live/secret-key`).attempt.whenDone;
    expect(JSON.stringify(await end)).toContain('10.0.0.1 is not a public address');
    const loopingTarget: Awaited<ReturnType<typeof startRawTarget>> = await startRawTarget((socket) =>
      redirectTo(`rtmp://127.0.0.1:${loopingTarget.port}/live`)(socket),
    );
    expect(
      await startPush(`rtmp://127.0.0.1:${loopingTarget.port}/live/secret-key`).attempt.whenDone,
    ).toMatchObject({
      isPlanned: false,
    });
    // The first connection, and three redirects.
    expect(loopingTarget.connectionCount).toBe(4);
    await Promise.all([privateRedirect.close(), loopingTarget.close()]);
  });
});

describe('the reason of a failed push reports a target that', () => {
  const reasonOf = async (url: string, options: Partial<PushAttemptOptions> = {}) => {
    const { attempt, onFlowing } = startPush(url, options);
    const end = await attempt.whenDone;
    expect(onFlowing).not.toHaveBeenCalled();
    expect(remainingOptionFiles()).toEqual([]);
    return 'reason' in end ? end.reason : null;
  };

  test('rejects the key, with its message and without the key', async () => {
    await using ingest = await startIngest();
    const reason = await reasonOf(`rtmp://127.0.0.1:${ingest.port}/live/bad-secret-key`);
    expect(reason).toMatch(/^127\.0\.0\.1 rejected the stream: .*Copy the stream key again/);
    expect(reason).not.toContain('secret');
  });

  test('cannot be reached', async () => {
    const target = await startRawTarget(() => undefined);
    await target.close();
    expect(await reasonOf(`rtmp://127.0.0.1:${target.port}/live/key`)).toBe(
      `127.0.0.1 refused the connection on port ${target.port}. Check the port and that the service is running.`,
    );
  });

  test('is forbidden by the egress policy', async () => {
    const target = await startRawTarget(() => undefined);
    const closedSockets = openEgressSockets({ allowCidrs: [] });
    const reason = await reasonOf(`rtmp://127.0.0.1:${target.port}/live/key`, { sockets: closedSockets });
    expect(reason).toContain('127.0.0.1 is not a public address');
    expect(target.connectionCount).toBe(0);
    await target.close();
  });

  test('is an ingest of this installation under another name', async () => {
    const target = await startRawTarget(() => undefined);
    const url = `rtmp://127.0.0.1:${target.port}/live/key`;
    expect(await reasonOf(url, { isOwn: () => Promise.resolve(true) })).toContain(
      'the ingest of this service',
    );
    await target.close();
  });

  test('accepts the connection and never reads', async () => {
    const target = await startRawTarget(neverRead);
    const reason = await reasonOf(`rtmp://127.0.0.1:${target.port}/live/key`, { limits: { flowingMs: 800 } });
    expect(reason).toContain('127.0.0.1 accepted the connection but takes no video.');
    await target.close();
  });

  test('breaks the connection', async () => {
    const target = await startRawTarget(resetAfter(300));
    const reason = await reasonOf(`rtmp://127.0.0.1:${target.port}/live/key`);
    expect(reason).toContain('The connection to 127.0.0.1 was lost: ECONNRESET.');
    await target.close();
  });

  test('does not use TLS although its URL requires it', async () => {
    const target = await startRawTarget((socket) => socket.end('220 hello\r\n'));
    expect(await reasonOf(`rtmps://127.0.0.1:${target.port}/live/key`)).toContain('TLS');
    await target.close();
  });
});

test('a push to a target that hangs ends immediately when it is stopped', async () => {
  const target = await startRawTarget(neverRead);
  // The limit must not end the push before the test does.
  const limits = { flowingMs: 3_600_000 };
  const { attempt } = startPush(`rtmp://127.0.0.1:${target.port}/live/key`, { limits });
  await expect.poll(() => target.connectionCount).toBe(1);
  await attempt.stop();
  expect(await Promise.race([attempt.whenDone, Promise.resolve('runs')])).toEqual({ isPlanned: true });
  await target.close();
});

test('an SRT target gets the stream with the options of its URL', async () => {
  const { spawn } = await import('node:child_process');
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const listener = spawn('ffmpeg', [
    ...['-v', 'error', '-i', `srt://127.0.0.1:${port}?mode=listener&passphrase=sesame-open`, '-t', '2'],
    ...['-c', 'copy', '-f', 'framemd5', '-'],
  ]);
  let receivedText = '';
  listener.stdout.on('data', (text: Buffer) => (receivedText += text.toString()));
  try {
    const url = `srt://127.0.0.1:${port}?passphrase=sesame-open&streamid=one`;
    let push = startPush(url);
    // ffmpeg needs a moment to listen, so a push that failed is started again.
    const countFlowing = async () => {
      if ((await Promise.race([push.attempt.whenDone, Promise.resolve(null)])) !== null)
        push = startPush(url);
      return push.onFlowing.mock.calls.length;
    };
    await expect.poll(countFlowing, { timeout: 40_000, interval: 500 }).toBeGreaterThan(0);
    await expect.poll(() => receivedText.split('\n').length).toBeGreaterThan(20);
    expect(remainingOptionFiles()).toEqual([]);
    await push.attempt.stop();
  } finally {
    listener.kill('SIGKILL');
  }
});
