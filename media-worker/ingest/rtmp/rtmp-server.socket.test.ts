import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';
import { startRtmpServer } from './rtmp-server';
import { RecordingSink } from '@/media-worker/ingest/publisher/testing/recording-sink';
import { type Ingest, startIngest, startLive } from './testing/ingest-harness';
import {
  audioFrame,
  AVC_CONFIG,
  command,
  connectCommand,
  HANDSHAKE,
  keyFrame,
  publishCommand,
  RtmpClient,
} from './testing/rtmp-client';

const START = 'NetStream.Publish.Start';
const BAD_NAME = 'NetStream.Publish.BadName';
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Promise.withResolvers, which Node 20 lacks. */
function deferredPromise<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  const handles: { resolve?: (value: T) => void } = {};
  const promise = new Promise<T>((resolve) => (handles.resolve = resolve));
  return { promise, resolve: (value) => handles.resolve?.(value) };
}

/** Waits until the server has this number of connections. */
async function waitForConnectionCount(count: number, ingest: Ingest): Promise<void> {
  while (ingest.server.connectionCount() !== count) await pause(2);
}

describe('publishing', () => {
  it('delivers configurations and frames of an admitted publish, in order', async () => {
    await using ingest = await startIngest();
    const { client, sink, request, connection } = await startLive(ingest);
    client.audio(23, audioFrame());
    await sink.waitForPackets(4);
    expect(request).toEqual({ app: 'live', streamKey: 'good-live-key', ip: '127.0.0.1' });
    expect(connection.ip).toBe('127.0.0.1');
    expect(sink.packets.map(({ kind, role, dts }) => `${kind} ${role} ${dts}`)).toEqual([
      'video config 0',
      'audio config 0',
      'video frame 0',
      'audio frame 23',
    ]);
  });

  it('keeps a payload unchanged when further messages arrive on its chunk stream', async () => {
    await using ingest = await startIngest();
    const { client, sink } = await startLive(ingest);
    const metadata = { type: 18, payload: Buffer.alloc(300, 7), chunkStream: 4, streamId: 1 };
    for (const fill of [1, 2]) {
      client.send(metadata);
      client.audio(fill, audioFrame(fill));
      client.send(metadata);
    }
    await sink.waitForPackets(5);
    const audioFrames = sink.packets.filter(({ kind, role }) => kind === 'audio' && role === 'frame');
    expect(audioFrames.map(({ payload }) => payload)).toEqual([Buffer.alloc(20, 1), Buffer.alloc(20, 2)]);
  });

  it.each(['live/', '/live', 'live?user=x'])('accepts the application %s as live', async (app) => {
    await using ingest = await startIngest();
    const client = await RtmpClient.connectAndPublish(ingest.port, 'good-key', app);
    await client.waitForText(START);
    expect(ingest.publishes[0]?.request.app).toBe('live');
  });

  it('rejects another application without checking the key', async () => {
    await using ingest = await startIngest();
    const client = await RtmpClient.connectAndPublish(ingest.port, 'good-key', 'vod');
    await client.waitForText('NetConnection.Connect.Rejected');
    await client.waitForClose();
    expect(ingest.publishes).toEqual([]);
  });

  it.each([
    ['rtmp://localhost/live/good-key\n', 'live'],
    ['', 'live/good-key'],
  ])('finds the key in the name %j at the application %j', async (name, app) => {
    await using ingest = await startIngest();
    const client = await RtmpClient.connectAndPublish(ingest.port, name, app);
    await client.waitForText(START);
    expect(ingest.publishes[0]?.request).toMatchObject({ app: 'live', streamKey: 'good-key' });
  });

  it('cuts the query string off the key', async () => {
    await using ingest = await startIngest();
    const client = await RtmpClient.connectAndPublish(ingest.port, 'good-key?token=1');
    await client.waitForText(START);
    expect(ingest.publishes[0]?.request.streamKey).toBe('good-key');
  });

  it('confirms the publish only after the admission, and pauses the socket meanwhile', async () => {
    const decision = deferredPromise<PublishSink | null>();
    await using ingest = await startIngest({ admit: () => decision.promise });
    const client = await RtmpClient.connectAndPublish(ingest.port, 'good-key');
    await client.waitForText('_result');
    // Media that far exceeds the queue stays in the kernel; otherwise the connection would be destroyed.
    for (let n = 0; n < 600; n++) client.video(n, keyFrame());
    await pause(60);
    expect(client.receivedText).not.toContain(START);
    const sink = new RecordingSink();
    decision.resolve(sink);
    await client.waitForText(START);
    await sink.waitForPackets(600);
    expect(sink.packets.map((packet) => packet.dts)).toEqual(Array.from({ length: 600 }, (_, n) => n));
  });

  it('keeps media that arrived together with the publish command', async () => {
    await using ingest = await startIngest();
    const client = await RtmpClient.open(ingest.port);
    client.write(HANDSHAKE);
    client.send(
      connectCommand(),
      publishCommand('good-key'),
      { type: 9, payload: AVC_CONFIG },
      { type: 9, payload: keyFrame() },
      command('FCUnpublish', 4, null, 'good-key'),
    );
    await client.waitForClose();
    expect(ingest.publishes[0]?.sink.packets).toHaveLength(2);
    expect(ingest.publishes[0]?.sink.ends).toEqual(['finished']);
  });

  it('acknowledges received bytes once the window of the client is full', async () => {
    await using ingest = await startIngest();
    const { client, sink } = await startLive(ingest);
    const replyStart = client.receivedBytes.length;
    // Message type 5 sets the window, here 64 KiB.
    client.send({ type: 5, payload: Buffer.from('00010000', 'hex') });
    for (let n = 0; n < 40; n++) client.video(n, Buffer.concat([keyFrame(), Buffer.alloc(4096)]));
    await sink.waitForPackets(43);
    while (client.receivedBytes.length === replyStart) await pause(5);
    const reply = client.receivedBytes.subarray(replyStart);
    // Chunk stream 2, timestamp 0, a body of 4 bytes, message type 3 (acknowledgement).
    expect(reply.subarray(0, 8).toString('hex')).toBe('0200000000000403');
    expect(reply.readUInt32BE(12)).toBeGreaterThanOrEqual(64 * 1024);
  });
});

