import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GuardedProtocol } from './guarded-protocol';
import { defaultLimits } from './ingest-limits';
import { toChunks } from './testing/chunks';
import { type AdmittedPublish, type Ingest, startIngest, startLive } from './testing/ingest-harness';
import {
  AAC_CONFIG,
  audioFrame,
  AVC_CONFIG,
  command,
  connectCommand,
  HANDSHAKE,
  keyFrame,
  publishCommand,
  RtmpClient,
} from './testing/rtmp-client';

/**
 * A complete publish of a well-behaved encoder. The mutations are seeded, so that every run uses the same
 * mutations.
 */
const SESSION = Buffer.concat([
  HANDSHAKE,
  toChunks({ type: 1, payload: Buffer.from([0, 0, 16, 0]), chunkStream: 2 }),
  toChunks(connectCommand(), 4096),
  toChunks(command('releaseStream', 2, null, 'good-fuzz'), 4096),
  toChunks(command('FCPublish', 3, null, 'good-fuzz'), 4096),
  toChunks(command('createStream', 4, null), 4096),
  toChunks(publishCommand('good-fuzz'), 4096),
  toChunks({ type: 9, payload: AVC_CONFIG, chunkStream: 6, streamId: 1 }, 4096),
  toChunks({ type: 8, payload: AAC_CONFIG, chunkStream: 4, streamId: 1 }, 4096),
  toChunks({ type: 9, payload: keyFrame(), chunkStream: 6, streamId: 1 }, 4096),
  toChunks({ type: 8, payload: audioFrame(), chunkStream: 4, streamId: 1, timestamp: 0xffffff + 5 }, 4096),
  toChunks(command('deleteStream', 5, null, 1), 4096),
]);
const SEED = 20_260_101;

type Mutation = (bytes: Buffer) => Buffer;

// Positions after the handshake, most of which is ignored.
const position = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: HANDSHAKE.length, max: SESSION.length - 1 }) },
  { weight: 1, arbitrary: fc.nat(HANDSHAKE.length) },
);
/** Replaces a byte, inserts bytes, deletes bytes, or appends a copy of the end. */
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(position, fc.nat(255)).map(([offset, value]): Mutation => (bytes) => {
    const copy = Buffer.from(bytes);
    if (offset < copy.length) copy[offset] = value;
    return copy;
  }),
  fc.tuple(position, fc.uint8Array({ maxLength: 40 })).map(
    ([offset, extra]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, offset), extra, bytes.subarray(offset)]),
  ),
  fc.tuple(position, fc.nat(60)).map(
    ([offset, count]): Mutation =>
      (bytes) =>
        Buffer.concat([bytes.subarray(0, offset), bytes.subarray(offset + count)]),
  ),
  position.map(
    (offset): Mutation =>
      (bytes) =>
        Buffer.concat([bytes, bytes.subarray(offset)]),
  ),
);
const mutatedSession = fc
  .array(mutation, { minLength: 1, maxLength: 6 })
  .map((mutations) => mutations.reduce<Buffer>((bytes, mutate) => mutate(bytes), SESSION));

let ingest: Ingest;
let live: AdmittedPublish & { client: RtmpClient };
beforeAll(async () => {
  ingest = await startIngest();
  live = await startLive(ingest);
});
afterAll(() => ingest[Symbol.asyncDispose]());

it('the protocol reads any mutation or throws an Error, and its memory is limited', () => {
  fc.assert(
    fc.property(mutatedSession, fc.integer({ min: 1, max: 5000 }), (bytes, step) => {
      const invalidMessages: string[] = [];
      const protocol = new GuardedProtocol(defaultLimits, {
        connect: () => true,
        connectRejected: () => undefined,
        publish: () => undefined,
        unpublish: () => undefined,
        handleMedia: (type, timestamp, body) => {
          const isMediaType = (type as number) === 8 || type === 9;
          if (!isMediaType || timestamp >= 2 ** 32 || body.length > defaultLimits.messageBytes)
            invalidMessages.push(`${type} ${timestamp}`);
        },
        metadata: () => undefined,
        acknowledgementWindow: () => undefined,
        output: () => undefined,
      });
      try {
        for (let offset = 0; offset < bytes.length; offset += step)
          protocol.parserData(bytes.subarray(offset, offset + step));
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
      expect(invalidMessages).toEqual([]);
      const heldBytes = [...protocol.inPackets.values()].reduce((sum, stream) => sum + stream.capacity, 0);
      expect(heldBytes).toBeLessThanOrEqual(defaultLimits.connectionBytes + 64 * 1024);
      // A chunk stream exists before the check that rejects it.
      expect(protocol.inPackets.size).toBeLessThanOrEqual(defaultLimits.chunkStreams + 1);
    }),
    { numRuns: 3_000, seed: SEED },
  );
});

it('the server survives mutations, every sink gets one end, and another publish continues', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(mutatedSession, { minLength: 8, maxLength: 8 }), async (sessions) => {
      await Promise.all(
        sessions.map(async (bytes) => {
          const client = await RtmpClient.open(ingest.port);
          client.write(bytes);
          client.socket.end();
          await client.waitForClose();
        }),
      );
    }),
    // A busy machine runs fewer mutations.
    { numRuns: 40, seed: SEED, plugins: [fc.interruptAfterTimeLimit(240_000)] },
  );
  while (ingest.server.connectionCount() > 1) await new Promise((resolve) => setTimeout(resolve, 5));
  live.client.video(40, keyFrame());
  await live.sink.waitForPackets(4);
  // RecordingSink throws on a packet after the end, which would have ended its connection with another reason.
  const otherPublishes = ingest.publishes.filter(({ sink }) => sink !== live.sink);
  expect(otherPublishes.length).toBeGreaterThan(50);
  expect(otherPublishes.every(({ sink }) => sink.ends.length === 1)).toBe(true);
});
