import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodecDataError, parseAacConfig } from './codec-config';
import { BitWriter } from './testing/bit-writer';
import { CONFIG_RECORDS } from './testing/codec-records';

const hex = (text: string) => Buffer.from(text, 'hex');
const RATES = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

/** An AudioSpecificConfig of an LC core with this object type, sampling frequency index and channel configuration. */
const coreConfig = (type: number, index: number, channels: number) =>
  new BitWriter().bits(type, 5).bits(index, 4).bits(channels, 4);

describe('AudioSpecificConfig', () => {
  it.each([
    ['48 kHz stereo by ffmpeg', CONFIG_RECORDS.aacStereo48, 'mp4a.40.2', 48000, 48000, 2],
    ['44.1 kHz mono', CONFIG_RECORDS.aacMono44, 'mp4a.40.2', 44100, 44100, 1],
    ['5.1', CONFIG_RECORDS.aac51, 'mp4a.40.2', 48000, 48000, 6],
    ['two bytes from an old encoder', hex('1210'), 'mp4a.40.2', 44100, 44100, 2],
    ['7.1', hex('11b8'), 'mp4a.40.2', 48000, 48000, 8],
    ['HE-AAC, SBR first', hex('2b118800'), 'mp4a.40.5', 24000, 48000, 2],
    ['HE-AAC, SBR last', hex('131056e598'), 'mp4a.40.5', 24000, 48000, 2],
    ['HE-AAC v2, PS first', hex('eb098800'), 'mp4a.40.29', 24000, 48000, 1],
    ['HE-AAC v2, PS last', hex('130856e59d4880'), 'mp4a.40.29', 24000, 48000, 1],
  ])('parses the configuration of %s', (_name, record, codec, timescale, sampleRate, channels) => {
    expect(parseAacConfig(record)).toEqual({
      codec,
      timescale,
      sampleRate,
      channels,
      channelConfiguration: channels === 8 ? 7 : channels,
      samplesPerFrame: 1024,
      record,
    });
  });

  it('reads a sample rate written out in 24 bits', () => {
    const record = new BitWriter().bits(2, 5).bits(15, 4).bits(44_056, 24).bits(2, 4).bits(0, 3).bytes();
    expect(parseAacConfig(record)).toMatchObject({ timescale: 44_056, sampleRate: 44_056, channels: 2 });
  });

  it('counts the channels of a program config element', () => {
    const writer = coreConfig(2, 3, 0).bits(0, 3); // flags of the GASpecificConfig
    writer.bits(0, 4).bits(1, 2).bits(3, 4); // tag, profile, rate
    writer.bits(2, 4).bits(0, 4).bits(1, 4).bits(1, 2).bits(0, 3).bits(0, 4).bits(0, 3); // counts, no mixdown
    writer.bits(0, 1).bits(0, 4).bits(1, 1).bits(0, 4); // centre, front pair
    writer.bits(1, 1).bits(1, 4).bits(0, 4); // back pair, LFE
    const record = Buffer.concat([writer.bytes(), Buffer.from([0])]); // no comment
    expect(parseAacConfig(record)).toMatchObject({ channels: 6, timescale: 48000 });
  });

  it('reads frames of 960 samples', () => {
    const record = coreConfig(2, 4, 1).bits(1, 1).bits(0, 2).bytes();
    expect(parseAacConfig(record).samplesPerFrame).toBe(960);
  });

  it.each([
    ['nothing', hex(''), 'AudioSpecificConfig is missing'],
    ['one byte', hex('12'), 'truncated'],
    [
      'xHE-AAC',
      new BitWriter().bits(31, 5).bits(10, 6).bits(3, 4).bits(2, 4).bits(0, 9).bytes(),
      'AAC object type 42',
    ],
    ['a reserved rate', coreConfig(2, 13, 2).bits(0, 3).bytes(), 'impossible sample rate (index 13)'],
    [
      'a rate of 1 Hz',
      new BitWriter().bits(2, 5).bits(15, 4).bits(1, 24).bits(2, 7).bytes(),
      'impossible sample rate (1)',
    ],
    ['reserved channels', coreConfig(2, 4, 9).bits(0, 3).bytes(), 'unknown channel configuration 9'],
    ['an oversized record', Buffer.alloc(600, 0x12), 'too long'],
  ])('rejects %s', (_name, record, message) => {
    expect(() => parseAacConfig(record)).toThrow(message);
    expect(() => parseAacConfig(record)).toThrow(CodecDataError);
  });

  it('parses rate and channels of any plain configuration', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 3, 4),
        fc.nat(12),
        fc.integer({ min: 1, max: 7 }),
        (type, index, layout) => {
          const config = parseAacConfig(coreConfig(type, index, layout).bits(0, 3).bytes());
          expect(config.codec).toBe(`mp4a.40.${type}`);
          expect(config.timescale).toBe(RATES[index]);
          expect(config.channels).toBe(layout === 7 ? 8 : layout);
        },
      ),
    );
  });

  it('parses any bytes, or throws CodecDataError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        try {
          const config = parseAacConfig(Buffer.from(bytes));
          expect(config.channels).toBeGreaterThan(0);
          expect(config.timescale).toBeGreaterThanOrEqual(4000);
        } catch (error) {
          expect(error).toBeInstanceOf(CodecDataError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
