import { expect, test } from 'vitest';
import { noInboundFacts, readInboundFacts } from './inbound-stats';

/**
 * Statistics of a WebRTC connection after some seconds: 200 kB/s of video, 10 kB/s of audio and 30 frames per second, of
 * which each was in the jitter buffer for 50 ms.
 */
const statsAt = (seconds: number) =>
  [
    [
      'v',
      {
        type: 'inbound-rtp',
        kind: 'video',
        codecId: 'cv',
        timestamp: 1_000 + seconds * 1_000,
        bytesReceived: seconds * 200_000,
        jitterBufferDelay: seconds * 1.5,
        jitterBufferEmittedCount: seconds * 30,
      },
    ],
    [
      'a',
      { type: 'inbound-rtp', kind: 'audio', codecId: 'ca', timestamp: 0, bytesReceived: seconds * 10_000 },
    ],
    ['cv', { type: 'codec', mimeType: 'video/H264' }],
    ['ca', { type: 'codec', mimeType: 'audio/opus' }],
    ['p', { type: 'candidate-pair', nominated: true, currentRoundTripTime: 0.04 }],
  ] as const;

test('bitrate and delay are measured since the previous statistics', () => {
  const firstFacts = readInboundFacts(statsAt(1), noInboundFacts);
  expect(firstFacts).toMatchObject({ bytes: 210_000, bitrate: null, codecs: 'H264, opus' });
  const secondFacts = readInboundFacts(statsAt(3), firstFacts);
  expect(secondFacts.bitrate).toBe(8 * (200_000 + 10_000));
  // Half of the round trip, and the time of each frame in the jitter buffer (1.5 s for 30 frames).
  expect(secondFacts.delay).toBeCloseTo(0.04 / 2 + 1.5 / 30);
});

test('statistics without received media keep the previous facts', () => {
  expect(readInboundFacts([['c', { type: 'codec' }]], noInboundFacts)).toBe(noInboundFacts);
});