describe('rejections', () => {
  it('answers BadName after the delay, without a reason, and closes', async () => {
    await using ingest = await startIngest({ limits: { minRejectionMs: 120 } });
    const startedAtMs = performance.now();
    const client = await RtmpClient.connectAndPublish(ingest.port, 'unknown-key');
    await client.waitForText(BAD_NAME);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(115); // Timers may fire some milliseconds early.
    expect(client.receivedText).not.toContain(START);
    await client.waitForClose();
    await waitForConnectionCount(0, ingest);
  });

  it('reports that the server goes out of service, whatever the key', async () => {
    await using ingest = await startIngest({ admit: () => Promise.resolve('draining') });
    for (const key of ['good-key', 'another-key']) {
      const client = await RtmpClient.connectAndPublish(ingest.port, key);
      await client.waitForText(BAD_NAME);
      await client.waitForText('This server is going out of service. Publish again to reach another one.');
      await client.waitForClose();
    }
  });

  it('rejects an empty key without an admission request', async () => {
    await using ingest = await startIngest({ admit: () => Promise.resolve(new RecordingSink()) });
    const client = await RtmpClient.connectAndPublish(ingest.port, '?token=1');
    await client.waitForText(BAD_NAME);
  });

  it('drops the connection when the admission takes too long, and ends a late sink', async () => {
    const decision = deferredPromise<PublishSink | null>();
    await using ingest = await startIngest({
      admit: () => decision.promise,
      limits: { admissionTimeoutMs: 30 },
    });
    const client = await RtmpClient.connectAndPublish(ingest.port, 'good-key');
    await client.waitForClose();
    const sink = new RecordingSink();
    decision.resolve(sink);
    await expect(sink.waitForEnd()).resolves.toBe('lost');
    expect(client.receivedText).not.toContain('NetStream');
  });

  it('drops the connection when the admission fails', async () => {
    await using ingest = await startIngest({ admit: () => Promise.reject(new Error('database is away')) });
    const client = await RtmpClient.connectAndPublish(ingest.port, 'good-key');
    await client.waitForClose();
    expect(client.receivedText).not.toContain('NetStream');
  });

  it('admits the right key from an address that tries many wrong ones', async () => {
    await using ingest = await startIngest({ limits: { maxWrongKeys: 2 } });
    const attempt = async (key: string): Promise<string> => {
      const client = await RtmpClient.connectAndPublish(ingest.port, key);
      await Promise.race([client.waitForText(BAD_NAME), client.waitForText(START)]);
      client.end();
      return client.receivedText.includes(START) ? 'admitted' : 'rejected';
    };
    for (const key of ['bad-1', 'bad-2', 'bad-3']) expect(await attempt(key)).toBe('rejected');
    expect(ingest.publishes).toEqual([]);
    expect(await attempt('good-key')).toBe('admitted');
    expect(
      ingest.logLines.filter((line) => line.startsWith('many unknown stream keys from one address')),
    ).toHaveLength(1);
  });

  it('logs only the end of a key', async () => {
    await using ingest = await startIngest();
    const rejectedClient = await RtmpClient.connectAndPublish(ingest.port, 'abcd-efgh-ijkl-mnop');
    await rejectedClient.waitForText(BAD_NAME);
    const { client, sink } = await startLive(ingest, 'good-qrst-uvwx-yz12');
    client.end();
    await sink.waitForEnd();
    const log = ingest.logLines.join('\n');
    expect(log).toContain('…mnop');
    expect(log).toContain('…yz12');
    expect(log).not.toMatch(/efgh|ijkl|qrst|uvwx/);
  });
});

