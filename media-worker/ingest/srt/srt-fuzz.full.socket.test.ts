import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { label } from '@/media-worker/media/packets/testing/packets';
import { formatCapabilities, extensionTypes, formatHandshake, handshakeTypes, formatText } from './handshake';
import { formatControlPacket, controlTypes, keyMaterialTypes } from './srt-packet';
import { CallerKeys } from './testing/caller-keys';
import { SrtCaller } from './testing/srt-caller';
import { muxKeyframes, type SrtIngest, startSrtIngest } from './testing/srt-harness';

/** The datagrams are seeded, so that every run sends the same ones. */
const SEED = 20_260_101;
const passphrase = 'a-secret-phrase';
const NO_BYTES = Buffer.alloc(0);

const capabilities = { version: 0x01_05_00, flags: 0x3f, receiveLatencyMs: 120, sendLatencyMs: 120 };
const conclusion = formatHandshake({
  version: 5,
  encryption: 0,
  extensionField: 7,
  initialSequence: 1,
  mtu: 1_500,
  flowWindow: 8_192,
  type: handshakeTypes.conclusion,
  socketId: 77,
  cookie: 1,
  peerAddress: Buffer.alloc(16),
  extensions: new Map([
    [extensionTypes.request as number, formatCapabilities(capabilities)],
    [extensionTypes.keyMaterialRequest, new CallerKeys(passphrase, 16).keyMaterialMessage],
    [extensionTypes.streamId, formatText('#!::r=good-key,m=publish')],
  ]),
});
const createControlPacket = (type: number, destination: number, body: Buffer, subtype = 0): Buffer =>
  formatControlPacket({ type, subtype, info: 1, timestampUs: 5, destination, body });

const createPackets = (socketId: number): Buffer[] => [
  createControlPacket(controlTypes.handshake, 0, conclusion),
  createControlPacket(controlTypes.keepAlive, socketId, NO_BYTES),
  createControlPacket(controlTypes.acknowledged, socketId, NO_BYTES),
  createControlPacket(controlTypes.dropRequest, socketId, Buffer.from([0, 0, 4, 0, 0, 0, 4, 9])),
  createControlPacket(
    controlTypes.userDefined,
    socketId,
    new CallerKeys(passphrase, 32).keyMaterialMessage,
    keyMaterialTypes.request,
  ),
  // A data packet: sequence number 1,025, a whole message with number 1, timestamp 9 µs.
  Buffer.concat([
    Buffer.from([0, 0, 4, 1, 0xc0, 0, 0, 1, 0, 0, 0, 9]),
    toUint32(socketId),
    Buffer.alloc(1_316, 0x47),
  ]),
];

function toUint32(value: number): Buffer {
  const word = Buffer.alloc(4);
  word.writeUInt32BE(value);
  return word;
}

const mutatedPackets = (packets: readonly Buffer[]) =>
  fc
    .tuple(
      fc.constantFrom(...packets),
      fc.array(fc.tuple(fc.nat(1_400), fc.nat(255)), { maxLength: 6 }),
      fc.nat(1_400),
      fc.boolean(),
    )
    .map(([packet, changes, length, isCut]) => {
      const bytes = Buffer.from(isCut ? packet.subarray(0, length) : packet);
      // The destination stays unchanged, because packets without a connection are barely parsed.
      for (const [offset, value] of changes)
        if (offset < bytes.length && (offset < 12 || offset > 15)) bytes[offset] = value;
      return bytes;
    });

/** Expects that the publisher still works, and that no state of other callers is left. */
async function expectServerWorks(ingest: SrtIngest): Promise<void> {
  await using caller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-after', passphrase });
  for (const message of muxKeyframes(5)) caller.send(message);
  await caller.whenAcknowledged();
  expect(ingest.publishes.at(-1)?.sink.packets.map(label)).toEqual(['K0', 'K40', 'K80', 'K120', 'K160']);
  caller.shutdown();
  await ingest.publishes.at(-1)?.sink.waitForEnd();
}

it('any datagrams from clients without a valid handshake leave no state', async () => {
  await using ingest = await startSrtIngest({ passphrase });
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const send = (bytes: Buffer) =>
    new Promise<void>((resolve) => socket.send(bytes, ingest.port, '127.0.0.1', () => resolve()));
  const datagram = fc.oneof(
    mutatedPackets(createPackets(1)),
    fc.uint8Array({ maxLength: 1_500 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(fc.asyncProperty(datagram, send), { seed: SEED, numRuns: 20_000 });
  await expectServerWorks(ingest);
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  expect(ingest.publishes).toHaveLength(1);
  await expect.poll(() => ingest.server.connectionCount()).toBe(0);
});

it('any packets of a publisher end at most its own connection', async () => {
  await using ingest = await startSrtIngest({ passphrase });
  await using otherCaller = await SrtCaller.connect({
    port: ingest.port,
    streamId: 'good-honest',
    passphrase,
  });
  const { sink } = ingest.publishes[0] ?? {};
  const attacker: { caller: SrtCaller | null } = { caller: null };
  const messages = muxKeyframes(200);
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat(1_400)), async (numbers) => {
      const hasEnded = ingest.publishes.at(-1)?.sink.ends.length !== 0;
      if (!attacker.caller || hasEnded) {
        await attacker.caller?.[Symbol.asyncDispose]();
        attacker.caller = await SrtCaller.connect({ port: ingest.port, streamId: 'good-bad', passphrase });
      }
      const packets = createPackets(attacker.caller.socketIdOfServer);
      for (const packet of packets.slice(1)) {
        const bytes = Buffer.from(packet);
        for (const index of numbers.take(4))
          if (index < bytes.length && (index < 12 || index > 15)) bytes[index] = index & 0xff;
        attacker.caller.sendRaw(bytes);
      }
      const message = messages[round++];
      if (message) otherCaller.send(message);
    }),
    { seed: SEED, numRuns: 1_000 },
  );
  await otherCaller.whenAcknowledged();
  expect(sink?.ends).toEqual([]);
  expect(sink?.packets).toHaveLength(200);
  for (const { connection } of ingest.publishes) connection.disconnect('cut');
  await expect.poll(() => ingest.server.connectionCount()).toBe(0);
  await attacker.caller?.[Symbol.asyncDispose]();
  await expectServerWorks(ingest);
});
