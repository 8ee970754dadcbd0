import { expect, test } from 'vitest';
import { AudioSender } from './audio-sender';

const reportedVideo = { ssrc: 4, timestampOffset: 2_000, packets: 7, bytes: 900 };

/**
 * Opens an audio sender.
 * @param videoOffsetMs offset that the video sender reports
 */
function openSender(videoOffsetMs: number | null) {
  const sentPackets: Buffer[] = [];
  let now = 5_000;
  const sender = new AudioSender({
    ssrc: 3,
    payloadType: 111,
    timestampOffset: 1_000,
    firstSequence: 65_534,
    send: (packet) => void sentPackets.push(packet),
    videoOffsetMs: () => videoOffsetMs,
    video: () => (videoOffsetMs === null ? null : reportedVideo),
    now: () => now,
    wallClockNow: () => 1_700_000_000_000 + now,
  });
  const packetsOf = (type: number) => sentPackets.filter((packet) => (packet[1] ?? 0) === type);
  return {
    sender,
    /** RTP packets. The first one has the marker bit. */
    packets: () => sentPackets.filter((packet) => ((packet[1] ?? 0) & 0x7f) === 111),
    reports: () => packetsOf(200),
    pass: (ms: number) => (now += ms),
  };
}

test('packets have consecutive sequence numbers and times', () => {
  const { sender, packets, pass } = openSender(null);
  for (const ms of [0, 20, 40]) {
    sender.push(Buffer.from('x'), ms);
    pass(20);
  }
  expect(packets().map((packet) => packet.readUInt16BE(2))).toEqual([65_534, 65_535, 0]);
  expect(packets().map((packet) => packet.readUInt32BE(4))).toEqual([1_000, 1_960, 2_920]);
  expect(packets().map((packet) => (packet[1] ?? 0) >> 7)).toEqual([1, 0, 0]);
});

/** Milliseconds within the hour of the wall clock in a report. */
const wallClockOf = (report: Buffer) =>
  (report.readUInt32BE(8) - ((1_700_000_000 + 2_208_988_800) % 2 ** 32)) * 1_000 +
  (report.readUInt32BE(12) / 2 ** 32) * 1_000;

test('reports contain when the video of the same moment was sent', () => {
  const late = openSender(4_800);
  late.sender.push(Buffer.from('x'), 100);
  expect(wallClockOf(late.reports()[0] ?? Buffer.alloc(28))).toBeCloseTo(4_900);
  const [audio, video] = late.reports();
  expect(video?.readUInt32BE(4)).toBe(4);
  expect(video?.subarray(8, 16)).toEqual(audio?.subarray(8, 16));
  expect(video?.readUInt32BE(16)).toBe(2_000 + 100 * 90);
  expect([video?.readUInt32BE(20), video?.readUInt32BE(24)]).toEqual([7, 900]);
  const alone = openSender(null);
  alone.sender.push(Buffer.from('x'), 100);
  expect(wallClockOf(alone.reports()[0] ?? Buffer.alloc(28))).toBeCloseTo(5_000);
});

test('a report is sent once a second', () => {
  const { sender, reports, pass } = openSender(null);
  for (let ms = 0; ms < 3_000; ms += 20) {
    sender.push(Buffer.from('x'), ms);
    pass(20);
  }
  expect(reports()).toHaveLength(3);
});
