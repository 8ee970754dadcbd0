import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatCapabilities,
  extensionTypes,
  type Handshake,
  formatHandshake,
  handshakeTypes,
  parseHandshake,
  parseText,
  rejections,
  formatText,
} from './handshake';
import { parseCall } from './read-call';
import { parsePacket } from './srt-packet';
import { CallerKeys } from './testing/caller-keys';

const requestExtension = (flags = 0x3f): [number, Buffer] => [
  extensionTypes.request,
  formatCapabilities({ version: 0x01_05_01, flags, receiveLatencyMs: 120, sendLatencyMs: 200 }),
];
const streamIdExtension = (streamId: string): [number, Buffer] => [
  extensionTypes.streamId,
  formatText(streamId),
];
const textExtension = (type: number, value: string): [number, Buffer] => [type, formatText(value)];

const createConclusion = (extensions: readonly [number, Buffer][], version = 5): Handshake => ({
  version,
  encryption: 0,
  extensionField: 5,
  initialSequence: 7,
  mtu: 1500,
  flowWindow: 8192,
  type: handshakeTypes.conclusion,
  socketId: 9,
  cookie: 0xffff_fffe,
  peerAddress: Buffer.alloc(16),
  extensions: new Map(extensions),
});

describe('handshakes', () => {
  it('are parsed back unchanged', () => {
    const handshake = createConclusion([requestExtension(), streamIdExtension('#!::r=abcd-ef12')]);
    expect(parseHandshake(formatHandshake(handshake))).toEqual(handshake);
  });

  it('contain texts of any length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const textWithoutZeros = value.replaceAll('\0', '');
        expect(parseText(formatText(textWithoutZeros))).toBe(textWithoutZeros);
      }),
    );
    // libsrt writes the bytes of each word in reverse order.
    expect(formatText('abcdef').toString('latin1')).toBe('dcba\0\0fe');
  });

  it('of any bytes are parsed or rejected without an error', () => {
    const body = formatHandshake(createConclusion([requestExtension(), streamIdExtension('abcd')]));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(body.length), (bytes, offset) => {
        const withBytes = Buffer.concat([body.subarray(0, offset), bytes]);
        parsePacket(withBytes);
        const handshake = parseHandshake(withBytes);
        if (handshake) parseCall(handshake);
      }),
    );
  });
});

describe('a call', () => {
  const keyMaterial = new CallerKeys('a secret phrase', 16).keyMaterialMessage;
  const gcmKeyMaterial = Buffer.from(keyMaterial);
  // The number of the cipher AES-GCM.
  gcmKeyMaterial.writeUInt8(3, 8);

  it('contains stream, latency and keys', () => {
    const keyMaterialExtension: [number, Buffer] = [extensionTypes.keyMaterialRequest, keyMaterial];
    expect(
      parseCall(createConclusion([requestExtension(), streamIdExtension('abcd'), keyMaterialExtension])),
    ).toMatchObject({
      streamKey: 'abcd',
      requestedLatencyMs: 200,
      callerLatencyMs: 120,
      keyMaterial: { slots: ['even'], keyBytes: 16 },
      keyMaterialMessage: keyMaterial,
    });
  });

  it.each([
    ['of an older version', createConclusion([], 4), rejections.version],
    ['without extensions', createConclusion([]), rejections.rogue],
    [
      'in file mode',
      createConclusion([requestExtension(0x7f), streamIdExtension('abcd')]),
      rejections.messageApi,
    ],
    [
      'with the congestion control of files',
      createConclusion([
        requestExtension(),
        streamIdExtension('abcd'),
        textExtension(extensionTypes.congestion, 'file'),
      ]),
      rejections.congestion,
    ],
    [
      'with a packet filter',
      createConclusion([
        requestExtension(),
        streamIdExtension('abcd'),
        textExtension(extensionTypes.filter, 'fec,cols:10'),
      ]),
      rejections.filter,
    ],
    [
      'of a group',
      createConclusion([
        requestExtension(),
        streamIdExtension('abcd'),
        [extensionTypes.group, Buffer.alloc(8)],
      ]),
      rejections.group,
    ],
    [
      'with another cipher',
      createConclusion([
        requestExtension(),
        streamIdExtension('abcd'),
        [extensionTypes.keyMaterialRequest, gcmKeyMaterial],
      ]),
      rejections.cipher,
    ],
    [
      'that wants to play',
      createConclusion([requestExtension(), streamIdExtension('#!::r=abcd,m=request')]),
      rejections.badMode,
    ],
    ['without a stream id', createConclusion([requestExtension()]), rejections.badRequest],
    [
      'with a long stream id',
      createConclusion([requestExtension(), streamIdExtension('a'.repeat(600))]),
      rejections.badRequest,
    ],
  ])('%s is rejected', (_name, handshake, rejection) => {
    expect(parseCall(handshake)).toEqual({ rejection });
  });
});
