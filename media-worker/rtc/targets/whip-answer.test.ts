import { describe, expect, test } from 'vitest';
import { parseSdp, type SessionDescription } from '@/media-worker/rtc/sdp';
import { CONFIG_RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import { ReportProgress } from './report-progress';
import { createTargetCodecs } from './target-codecs';
import { parseCandidates, hasFingerprint, acceptsCodec } from './whip-answer';

const parseAnswer = (...lines: string[]): SessionDescription => {
  const head = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=fingerprint:sha-256 AA:BB'];
  const section = ['m=video 9 UDP/TLS/RTP/SAVPF 102', 'a=mid:0', 'a=recvonly', 'a=rtpmap:102 H264/90000'];
  const answer = parseSdp([...head, ...section, ...lines].join('\r\n'));
  if (!answer) throw new Error('not parsed');
  return answer;
};

describe('in an answer', () => {
  test('UDP candidates of component 1 with an IP address are used, each once', () => {
    const host = 'candidate:1 1 UDP 2122252543 203.0.113.7 8189 typ host';
    const answer = parseAnswer(
      ...[`a=${host}`, `a=${host}`],
      'a=candidate:2 1 udp 1686052607 2001:db8::7 5000 typ srflx raddr 0.0.0.0 rport 0',
      'a=candidate:3 1 TCP 1518280447 203.0.113.7 9 typ host tcptype active',
      'a=candidate:4 2 UDP 2122252543 203.0.113.7 8190 typ host',
      'a=candidate:5 1 UDP 2122252543 3f7c1b20.local 5000 typ host',
      'a=candidate:6 1 UDP 2122252543 internal.example 5000 typ host',
      'a=candidate:7 1 UDP 2122252543 1.2.3 5000 typ host',
    );
    expect(parseCandidates(answer).map(({ mid, address }) => [mid, address])).toEqual([
      ['0', '203.0.113.7'],
      ['0', '2001:db8::7'],
    ]);
    expect(parseCandidates(answer)[0]?.candidate).toBe(host);
  });

  test('at most 32 candidates are used', () => {
    const manyCandidates = Array.from(
      { length: 80 },
      (_, index) => `a=candidate:${index} 1 UDP 1 192.0.2.${index + 1} 5000 typ host`,
    );
    expect(parseCandidates(parseAnswer(...manyCandidates))).toHaveLength(32);
  });

  test('a section accepts a track if it receives the offered codec', () => {
    const video = { mid: '0', payloadType: 102 };
    expect(acceptsCodec(parseAnswer(), video)).toBe(true);
    expect(acceptsCodec(parseAnswer(), { ...video, payloadType: 96 })).toBe(false);
    expect(acceptsCodec(parseAnswer(), { ...video, mid: '1' })).toBe(false);
    const rejectedAudio = parseAnswer(
      'm=audio 0 UDP/TLS/RTP/SAVPF 111',
      'a=mid:1',
      'a=recvonly',
      'a=rtpmap:111 opus/48000/2',
    );
    expect(acceptsCodec(rejectedAudio, { mid: '1', payloadType: 111 })).toBe(false);
  });

  test('a fingerprint is needed', () => {
    expect(hasFingerprint(parseAnswer())).toBe(true);
    expect(hasFingerprint({ ...parseAnswer(), session: [] })).toBe(false);
  });
});

test('an offer contains the profile of the stream, or the default profile in a target test, which has no stream', () => {
  const bothTracks = { hasVideo: true, hasAudio: true };
  const profileOf = (codecs: ReturnType<typeof createTargetCodecs>) =>
    codecs.video?.codec.parameters.get('profile-level-id');
  const record = CONFIG_RECORDS.high320;
  expect(profileOf(createTargetCodecs({ coding: 'avc', record }, bothTracks))).toBe(
    record.subarray(1, 4).toString('hex'),
  );
  expect(profileOf(createTargetCodecs(null, bothTracks))).toBe('42e01f');
  expect(createTargetCodecs(null, { hasVideo: true, hasAudio: false }).audio).toBeNull();
});

describe('a receiver', () => {
  test('stalls when its reports name no new packet, although some were sent', () => {
    const progress = new ReportProgress();
    progress.recordSent(0);
    expect(progress.stalledMs(60_000)).toBe(0);
    progress.recordReport(100);
    progress.recordSent(1_000);
    progress.recordReport(100);
    expect(progress.stalledMs(12_000)).toBe(11_000);
    progress.recordReport(101);
    expect(progress.stalledMs(13_000)).toBe(0);
  });

  test('does not stall after its reports show all that was sent', () => {
    const progress = new ReportProgress();
    progress.recordSent(0);
    progress.recordReport(1);
    expect(progress.stalledMs(60_000)).toBe(0);
  });
});
