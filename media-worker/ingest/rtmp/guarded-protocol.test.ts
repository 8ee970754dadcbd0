import { beforeEach, describe, expect, it } from 'vitest';
import { GuardedProtocol } from './guarded-protocol';
import { ProtocolViolation } from '@/media-worker/ingest/publisher/publisher-limits';
import { defaultLimits } from './ingest-limits';
import { toChunks, toDeltaChunk } from './testing/chunks';
import { command, connectCommand, HANDSHAKE, publishCommand } from './testing/rtmp-client';

const VIDEO = 9;
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

describe('GuardedProtocol', () => {
  let events: string[];
  let protocol: GuardedProtocol;
  const receive = (...parts: Buffer[]): void => {
    for (const part of parts) protocol.parserData(part);
  };
  const receivePublish = (): void =>
    receive(HANDSHAKE, toChunks(connectCommand()), toChunks(publishCommand('key?x=1')));

  beforeEach(() => {
    events = [];
    protocol = new GuardedProtocol(defaultLimits, {
      connect: (app) => events.push(`connect ${app}`) > 0 && app === 'live',
      connectRejected: () => events.push('rejected'),
      publish: (name, streamId) => events.push(`publish ${name} ${streamId}`),
      unpublish: () => events.push('unpublish'),
      handleMedia: (type, timestamp, body) => events.push(`media ${type} ${timestamp} ${body.length}`),
      metadata: (message) => events.push(`metadata ${message.length}`),
      acknowledgementWindow: (bytes) => events.push(`window ${bytes}`),
      output: () => undefined,
    });
  });

  it('reports the commands of a publisher', () => {
    receivePublish();
    const body = Buffer.alloc(300);
    receive(
      toChunks({ type: VIDEO, payload: body, timestamp: 40 }),
      toChunks(command('FCUnpublish', 4, null, 'key')),
    );
    expect(events).toEqual(['connect live', 'publish key?x=1 1', 'media 9 40 300', 'unpublish']);
  });

  it('reports connect and publish if all bytes arrive one by one', () => {
    const session = Buffer.concat([HANDSHAKE, toChunks(connectCommand()), toChunks(publishCommand('key'))]);
    receive(...Array.from(session, (byte) => Buffer.from([byte])));
    expect(events).toEqual(['connect live', 'publish key 1']);
  });

  it('ignores all input after a rejected application', () => {
    receive(HANDSHAKE, toChunks(connectCommand('other')), toChunks(publishCommand('key')));
    receive(toChunks({ type: VIDEO, payload: Buffer.alloc(8) }));
    expect(events).toEqual(['connect other', 'rejected']);
  });

  it('wraps timestamps at 2^32 milliseconds', () => {
    receivePublish();
    receive(toChunks({ type: VIDEO, payload: Buffer.alloc(5), timestamp: 2 ** 32 - 10, chunkStream: 6 }));
    receive(toDeltaChunk(30, VIDEO, Buffer.alloc(5), 6));
    expect(events.slice(2)).toEqual(['media 9 4294967286 5', 'media 9 20 5']);
  });

  it('accepts two-byte chunk stream ids', () => {
    receivePublish();
    const chunk = toChunks({ type: VIDEO, payload: Buffer.alloc(5) });
    // Format 0, and chunk stream 64 + 100.
    receive(Buffer.from([0, 100]), chunk.subarray(1));
    expect(events.at(-1)).toBe('media 9 0 5');
  });

  it('drops an unfinished message that the client aborts', () => {
    receivePublish();
    receive(toChunks({ type: VIDEO, payload: Buffer.alloc(128), announcedBytes: 256, chunkStream: 6 }));
    receive(toChunks({ type: 2, payload: uint32(6), chunkStream: 2 }));
    receive(toChunks({ type: VIDEO, payload: Buffer.alloc(5), chunkStream: 6 }));
    expect(events.at(-1)).toBe('media 9 0 5');
  });

  it('passes on the acknowledgement window of the client, and applies its chunk size', () => {
    receive(
      HANDSHAKE,
      toChunks({ type: 5, payload: uint32(1000) }),
      toChunks({ type: 1, payload: uint32(4096) }),
    );
    receive(toChunks(connectCommand(), 4096));
    expect(events).toEqual(['window 1000', 'connect live']);
  });

  it('passes on metadata, except AMF3', () => {
    receivePublish();
    receive(
      toChunks({ type: 18, payload: Buffer.alloc(10) }),
      toChunks({ type: 15, payload: Buffer.alloc(10) }),
    );
    expect(events.slice(2)).toEqual(['metadata 10']);
  });

  /** A message within an aggregate message, with its size behind it. */
  const createAggregateEntry = (type: number, timestamp: number, body: Buffer): Buffer => {
    const header = Buffer.alloc(11);
    header[0] = type;
    header.writeUIntBE(body.length, 1, 3);
    header.writeUIntBE(timestamp & 0xffffff, 4, 3);
    header.writeUInt8(timestamp >>> 24, 7);
    return Buffer.concat([header, body, uint32(11 + body.length)]);
  };

  it('reads the messages of an aggregate message, with times from its timestamp on', () => {
    receivePublish();
    const messages = [
      createAggregateEntry(8, 500, Buffer.alloc(7)),
      createAggregateEntry(VIDEO, 520, Buffer.alloc(9)),
      createAggregateEntry(18, 520, Buffer.alloc(3)),
      createAggregateEntry(8, 523, Buffer.alloc(8)),
    ];
    receive(toChunks({ type: 22, payload: Buffer.concat(messages), timestamp: 90_000 }));
    expect(events.slice(2)).toEqual(['media 8 90000 7', 'media 9 90020 9', 'media 8 90023 8']);
  });

  const afterConnect = [HANDSHAKE, toChunks(connectCommand())];
  const afterPublish = [...afterConnect, toChunks(publishCommand('key'))];
  const unfinishedMessage = (chunkStream: number, announcedBytes: number): Buffer =>
    toChunks({ type: VIDEO, payload: Buffer.alloc(128), announcedBytes, chunkStream });

  it.each<[string, Buffer[]]>([
    ['a first byte other than 3', [Buffer.from([6])]],
    ['play', [...afterConnect, toChunks(command('play', 3, null, 'key'))]],
    ['play2', [...afterConnect, toChunks(command('play2', 3, null))]],
    ['connect twice', [...afterConnect, toChunks(connectCommand())]],
    ['connect without an app', [HANDSHAKE, toChunks(command('connect', 1, { tcUrl: 'rtmp://h/live' }))]],
    ['connect with null', [HANDSHAKE, toChunks(command('connect', 1, null))]],
    ['createStream before connect', [HANDSHAKE, toChunks(command('createStream', 1, null))]],
    ['publish before connect', [HANDSHAKE, toChunks(publishCommand('key'))]],
    ['publish without a name', [...afterConnect, toChunks(command('publish', 3, null))]],
    ['publish with a number for a name', [...afterConnect, toChunks(command('publish', 3, null, 5))]],
    ['publish with a long name', [...afterConnect, toChunks(publishCommand('k'.repeat(600)))]],
    ['a three-byte chunk stream id', [...afterPublish, Buffer.alloc(14, 1)]],
    ['chunk size 0', [...afterPublish, toChunks({ type: 1, payload: uint32(0) })]],
    ['chunk size 2^31', [...afterPublish, toChunks({ type: 1, payload: uint32(2 ** 31) })]],
    ['a short control message', [...afterPublish, toChunks({ type: 5, payload: Buffer.alloc(3) })]],
    [
      'a truncated aggregate message',
      [
        ...afterPublish,
        toChunks({ type: 22, payload: createAggregateEntry(8, 0, Buffer.alloc(9)).subarray(0, 15) }),
      ],
    ],
    ['a large message before publish', [...afterConnect, unfinishedMessage(6, 70_000)]],
    ['a message beyond 4 MiB', [...afterPublish, unfinishedMessage(6, 4 * 2 ** 20 + 1)]],
    [
      'unfinished messages beyond 8 MiB',
      [...afterPublish, ...[6, 7, 8].map((id) => unfinishedMessage(id, 4 * 2 ** 20))],
    ],
    ['a message inside a message', [...afterPublish, unfinishedMessage(6, 4000), unfinishedMessage(6, 4000)]],
    [
      '33 chunk streams',
      [...afterPublish, ...Array.from({ length: 33 }, (_, n) => unfinishedMessage(10 + n, 200))],
    ],
  ])('rejects %s', (_name, parts) => {
    expect(() => receive(...parts)).toThrow(ProtocolViolation);
  });
});