describe('the end of a publish', () => {
  it.each([
    ['FCUnpublish', command('FCUnpublish', 4, null, 'good-live-key')],
    ['deleteStream', command('deleteStream', 4, null, 1)],
    ['closeStream', command('closeStream', 4, null)],
  ])('%s ends the publish as finished', async (_name, command) => {
    await using ingest = await startIngest();
    const { client, sink } = await startLive(ingest);
    client.send(command);
    client.socket.end();
    await expect(sink.waitForEnd()).resolves.toBe('finished');
    await client.waitForClose();
    expect(sink.ends).toEqual(['finished']);
  });

  it('ignores media after the end of the publish', async () => {
    await using ingest = await startIngest();
    const { client, sink } = await startLive(ingest);
    client.send(command('closeStream', 4, null), { type: 9, payload: keyFrame() });
    await client.waitForClose();
    expect(sink.packets).toHaveLength(3);
  });

  it('a FIN without an unpublish ends the publish as lost', async () => {
    await using ingest = await startIngest();
    const { client, sink } = await startLive(ingest);
    client.socket.end();
    await expect(sink.waitForEnd()).resolves.toBe('lost');
  });

  it('a reset ends the publish as lost', async () => {
    await using ingest = await startIngest();
    const { client, sink } = await startLive(ingest);
    client.socket.resetAndDestroy();
    await expect(sink.waitForEnd()).resolves.toBe('lost');
  });

  it('a silent peer ends the publish as lost', async () => {
    await using ingest = await startIngest({ limits: { silenceTimeoutMs: 1_000 } });
    const { client, sink } = await startLive(ingest);
    await expect(sink.waitForEnd()).resolves.toBe('lost');
    await client.waitForClose();
  });

  it.each(['cut', 'replaced'] as const)('a consumer ends the publish with %s', async (reason) => {
    await using ingest = await startIngest();
    const { client, sink, connection } = await startLive(ingest);
    connection.disconnect(reason);
    connection.disconnect('lost');
    await client.waitForClose();
    expect(sink.ends).toEqual([reason]);
  });

  it('a consumer that rejects the media sends the reason to the encoder, and the socket closes afterwards', async () => {
    await using ingest = await startIngest();
    const { client, sink, connection } = await startLive(ingest);
    connection.disconnect('cut', 'video codec is VP9; H.264, HEVC and AV1 are accepted');
    await client.waitForText('NetStream.Publish.Rejected');
    await client.waitForText('video codec is VP9; H.264, HEVC and AV1 are accepted');
    await client.waitForClose();
    expect(sink.ends).toEqual(['cut']);
  });

  it('a consumer may disconnect a publish before the admission is decided', async () => {
    const sink = new RecordingSink();
    const admit = (_request: unknown, connection: PublisherConnection): Promise<PublishSink> => {
      connection.disconnect('cut');
      return Promise.resolve(sink);
    };
    await using ingest = await startIngest({ admit });
    const client = await RtmpClient.connectAndPublish(ingest.port, 'good-key');
    await client.waitForClose();
    await sink.waitForEnd();
    expect(sink.ends).toEqual(['cut']);
  });

  it('reports how long the publisher has been silent', async () => {
    let monotonicMs = 0;
    await using ingest = await startIngest({ now: () => monotonicMs });
    const { client, sink, connection } = await startLive(ingest);
    monotonicMs = 3000;
    expect(connection.silentMs()).toBe(3000);
    client.audio(23, audioFrame());
    await sink.waitForPackets(4);
    expect(connection.silentMs()).toBe(0);
  });

  it('close ends the publish as cut, and is idempotent', async () => {
    const ingest = await startIngest();
    const { client, sink } = await startLive(ingest);
    await Promise.all([ingest.server.close(), ingest.server.close()]);
    expect(sink.ends).toEqual(['cut']);
    await client.waitForClose();
    expect(ingest.server.connectionCount()).toBe(0);
  });

  it('a consumer that throws loses only its own publish', async () => {
    const brokenSink: PublishSink = {
      push: () => {
        throw new Error('push');
      },
      end: () => {
        throw new Error('end');
      },
    };
    const workingSink = new RecordingSink();
    await using ingest = await startIngest({
      admit: (request) => Promise.resolve(request.streamKey === 'broken' ? brokenSink : workingSink),
    });
    const [brokenClient, workingClient] = [
      await RtmpClient.connectAndPublish(ingest.port, 'broken'),
      await RtmpClient.connectAndPublish(ingest.port, 'fine'),
    ];
    await Promise.all([brokenClient.waitForText(START), workingClient.waitForText(START)]);
    brokenClient.video(0, AVC_CONFIG);
    await brokenClient.waitForClose();
    workingClient.video(0, AVC_CONFIG);
    await workingSink.waitForPackets(1);
  });
});

