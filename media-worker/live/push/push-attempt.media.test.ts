import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { muxedDestination } from '@/lib/core/targets/target-url';
import { openEgressSockets } from '@/lib/infra/egress/egress-socket';
import { startIngest } from '@/media-worker/ingest/rtmp/testing/ingest-harness';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';
import { keyframeParameterSets } from '@/media-worker/media/packets/keyframe-parameter-sets';
import { PushAttempt, type PushAttemptOptions } from './push-attempt';
import { clipPackets, EncoderBus } from './testing/encoder-bus';
import { blackHole, referringTo, resetting, startRawTarget } from './testing/raw-target';

const packets = await clipPackets();
const encoders: EncoderBus[] = [];
afterEach(() => encoders.splice(0).forEach((encoder) => encoder.end()));

/** Longer than any machine needs. */
const longTimeouts = { connectMs: 240_000, flowingMs: 240_000, stalledMs: 240_000 };
const loopback = openEgressSockets({ allowCidrs: ['127.0.0.1/32'] });

function push(url: string, options: Partial<PushAttemptOptions> = {}) {
  const destination = muxedDestination(url);
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

const leftovers = () => readdirSync(scratchFolder()).filter((name) => name.startsWith('options-'));

describe('a target that accepts the stream', () => {
  test('gets all of it under its own name, and a clean end', async () => {
    await using ingest = await startIngest();
    const { attempt, encoder, onFlowing } = push(`rtmp://127.0.0.1:${ingest.port}/live/good-key?x=1`);
    await expect.poll(() => onFlowing).toHaveBeenCalled();
    expect(leftovers()).toEqual([]);
    const [publisher] = ingest.publishes;
    await publisher?.sink.receives(80);
    expect(publisher?.request).toMatchObject({ app: 'live', streamKey: 'good-key' });
    encoder.end();
    expect(await attempt.done).toEqual({ isPlanned: true });
    expect(await publisher?.sink.whenEnded()).toBe('finished');
    const frames = publisher?.sink.packets.filter(({ role }) => role === 'frame') ?? [];
    const payloads = frames
      .filter(({ kind }) => kind === 'video')
      .map(({ payload }) => payload.toString('hex'));
    const sentPackets = packets.map(keyframeParameterSets());
    const expectedTags = sentPackets
      .filter(({ kind, role }) => kind === 'video' && role === 'frame')
      .map(({ payload }) => payload.toString('hex'));
    expect(payloads.length).toBeGreaterThan(25);
    // The payloads are identical from the first keyframe on; keyframes carry their parameter sets.
    expect(payloads).toEqual(expectedTags.concat(expectedTags).slice(0, payloads.length));
    expect(frames.some(({ kind }) => kind === 'audio')).toBe(true);
    expect(attempt.bytes).toBeGreaterThan(10_000);
    expect(onFlowing).toHaveBeenCalledTimes(1);
  });

  test('gets no audio if configured, until it is stopped', async () => {
    await using ingest = await startIngest();
    const { attempt, onFlowing } = push(`rtmp://127.0.0.1:${ingest.port}/live/good-key`, { videoOnly: true });
    await expect.poll(() => onFlowing).toHaveBeenCalled();
    await Promise.all([attempt.stop(), attempt.stop()]);
    expect(await attempt.done).toEqual({ isPlanned: true });
    expect(await ingest.publishes[0]?.sink.whenEnded()).toBe('finished');
    expect(ingest.publishes[0]?.sink.packets.some(({ kind }) => kind === 'audio')).toBe(false);
  });
});

test('an ffmpeg that this machine kills is not a fault of the target', async () => {
  await using ingest = await startIngest();
  const { attempt, onFlowing } = push(`rtmp://127.0.0.1:${ingest.port}/live/good-key`);
  await expect.poll(() => onFlowing).toHaveBeenCalled();
  process.kill(attempt.pid() ?? 0, 'SIGKILL');
  const reason = 'Sending to 127.0.0.1 was interrupted on this server. It restarts automatically.';
  expect(await attempt.done).toEqual({ isPlanned: false, reason });
});

describe('a target that redirects to another', () => {
  test('is followed there, with the key', async () => {
    await using ingest = await startIngest();
    const target = await startRawTarget(referringTo(`rtmp://127.0.0.1:${ingest.port}/live`));
    const { attempt, encoder, onFlowing } = push(`rtmp://127.0.0.1:${target.port}/old/good-key?x=1`);
    await expect.poll(() => onFlowing).toHaveBeenCalled();
    expect(ingest.publishes[0]?.request).toMatchObject({ app: 'live', streamKey: 'good-key' });
    encoder.end();
    expect(await attempt.done).toEqual({ isPlanned: true });
    expect(leftovers()).toEqual([]);
    await target.close();
  });

  test('is followed through the same checks, a limited number of times', async () => {
    const inside = await startRawTarget(referringTo('rtmp://10.0.0.1/live'));
    const ends = push(`rtmp://127.0.0.1:${inside.port}/live/secret-key`).attempt.done;
    expect(JSON.stringify(await ends)).toContain('10.0.0.1 is not a public address');
    const ring: Awaited<ReturnType<typeof startRawTarget>> = await startRawTarget((socket) =>
      referringTo(`rtmp://127.0.0.1:${ring.port}/live`)(socket),
    );
    expect(await push(`rtmp://127.0.0.1:${ring.port}/live/secret-key`).attempt.done).toMatchObject({
      isPlanned: false,
    });
    expect(ring.connections).toBe(4);
    await Promise.all([inside.close(), ring.close()]);
  });
});

describe('a target that fails', () => {
  const reasonOf = async (url: string, options: Partial<PushAttemptOptions> = {}) => {
    const { attempt, onFlowing } = push(url, options);
    const end = await attempt.done;
    expect(onFlowing).not.toHaveBeenCalled();
    expect(leftovers()).toEqual([]);
    return 'reason' in end ? end.reason : null;
  };

  test('rejects the key: the reason contains its message, never the key', async () => {
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
    expect(target.connections).toBe(0);
    await target.close();
  });

  test('is our own ingest under another name', async () => {
    const target = await startRawTarget(() => undefined);
    const url = `rtmp://127.0.0.1:${target.port}/live/key`;
    expect(await reasonOf(url, { isOwn: () => Promise.resolve(true) })).toContain(
      'the ingest of this service',
    );
    await target.close();
  });

  test('accepts and never reads', async () => {
    const target = await startRawTarget(blackHole);
    const reason = await reasonOf(`rtmp://127.0.0.1:${target.port}/live/key`, { limits: { flowingMs: 800 } });
    expect(reason).toContain('127.0.0.1 accepted the connection but takes no video.');
    await target.close();
  });

  test('breaks the connection', async () => {
    const target = await startRawTarget(resetting(300));
    const reason = await reasonOf(`rtmp://127.0.0.1:${target.port}/live/key`);
    expect(reason).toContain('The connection to 127.0.0.1 was lost: ECONNRESET.');
    await target.close();
  });

  test('speaks no TLS where it should', async () => {
    const target = await startRawTarget((socket) => socket.end('220 hello\r\n'));
    expect(await reasonOf(`rtmps://127.0.0.1:${target.port}/live/key`)).toContain('TLS');
    await target.close();
  });

  test('hangs: the push stops immediately anyway', async () => {
    const target = await startRawTarget(blackHole);
    // The limit must not end the push before the test does.
    const limits = { flowingMs: 3_600_000 };
    const { attempt } = push(`rtmp://127.0.0.1:${target.port}/live/key`, { limits });
    await expect.poll(() => target.connections).toBe(1);
    await attempt.stop();
    expect(await Promise.race([attempt.done, Promise.resolve('runs')])).toEqual({ isPlanned: true });
    await target.close();
  });
});

test('SRT is sent with its options, too', async () => {
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
    let tries = push(url);
    const flows = async () => {
      if ((await Promise.race([tries.attempt.done, Promise.resolve(null)])) !== null) tries = push(url);
      return tries.onFlowing.mock.calls.length;
    };
    await expect.poll(flows, { timeout: 40_000, interval: 500 }).toBeGreaterThan(0);
    await expect.poll(() => receivedText.split('\n').length).toBeGreaterThan(20);
    expect(leftovers()).toEqual([]);
    await tries.attempt.stop();
  } finally {
    listener.kill('SIGKILL');
  }
});
