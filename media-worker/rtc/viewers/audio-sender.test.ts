import { expect, test } from 'vitest';
import { AudioSender } from './audio-sender';

const reportedVideo = { ssrc: 4, timestampOffset: 2_000, packets: 7, bytes: 900 };

/**
 * Opens an audio sender.
 * @param videoPtsToSendTimeMs offset that the video sender reports
 */
function openSender(videoPtsToSendTimeMs: number | null) {
  const sentPackets: Buffer[] = [];
  let monotonicMs = 5_000;
  const sender = new AudioSender({
    ssrc: 3,
    payloadType: 111,
    timestampOffset: 1_000,
    firstSequence: 65_534,
    send: (packet) => void sentPackets.push(packet),
    videoPtsToSendTimeMs: () => videoPtsToSendTimeMs,
    video: () => (videoPtsToSendTimeMs === null ? null : reportedVideo),
    now: () => monotonicMs,
    wallClockNow: () => 1_700_000_000_000 + monotonicMs,
  });
  const packetsOf = (type: number) => sentPackets.filter((packet) => (packet[1] ?? 0) === type);
  return {
    sender,
    /** RTP packets. The first one has the marker bit. */
    packets: () => sentPackets.filter((packet) => ((packet[1] ?? 0) & 0x7f) === 111),
    reports: () => packetsOf(200),
    advanceTime: (ms: number) => (monotonicMs += ms),
  };
}

test('packets have consecutive sequence numbers, and timestamps at 48 kHz', () => {
  const { sender, packets, advanceTime } = openSender(null);
  for (const ms of [0, 20, 40]) {
    sender.push(Buffer.from('x'), ms);
    advanceTime(20);
  }
  expect(packets().map((packet) => packet.readUInt16BE(2))).toEqual([65_534, 65_535, 0]);
  expect(packets().map((packet) => packet.readUInt32BE(4))).toEqual([1_000, 1_960, 2_920]);
  expect(packets().map((packet) => (packet[1] ?? 0) >> 7)).toEqual([1, 0, 0]);
});

/** Milliseconds from the Unix time 1,700,000,000 s to the wall clock in a report. */
const wallClockOf = (report: Buffer) =>
  (report.readUInt32BE(8) - ((1_700_000_000 + 2_208_988_800) % 2 ** 32)) * 1_000 +
  (report.readUInt32BE(12) / 2 ** 32) * 1_000;

test('reports of both tracks contain the time at which the video frame of the same media time was sent', () => {
  const withVideo = openSender(4_800);
  withVideo.sender.push(Buffer.from('x'), 100);
  // The media time of 100 ms plus the offset of 4,800 ms.
  expect(wallClockOf(withVideo.reports()[0] ?? Buffer.alloc(28))).toBeCloseTo(4_900);
  const [audio, video] = withVideo.reports();
  expect(video?.readUInt32BE(4)).toBe(4);
  expect(video?.subarray(8, 16)).toEqual(audio?.subarray(8, 16));
  expect(video?.readUInt32BE(16)).toBe(2_000 + 100 * 90);
  expect([video?.readUInt32BE(20), video?.readUInt32BE(24)]).toEqual([7, 900]);
  const withoutVideo = openSender(null);
  withoutVideo.sender.push(Buffer.from('x'), 100);
  expect(wallClockOf(withoutVideo.reports()[0] ?? Buffer.alloc(28))).toBeCloseTo(5_000);
});

test('without video, one report is sent each second', () => {
  const { sender, reports, advanceTime } = openSender(null);
  for (let ms = 0; ms < 3_000; ms += 20) {
    sender.push(Buffer.from('x'), ms);
    advanceTime(20);
  }
  expect(reports()).toHaveLength(3);
});