describe('connections', () => {
  it('the server does not start on a port in use', async () => {
    await using ingest = await startIngest();
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined };
    const admit = () => Promise.resolve(null);
    const options = { port: ingest.port, host: '127.0.0.1', trustedProxies: [], admit, log };
    await expect(startRtmpServer(options)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('rejects publishers above the limit of one address, logs why, and accepts others when one leaves', async () => {
    await using ingest = await startIngest({ limits: { connectionsPerAddress: 2 } });
    const firstPublish = await startLive(ingest, 'good-1');
    await startLive(ingest, 'good-2');
    const thirdClient = await RtmpClient.open(ingest.port);
    await thirdClient.waitForClose();
    expect(ingest.server.connectionCount()).toBe(2);
    const rejection = 'connection rejected: the address has too many publishers';
    expect(ingest.logLines).toContain(`${rejection} {"ip":"127.0.0.1","open":2,"limit":2}`);
    firstPublish.client.end();
    await waitForConnectionCount(1, ingest);
    await startLive(ingest, 'good-3');
  });

  it('two hundred publishers from one address can connect at the same time', async () => {
    await using ingest = await startIngest();
    const clients = await Promise.all(
      Array.from({ length: 200 }, (_, n) => RtmpClient.connectAndPublish(ingest.port, `good-${n}`)),
    );
    await Promise.all(clients.map((client) => client.waitForText(START)));
    expect(ingest.publishes).toHaveLength(200);
  });

  it('closes a connection without a handshake in time', async () => {
    await using ingest = await startIngest({ limits: { handshakeTimeoutMs: 40 } });
    const client = await RtmpClient.open(ingest.port);
    client.write(HANDSHAKE.subarray(0, 2000));
    await client.waitForClose();
  });

  it('closes a connection that does not publish in time', async () => {
    await using ingest = await startIngest({ limits: { publishTimeoutMs: 1_000 } });
    const client = await RtmpClient.open(ingest.port);
    client.write(HANDSHAKE);
    client.send(connectCommand());
    await client.waitForClose();
    expect(client.receivedText).toContain('NetConnection.Connect.Success');
  });

  it('stops listening after close', async () => {
    const ingest = await startIngest();
    await ingest.server.close();
    const code = await new Promise((resolve) => {
      connect(ingest.port, '127.0.0.1').on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(code).toBe('ECONNREFUSED');
  });
});
