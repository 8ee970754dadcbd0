import { describe, expect, test } from 'vitest';
import { parseSdp } from '@/media-worker/rtc/sdp';
import { browserOffer } from '@/media-worker/rtc/testing/offers';
import { chooseCodecs, type StreamVideo } from './choose-codecs';

/** Start of an avcC record of level 3.1. Profile 0x42 is Baseline, 0x4d Main, 0x64 High. */
const createAvcRecord = (profile: number, constraints: number) => Buffer.from([1, profile, constraints, 31]);
const baseline: StreamVideo = { coding: 'avc', record: createAvcRecord(0x42, 0xe0) };

/**
 * Parses the offer of a browser that only receives.
 * @param changeOffer modifies the text of the offer
 */
function parseBrowserOffer(changeOffer: (sdp: string) => string = (sdp) => sdp) {
  const description = parseSdp(changeOffer(browserOffer.replaceAll('a=sendonly', 'a=recvonly')));
  if (!description) throw new Error('not an offer');
  return description;
}

/** Payload types of video and audio, or the rejection. */
function choose(streamVideo: StreamVideo, changeOffer?: (sdp: string) => string) {
  const codecs = chooseCodecs(parseBrowserOffer(changeOffer), streamVideo);
  if ('rejection' in codecs) return codecs.rejection;
  return [codecs.video?.codec.payloadType, codecs.audio?.codec.payloadType];
}

describe('H.264', () => {
  test('is answered with the profile of the stream', () => {
    expect(choose(baseline)).toEqual([109, 111]);
    expect(choose({ coding: 'avc', record: createAvcRecord(0x42, 0) })).toEqual([103, 111]);
  });

  test('with a profile that is not offered is answered with the nearest one', () => {
    const high = { coding: 'avc', record: createAvcRecord(0x64, 0) } as const;
    expect(choose(high)).toEqual([103, 111]);
    expect(choose(high, (sdp) => sdp.replace('42e01f', '4d001f'))).toEqual([109, 111]);
  });

  test('without fragmentation is not accepted', () => {
    const withoutFragmentation = (sdp: string) =>
      sdp.replaceAll('packetization-mode=1', 'packetization-mode=0');
    expect(choose(baseline, withoutFragmentation)).toBe(
      'The stream is H.264, which this browser does not play over WebRTC. Use HLS.',
    );
  });
});

test.each([
  ['hevc', 'HEVC', 'H265'],
  ['av1', 'AV1', 'AV1'],
] as const)('%s is accepted only if it is offered', (coding, name, rtpName) => {
  const streamVideo = { coding, record: createAvcRecord(0, 0) };
  expect(choose(streamVideo)).toBe(
    `The stream is ${name}, which this browser does not play over WebRTC. Use HLS.`,
  );
  expect(choose(streamVideo, (sdp) => sdp.replace('VP8', rtpName))).toEqual([96, 111]);
});

test('a client without audio gets the video, and a client without video the audio', () => {
  expect(choose(baseline, (sdp) => sdp.replace('opus/48000/2', 'PCMU/8000'))).toEqual([109, undefined]);
  expect(choose(null)).toEqual([undefined, 111]);
  expect(choose(null, (sdp) => sdp.replace('opus/48000/2', 'PCMU/8000'))).toContain('Opus');
});

test('a client that only sends gets nothing', () => {
  const description = parseSdp(browserOffer);
  expect(description && chooseCodecs(description, baseline)).toHaveProperty('rejection');
});
