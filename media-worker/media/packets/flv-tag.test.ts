import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlvTagError, type MediaMessageType, parseFlvTag } from './flv-tag';

const AUDIO = 8;
const VIDEO = 9;
const fromHex = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
/** The body of a tag of Enhanced RTMP: flags and packet type, the FourCC, and data as hex digits. */
const enhancedBody = (first: number, code: string, tail = ''): Buffer =>
  Buffer.concat([Buffer.from([first]), Buffer.from(code, 'latin1'), fromHex(tail)]);

const parse = (type: MediaMessageType, body: Buffer, dts = 1000): unknown => {
  const packet = parseFlvTag(type, dts, body);
  return packet && { ...packet, payload: packet.payload.toString('hex') };
};

describe('legacy video', () => {
  it('reads an AVC sequence header as a configuration', () => {
    expect(parse(VIDEO, fromHex('17 00 000000 0164001f'))).toEqual({
      kind: 'video',
      codec: 'avc',
      role: 'config',
      key: false,
      dts: 1000,
      pts: 1000,
      payload: '0164001f',
    });
  });

  it.each([
    ['key frame', '17', true],
    ['generated key frame', '47', true],
    ['inter frame', '27', false],
    ['disposable inter frame', '37', false],
  ])('reads a %s', (_name, first, key) => {
    expect(parse(VIDEO, fromHex(`${first} 01 000028 aabb`))).toMatchObject({
      role: 'frame',
      key,
      pts: 1040,
      payload: 'aabb',
    });
  });

  it('reads the composition time as a signed number', () => {
    expect(parse(VIDEO, fromHex('27 01 ffffd8 aa'))).toMatchObject({ dts: 1000, pts: 960 });
  });

  it.each([
    ['end of sequence', '17 02 000000'],
    ['end of sequence without a time', '17 02'],
    ['info frame', '57 00'],
    ['header without a configuration', '17 00 000000'],
    ['frame without a NAL unit', '27 01 000000'],
    ['an empty body', ''],
  ])('returns null for %s', (_name, hex) => {
    expect(parse(VIDEO, fromHex(hex))).toBeNull();
  });

  it.each([
    ['1c', 'hevc'],
    ['1d', 'av1'],
  ])('a video tag that starts with the byte %s has the codec %s', (first, codec) => {
    expect(parse(VIDEO, fromHex(`${first} 01 000000 aa`))).toMatchObject({ codec, role: 'frame' });
  });

  it('passes on an unknown codec', () => {
    expect(parse(VIDEO, fromHex('12 aa'))).toMatchObject({ codec: 'unknown', key: true, payload: 'aa' });
  });

  it.each(['17', '1701', '17010000'])('throws for the truncated tag %s', (hex) => {
    expect(() => parse(VIDEO, fromHex(hex))).toThrow(FlvTagError);
  });
});

