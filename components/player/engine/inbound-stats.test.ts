import { expect, test } from 'vitest';
import { noInbound, readInbound } from './inbound-stats';

/** Statistics of a WebRTC connection after some seconds: constant rates of bytes and frames, and 50 ms of jitter buffer. */
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
  const first = readInbound(statsAt(1), noInbound);
  expect(first).toMatchObject({ bytes: 210_000, bitrate: null, codecs: 'H264, opus' });
  const second = readInbound(statsAt(3), first);
  expect(second.bitrate).toBe(8 * (200_000 + 10_000));
  // Half of the round trip, and the delay of the jitter buffer for each frame (1.5 s for 30 frames).
  expect(second.delay).toBeCloseTo(0.04 / 2 + 1.5 / 30);
});

test('statistics without media keep the previous values', () => {
  expect(readInbound([['c', { type: 'codec' }]], noInbound)).toBe(noInbound);
});
