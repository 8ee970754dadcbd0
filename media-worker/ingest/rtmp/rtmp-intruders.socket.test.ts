import { describe, expect, it } from 'vitest';
import { decideTakeover } from '@/lib/core/streams/publish-admission';
import type { AdmitPublish, PublisherConnection, PublishSink } from '@/media-worker/media/packets/publish';
import { RecordingSink } from '@/media-worker/ingest/publisher/testing/recording-sink';
import { startIngest, startLive } from './testing/ingest-harness';
import { AVC_CONFIG, command, connectCommand, HANDSHAKE, keyFrame, RtmpClient } from './testing/rtmp-client';

const START = 'NetStream.Publish.Start';
const BAD_NAME = 'NetStream.Publish.BadName';
/** Values of the payload bytes in frames of the rightful publisher and of the intruder. */
const OWN_FILL = 1;
const FOREIGN_FILL = 99;

/** Admits publishers like the service, with a map in place of the database. */
class Registry {
  readonly sinks: RecordingSink[] = [];
  #current: PublisherConnection | null = null;

  readonly admit: AdmitPublish = (_request, connection): Promise<PublishSink | null> => {
    const currentPublisher = this.#current;
    const decision = decideTakeover(
      currentPublisher && { source: currentPublisher.source, silentMs: currentPublisher.silentMs() },
      connection.source,
    );
    if (decision === 'reject') return Promise.resolve(null);
    this.#current?.disconnect('replaced');
    this.#current = connection;
    const sink = new RecordingSink();
    this.sinks.push(sink);
    return Promise.resolve(sink);
  };

  /** First bytes of every frame that reached the stream from any publisher. */
  receivedFills(): number[] {
    const frames = this.sinks.flatMap((sink) => sink.packets).filter((packet) => packet.role === 'frame');
    return [...new Set(frames.map((packet) => packet.payload[0] ?? -1))];
  }
}

const startPublisher = async (port: number, fill: number): Promise<RtmpClient> => {
  const client = await RtmpClient.connectAndPublish(port, 'good-shared-key');
  await client.waitForText(START);
  client.video(0, AVC_CONFIG);
  client.video(0, keyFrame(fill));
  return client;
};

