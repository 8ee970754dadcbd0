import { expect, test } from 'vitest';
import { AudioSender } from './audio-sender';

const PAYLOAD_TYPE = 111;
/** RTCP packet type (RFC 3550 §12.1). */
const RTCP_SENDER_REPORT = 200;
/** Seconds from 1900, where NTP timestamps start, to 1970. */
const NTP_EPOCH_SECONDS = 2_208_988_800;
/** Wall clock at the monotonic time 0. */
const BASE_TIME_SECONDS = 1_700_000_000;
const START_MONOTONIC_MS = 5_000;

const reportedVideo = { ssrc: 4, timestampOffset: 2_000, packets: 7, bytes: 900 };

/** @param videoSendTimeOffsetMs offset that the video sender reports; null: there is no video */
function openSender(videoSendTimeOffsetMs: number | null) {
  const sentPackets: Buffer[] = [];
  let monotonicMs = START_MONOTONIC_MS;
  const sender = new AudioSender({
    ssrc: 3,
    payloadType: PAYLOAD_TYPE,
    timestampOffset: 1_000,
    // The third packet has the sequence number 0 after the wrap of 16 bits.
    firstSequence: 65_534,
    send: (packet) => void sentPackets.push(packet),
    videoSendTimeOffsetMs: () => videoSendTimeOffsetMs,
    video: () => (videoSendTimeOffsetMs === null ? null : reportedVideo),
    monotonicNow: () => monotonicMs,
    wallClockNow: () => BASE_TIME_SECONDS * 1_000 + monotonicMs,
  });
  return {
    sender,
    /** RTP packets. The highest bit of their second byte is the marker bit. */
    rtpPackets: () => sentPackets.filter((packet) => ((packet[1] ?? 0) & 0x7f) === PAYLOAD_TYPE),
    senderReports: () =>
      sentPackets.filter((packet) => packet[1] === RTCP_SENDER_REPORT).map(readSenderReport),
    advanceTime: (ms: number) => (monotonicMs += ms),
  };
}

/** Reads a sender report (RFC 3550 §6.4.1). */
function readSenderReport(report: Buffer) {
  const ntpSeconds = report.readUInt32BE(8);
  const secondFraction = report.readUInt32BE(12) / 2 ** 32;
  return {
    ssrc: report.readUInt32BE(4),
    /** Wall clock of the report, in milliseconds since the base time. */
    msSinceBaseTime:
      (ntpSeconds - ((BASE_TIME_SECONDS + NTP_EPOCH_SECONDS) % 2 ** 32) + secondFraction) * 1_000,
    timestamp: report.readUInt32BE(16),
    packets: report.readUInt32BE(20),
    bytes: report.readUInt32BE(24),
  };
}

test('packets have consecutive sequence numbers across the wrap, and timestamps at 48 kHz; only the first has the marker bit', () => {
  const { sender, rtpPackets, advanceTime } = openSender(null);
  for (const ms of [0, 20, 40]) {
    sender.push(Buffer.from('x'), ms);
    advanceTime(20);
  }
  expect(rtpPackets().map((packet) => packet.readUInt16BE(2))).toEqual([65_534, 65_535, 0]);
  expect(rtpPackets().map((packet) => packet.readUInt32BE(4))).toEqual([1_000, 1_960, 2_920]);
  expect(rtpPackets().map((packet) => (packet[1] ?? 0) >> 7)).toEqual([1, 0, 0]);
});

test('sender reports of both tracks map a media time to the send time of its video frame', () => {
  const { sender, senderReports } = openSender(4_800);
  sender.push(Buffer.from('x'), 100);
  const [audio, video] = senderReports();
  // The media time of 100 ms plus the offset of 4,800 ms.
  expect(audio?.msSinceBaseTime).toBeCloseTo(4_900);
  expect(video?.msSinceBaseTime).toBe(audio?.msSinceBaseTime);
  // 100 ms at 48 kHz and at 90 kHz, after the timestamp offsets.
  expect(audio).toMatchObject({ ssrc: 3, timestamp: 1_000 + 100 * 48, packets: 1, bytes: 1 });
  expect(video).toMatchObject({ ssrc: 4, timestamp: 2_000 + 100 * 90, packets: 7, bytes: 900 });
});

test('without video, the sender report maps a media time to the send time of its audio', () => {
  const { sender, senderReports } = openSender(null);
  sender.push(Buffer.from('x'), 100);
  expect(senderReports()).toHaveLength(1);
  expect(senderReports()[0]?.msSinceBaseTime).toBeCloseTo(START_MONOTONIC_MS);
});

test('without video, one sender report is sent each second', () => {
  const { sender, senderReports, advanceTime } = openSender(null);
  for (let ms = 0; ms < 3_000; ms += 20) {
    sender.push(Buffer.from('x'), ms);
    advanceTime(20);
  }
  expect(senderReports()).toHaveLength(3);
});
