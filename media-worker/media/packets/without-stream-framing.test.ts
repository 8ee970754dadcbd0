import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prefixWithLengths } from '@/media-worker/media/cmaf/nal-units';
import { PLAIN_SPS, CONFIG_RECORDS, spsOf } from '@/media-worker/media/cmaf/testing/codec-records';
import { parseAvcConfig } from '@/media-worker/media/cmaf/codec-config';
import { adtsFrame } from '@/media-worker/media/mpegts/testing/ts-muxer';
import {
  audioConfig,
  audioFrame,
  videoConfig,
  videoFrame,
} from '@/media-worker/media/packaging/testing/synthetic-packets';
import type { MediaPacket } from './media-packet';
import { withoutStreamFraming } from './without-stream-framing';

const PPS = Buffer.from('68ee3c80', 'hex');
const IDR = Buffer.from('6588840000ff', 'hex');
const SEI = Buffer.from('0605aa80', 'hex');
const withStartCodes = (units: readonly Buffer[]) =>
  Buffer.concat(units.flatMap((unit, n) => [Buffer.from(n === 0 ? [0, 0, 0, 1] : [0, 0, 1]), unit]));

function convert(...packets: readonly MediaPacket[]): MediaPacket[] {
  const emittedPackets: MediaPacket[] = [];
  const sink = withoutStreamFraming({ push: (packet) => emittedPackets.push(packet), end: () => undefined });
  for (const packet of packets) sink.push(packet);
  return emittedPackets;
}

it('start codes of frames become lengths of 4 bytes, or of the size in the configuration before them', () => {
  const record = Buffer.from(CONFIG_RECORDS.high320);
  // The lower two bits are the size of the lengths minus one: lengths of two bytes.
  record.writeUInt8(0xfd, 4);
  const frame = { ...videoFrame(0, { key: true }), payload: withStartCodes([SEI, IDR]) };
  const payloads = convert(frame, videoConfig(record), frame).map(({ payload }) => payload);
  expect([payloads[0], payloads[2]]).toEqual([
    prefixWithLengths([SEI, IDR], 4),
    prefixWithLengths([SEI, IDR], 2),
  ]);
});

it('parameter sets with start codes become a configuration record', () => {
  const [config] = convert(videoConfig(withStartCodes([spsOf(PLAIN_SPS), PPS])));
  expect(parseAvcConfig(config?.payload ?? Buffer.alloc(0))).toMatchObject({ width: 1280, nalLengthSize: 4 });
});

it.each([
  ['without', false],
  ['with', true],
])('ADTS headers %s a checksum are removed', (_name, hasCrc) => {
  const unit = Buffer.from('210049aabbcc', 'hex');
  const adts = adtsFrame(hasCrc ? Buffer.concat([Buffer.from([1, 2]), unit]) : unit);
  // The last bit is 0 where a checksum follows the header.
  if (hasCrc) adts.writeUInt8(0xf0, 1);
  const [, frame] = convert(audioConfig(), { ...audioFrame(0), payload: adts });
  expect(frame?.payload).toEqual(unit);
});

it('video with lengths is unchanged, and so is audio that only begins like ADTS', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ minLength: 2, maxLength: 600 }), { minLength: 1 }), (units) => {
      const payload = prefixWithLengths(units.map((unit) => Buffer.from(unit)));
      const video = { ...videoFrame(0), payload };
      const audio = {
        ...audioFrame(0),
        payload: Buffer.concat([Buffer.from([0xff, 0xf1]), payload.subarray(0, 40)]),
      };
      expect(convert(video, audio)).toEqual([video, audio]);
    }),
  );
});
