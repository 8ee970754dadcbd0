import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toChunks } from './testing/chunks';
import { type Attack, bodies, crashers, scannerInputs } from './testing/crashers';
import { type AdmittedPublish, type Ingest, startIngest, startLive } from './testing/ingest-harness';
import { connectCommand, HANDSHAKE, keyFrame, publishCommand, RtmpClient } from './testing/rtmp-client';

const MIB = 1024 * 1024;
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** Every attack runs against one server in this process while another publisher is live. */
describe('hostile input', () => {
  let ingest: Ingest;
  let live: AdmittedPublish & { client: RtmpClient };
  let expectedPacketCount = 3;

  beforeAll(async () => {
    ingest = await startIngest({ limits: { connectionsPerAddress: 200 } });
    live = await startLive(ingest);
  });
  afterAll(() => ingest[Symbol.asyncDispose]());

  /** Sends the bytes and a FIN, and waits until the server closes the connection. */
  const attack = async (bytes: Buffer): Promise<void> => {
    const client = await RtmpClient.open(ingest.port);
    client.write(bytes);
    client.socket.end();
    await client.waitForClose();
  };

  const expectPublisherLive = async (): Promise<void> => {
    expectedPacketCount += 1;
    live.client.video(expectedPacketCount, keyFrame());
    await live.sink.waitForPackets(expectedPacketCount);
    expect(live.sink.ends).toEqual([]);
  };

  const asPublisher = (...packets: Buffer[]): Buffer =>
    Buffer.concat([
      HANDSHAKE,
      toChunks(connectCommand()),
      toChunks(publishCommand('good-attacker')),
      ...packets,
    ]);

  it.each([...scannerInputs, ...crashers])('survives: %s', async (_name, bytes) => {
    await attack(bytes);
    await expectPublisherLive();
  });

  const stages: [string, (message: Buffer) => Buffer][] = [
    ['after the handshake', (message) => Buffer.concat([HANDSHAKE, message])],
    ['from a publisher', (message) => asPublisher(message)],
  ];
  describe.each(stages)('%s', (_stage, wrap) => {
    it.each<Attack>([...bodies])(
      'survives every message type with a body that is: %s',
      async (_name, body) => {
        const types = Array.from({ length: 256 }, (_, type) => type);
        // The library handles a message without a body only when one more byte arrives.
        const inputs = types.map((type) =>
          wrap(Buffer.concat([toChunks({ type, payload: body }), Buffer.from([3])])),
        );
        for (let index = 0; index < inputs.length; index += 32)
          await Promise.all(inputs.slice(index, index + 32).map(attack));
        await expectPublisherLive();
      },
    );
  });

  it.each([0, 2 ** 31, 0xffffffff])('survives chunk size %d', async (size) => {
    const setChunkSize = toChunks({ type: 1, payload: uint32(size), chunkStream: 2 });
    await attack(asPublisher(setChunkSize, toChunks({ type: 9, payload: keyFrame() })));
    await expectPublisherLive();
  });

  it('unfinished messages of 20 connections hold less than 50 MiB', async () => {
    const memoryBefore = process.memoryUsage();
    const header = toChunks({ type: 9, payload: Buffer.alloc(0), announcedBytes: 15 * MIB, chunkStream: 6 });
    const stuffing = toChunks({
      type: 9,
      payload: Buffer.alloc(60_000),
      announcedBytes: 60_001,
      chunkStream: 7,
    });
    const clients = await Promise.all(Array.from({ length: 20 }, () => RtmpClient.open(ingest.port)));
    for (const [index, client] of clients.entries()) {
      const start = index % 2 === 0 ? HANDSHAKE : asPublisher();
      client.write(Buffer.concat([start, stuffing, header, Buffer.alloc(256 * 1024)]));
    }
    await Promise.all(clients.map((client) => client.waitForClose()));
    const memoryAfter = process.memoryUsage();
    expect(memoryAfter.arrayBuffers - memoryBefore.arrayBuffers).toBeLessThan(50 * MIB);
    await expectPublisherLive();
  });

  it('a client that sends more than 64 KiB before publish is disconnected', async () => {
    const client = await RtmpClient.open(ingest.port);
    client.write(HANDSHAKE);
    const controlMessage = toChunks({ type: 3, payload: uint32(0) });
    // 5,000 messages of 16 bytes.
    client.write(Buffer.concat(Array<Buffer>(5_000).fill(controlMessage)));
    await client.waitForClose();
    expect(ingest.logLines.some((line) => line.includes('too many bytes before publish'))).toBe(true);
    await expectPublisherLive();
  });

  it('a client that does not read its replies is disconnected', async () => {
    const client = await RtmpClient.open(ingest.port);
    client.socket.pause();
    client.write(asPublisher());
    const createStream = toChunks({
      type: 20,
      payload: Buffer.from(
        '0200 0c 63726561746553747265616d 00 3ff0000000000000 05'.replaceAll(' ', ''),
        'hex',
      ),
    });
    const flood = Buffer.concat(Array<Buffer>(2_000).fill(createStream));
    const whenClosed = new Promise((resolve) => client.socket.once('error', resolve).once('close', resolve));
    const pump = setInterval(() => client.write(flood), 1);
    await whenClosed;
    clearInterval(pump);
    client.end();
    expect(ingest.logLines.at(-1)).toContain('replies are not read');
    await expectPublisherLive();
  });
});