describe('enhanced video', () => {
  it.each([
    ['hvc1', 'hevc'],
    ['av01', 'av1'],
    ['vp09', 'vp9'],
    ['avc1', 'avc'],
    ['zzzz', 'unknown'],
  ])('recognises %s as %s', (code, codec) => {
    expect(parse(VIDEO, enhancedBody(0x90, code, 'aa'))).toMatchObject({
      codec,
      role: 'config',
      key: false,
      payload: 'aa',
    });
  });

  it.each(['hvc1', 'avc1'])('reads the composition time of %s', (code) => {
    expect(parse(VIDEO, enhancedBody(0xa1, code, 'ffffff bb'))).toMatchObject({
      pts: 999,
      key: false,
      payload: 'bb',
    });
  });

  it.each(['av01', 'vp09'])('reads %s as a frame without composition time', (code) => {
    expect(parse(VIDEO, enhancedBody(0x91, code, 'ffffff bb'))).toMatchObject({
      pts: 1000,
      key: true,
      payload: 'ffffffbb',
    });
  });

  it('reads CodedFramesX as a frame whose composition time is 0', () => {
    expect(parse(VIDEO, enhancedBody(0x93, 'hvc1', 'ffffff'))).toMatchObject({
      pts: 1000,
      key: true,
      payload: 'ffffff',
    });
  });

  it.each([
    ['end of sequence', 0x92],
    ['HDR metadata', 0x94],
    ['MPEG-2 TS start', 0x95],
    ['info frame', 0xd1],
  ])('returns null for %s', (_name, first) => {
    expect(parse(VIDEO, enhancedBody(first, 'hvc1', '000000aa'))).toBeNull();
  });

  it.each([
    ['one track', '96 01 68766331 00 000000bb', 'bb'],
    ['many tracks of one codec', '96 11 68766331 01 000004 000000cc 00 000005 000000bbbb', 'bbbb'],
    ['many codecs', '96 21 61763031 01 000001 cc 68766331 00 000004 000000bb', 'bb'],
    ['a modifier, then many tracks', '97 02 000064 06 13 68766331 00 000001 bb', 'bb'],
    ['a long modifier', `97 ff 0100 ${'00'.repeat(257)} 03 68766331 bb`, 'bb'],
  ])('reads the main track of %s', (_name, hex, payload) => {
    expect(parse(VIDEO, fromHex(hex))).toMatchObject({ codec: 'hevc', role: 'frame', key: true, payload });
  });

  it('returns null for tracks other than the main one', () => {
    expect(parse(VIDEO, fromHex('96 01 68766331 01 000000bb'))).toBeNull();
    expect(parse(VIDEO, fromHex('96 12 68766331 00 000001 bb'))).toBeNull();
  });

  it.each(['96', '9611687663', '9611687663310000ffffbb', '97ff', '9705', '9768766331'])(
    'throws for the truncated tag %s',
    (hex) => {
      expect(() => parse(VIDEO, fromHex(hex))).toThrow(FlvTagError);
    },
  );

  it.each(['90', '90687663', 'a1687663310000'])('throws for the truncated tag %s', (hex) => {
    expect(() => parse(VIDEO, fromHex(hex))).toThrow(FlvTagError);
  });
});

describe('any bytes', () => {
  it('give a packet, null or an FlvTagError', () => {
    const first = fc.constantFrom(0x90, 0x93, 0x96, 0x97, 0xa6, 0x17, 0x95);
    fc.assert(
      fc.property(
        first,
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom(AUDIO, VIDEO),
        (byte, tail, type) => {
          try {
            parseFlvTag(type, 0, Buffer.from([byte, ...tail]));
          } catch (error) {
            expect(error).toBeInstanceOf(FlvTagError);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('audio', () => {
  it('reads an AudioSpecificConfig', () => {
    expect(parse(AUDIO, fromHex('af 00 1210'))).toEqual({
      kind: 'audio',
      codec: 'aac',
      role: 'config',
      dts: 1000,
      pts: 1000,
      payload: '1210',
    });
  });

  it('reads an AAC frame', () => {
    expect(parse(AUDIO, fromHex('af 01 2233'))).toMatchObject({
      codec: 'aac',
      role: 'frame',
      payload: '2233',
    });
  });

  it.each([
    ['2f', 'mp3'],
    ['ef', 'mp3'],
    ['df', 'opus'],
    ['3f', 'unknown'],
  ])('an audio tag that starts with the byte %s has the codec %s', (first, codec) => {
    expect(parse(AUDIO, fromHex(`${first} 44`))).toMatchObject({ codec, role: 'frame', payload: '44' });
  });

  it.each([
    ['mp4a', 'aac'],
    ['.mp3', 'mp3'],
    ['ac-3', 'ac3'],
    ['ec-3', 'eac3'],
    ['Opus', 'opus'],
    ['fLaC', 'unknown'],
  ])('recognises %s as %s', (code, codec) => {
    expect(parse(AUDIO, enhancedBody(0x90, code, '12'))).toMatchObject({ codec, role: 'config' });
    expect(parse(AUDIO, enhancedBody(0x91, code, '12'))).toMatchObject({ codec, role: 'frame' });
  });

  it.each(['', 'af00', 'af01', 'af02ff', '2f', '92', '9502'])(
    'returns null for %j, which has no media',
    (hex) => {
      expect(parse(AUDIO, fromHex(hex))).toBeNull();
    },
  );

  it.each(['af', '90', '916d70', '95'])('throws for the truncated tag %s', (hex) => {
    expect(() => parse(AUDIO, fromHex(hex))).toThrow(FlvTagError);
  });
});