describe('a second publisher', () => {
  it('is rejected while the first one sends, and its media is dropped', async () => {
    const registry = new Registry();
    await using ingest = await startIngest({ admit: registry.admit, limits: { flushTimeoutMs: 200 } });
    const firstPublisher = await startPublisher(ingest.port, OWN_FILL);
    await registry.sinks[0]?.waitForPackets(2);

    const secondPublisher = await RtmpClient.connectAndPublish(ingest.port, 'good-shared-key');
    for (let index = 0; index < 20; index++) secondPublisher.video(index, keyFrame(FOREIGN_FILL));
    await secondPublisher.waitForText(BAD_NAME);
    // The client ignores the rejection and sends as long as the socket accepts data.
    while (!secondPublisher.closed) {
      secondPublisher.video(100, keyFrame(FOREIGN_FILL));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    firstPublisher.video(40, keyFrame(OWN_FILL));
    await registry.sinks[0]?.waitForPackets(3);
    expect(registry.sinks).toHaveLength(1);
    expect(registry.receivedFills()).toEqual([OWN_FILL]);
  });

  it('takes over from a silent publisher, whose late media is dropped', async () => {
    let monotonicMs = 0;
    const registry = new Registry();
    await using ingest = await startIngest({ admit: registry.admit, now: () => monotonicMs });
    const silentPublisher = await startPublisher(ingest.port, FOREIGN_FILL);
    await registry.sinks[0]?.waitForPackets(2);
    monotonicMs = 3_000;
    await startPublisher(ingest.port, OWN_FILL);
    silentPublisher.video(80, keyFrame(FOREIGN_FILL));
    await registry.sinks[1]?.waitForPackets(2);
    await silentPublisher.waitForClose();
    expect(registry.sinks[0]?.ends).toEqual(['replaced']);
    expect(registry.sinks[0]?.packets).toHaveLength(2);
    expect(registry.sinks[1]?.packets.at(-1)?.payload[0]).toBe(OWN_FILL);
  });

  it('is rejected one millisecond before it may take over', async () => {
    let monotonicMs = 0;
    const registry = new Registry();
    await using ingest = await startIngest({ admit: registry.admit, now: () => monotonicMs });
    await startPublisher(ingest.port, OWN_FILL);
    await registry.sinks[0]?.waitForPackets(2);
    monotonicMs = 2_999;
    const secondPublisher = await RtmpClient.connectAndPublish(ingest.port, 'good-shared-key');
    await secondPublisher.waitForText(BAD_NAME);
    expect(registry.sinks[0]?.ends).toEqual([]);
  });

  it('on the same connection ends that connection and its publish', async () => {
    await using ingest = await startIngest();
    const { client, sink } = await startLive(ingest);
    client.send(command('publish', 5, null, 'good-other-key', 'live'));
    await client.waitForClose();
    expect(sink.ends).toEqual(['lost']);
    expect(ingest.publishes).toHaveLength(1);
  });
});

describe('a connection without a publish', () => {
  const media = { type: 9, payload: keyFrame(FOREIGN_FILL), chunkStream: 6, streamId: 1 };

  it.each([
    ['a player', [connectCommand(), command('play', 3, null, 'good-live-key'), media]],
    ['a client that only connected', [connectCommand(), media]],
    ['a silent client', [media]],
    [
      'a player that creates a stream first',
      [connectCommand(), command('createStream', 2, null), command('play', 3, null, 'good-live-key'), media],
    ],
  ])('%s is disconnected and cannot inject media', async (_name, messages) => {
    await using ingest = await startIngest();
    const { client: publisher, sink } = await startLive(ingest);
    const intruder = await RtmpClient.open(ingest.port);
    intruder.write(HANDSHAKE);
    intruder.send(...messages);
    await intruder.waitForClose();
    expect(intruder.receivedText).not.toContain('NetStream.Play');
    publisher.video(40, keyFrame(OWN_FILL));
    await sink.waitForPackets(4);
    expect(sink.packets.some((packet) => packet.payload[0] === FOREIGN_FILL)).toBe(false);
  });
});

describe('connections that never finish', () => {
  it('are closed after half a handshake, 200 of them, and a publisher is admitted meanwhile', async () => {
    await using ingest = await startIngest({
      limits: { handshakeTimeoutMs: 3_000, connectionsPerAddress: 300 },
    });
    const halfOpenClients = await Promise.all(
      Array.from({ length: 200 }, () => RtmpClient.open(ingest.port)),
    );
    for (const halfOpenClient of halfOpenClients) halfOpenClient.write(HANDSHAKE.subarray(0, 1000));
    const { client, sink } = await startLive(ingest);
    await Promise.all(halfOpenClients.map((halfOpenClient) => halfOpenClient.waitForClose()));
    client.video(40, keyFrame());
    await sink.waitForPackets(4);
    expect(ingest.server.connectionCount()).toBe(1);
  });

  it('are closed for a publisher when the server is full, the oldest first', async () => {
    await using ingest = await startIngest({ limits: { connections: 20 } });
    const halfOpenClients: RtmpClient[] = [];
    for (let index = 0; index < 20; index++) halfOpenClients.push(await RtmpClient.open(ingest.port));
    const { client, sink } = await startLive(ingest);
    await halfOpenClients[0]?.waitForClose();
    expect(halfOpenClients[19]?.closed).toBe(false);
    for (let index = 0; index < 40; index++) await RtmpClient.open(ingest.port);
    client.video(40, keyFrame());
    await sink.waitForPackets(4);
  });

  it('cannot extend their time with single bytes', async () => {
    await using ingest = await startIngest({ limits: { handshakeTimeoutMs: 100, silenceTimeoutMs: 50 } });
    const client = await RtmpClient.open(ingest.port);
    const dripTimer = setInterval(() => client.write(Buffer.from([3])), 10);
    // Without this limit, the connection would stay open.
    await client.waitForClose();
    clearInterval(dripTimer);
  });
});
