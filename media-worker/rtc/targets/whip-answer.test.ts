import { describe, expect, test } from 'vitest';
import { parseSdp, type SessionDescription } from '@/media-worker/rtc/sdp';
import { RECORDS } from '@/media-worker/media/cmaf/testing/codec-records';
import { ReportProgress } from './report-progress';
import { targetCodecs } from './target-codecs';
import { candidatesIn, hasFingerprint, takes } from './whip-answer';

const answerOf = (...lines: string[]): SessionDescription => {
  const head = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=fingerprint:sha-256 AA:BB'];
  const section = ['m=video 9 UDP/TLS/RTP/SAVPF 102', 'a=mid:0', 'a=recvonly', 'a=rtpmap:102 H264/90000'];
  const answer = parseSdp([...head, ...section, ...lines].join('\r\n'));
  if (!answer) throw new Error('not parsed');
  return answer;
};

describe('of an answer', () => {
  test('candidates over UDP with an address count, each once', () => {
    const host = 'candidate:1 1 UDP 2122252543 203.0.113.7 8189 typ host';
    const answer = answerOf(
      ...[`a=${host}`, `a=${host}`],
      'a=candidate:2 1 udp 1686052607 2001:db8::7 5000 typ srflx raddr 0.0.0.0 rport 0',
      'a=candidate:3 1 TCP 1518280447 203.0.113.7 9 typ host tcptype active',
      'a=candidate:4 2 UDP 2122252543 203.0.113.7 8190 typ host',
      'a=candidate:5 1 UDP 2122252543 3f7c1b20.local 5000 typ host',
      'a=candidate:6 1 UDP 2122252543 internal.example 5000 typ host',
      'a=candidate:7 1 UDP 2122252543 1.2.3 5000 typ host',
    );
    expect(candidatesIn(answer).map(({ mid, address }) => [mid, address])).toEqual([
      ['0', '203.0.113.7'],
      ['0', '2001:db8::7'],
    ]);
    expect(candidatesIn(answer)[0]?.candidate).toBe(host);
  });

  test('no more candidates are used than a machine has', () => {
    const many = Array.from(
      { length: 80 },
      (_, at) => `a=candidate:${at} 1 UDP 1 192.0.2.${at + 1} 5000 typ host`,
    );
    expect(candidatesIn(answerOf(...many))).toHaveLength(32);
  });

  test('a section takes what it receives with the codec that was offered', () => {
    const video = { mid: '0', payloadType: 102 };
    expect(takes(answerOf(), video)).toBe(true);
    expect(takes(answerOf(), { ...video, payloadType: 96 })).toBe(false);
    expect(takes(answerOf(), { ...video, mid: '1' })).toBe(false);
    const closed = answerOf(
      'm=audio 0 UDP/TLS/RTP/SAVPF 111',
      'a=mid:1',
      'a=recvonly',
      'a=rtpmap:111 opus/48000/2',
    );
    expect(takes(closed, { mid: '1', payloadType: 111 })).toBe(false);
  });

  test('a fingerprint is needed', () => {
    expect(hasFingerprint(answerOf())).toBe(true);
    expect(hasFingerprint({ ...answerOf(), session: [] })).toBe(false);
  });
});

test('an offer names the profile of the stream, and a test the usual one', () => {
  const all = { hasVideo: true, hasAudio: true };
  const profileOf = (codecs: ReturnType<typeof targetCodecs>) =>
    codecs.video?.codec.parameters.get('profile-level-id');
  const record = RECORDS.high320;
  expect(profileOf(targetCodecs({ coding: 'avc', record }, all))).toBe(record.subarray(1, 4).toString('hex'));
  expect(profileOf(targetCodecs(null, all))).toBe('42e01f');
  expect(targetCodecs(null, { hasVideo: true, hasAudio: false }).audio).toBeNull();
});

describe('a receiver', () => {
  test('stalls when its reports name no new packet, although some were sent', () => {
    const progress = new ReportProgress();
    progress.sent(0);
    expect(progress.stalledMs(60_000)).toBe(0);
    progress.reported(100);
    progress.sent(1_000);
    progress.reported(100);
    expect(progress.stalledMs(12_000)).toBe(11_000);
    progress.reported(101);
    expect(progress.stalledMs(13_000)).toBe(0);
  });

  test('does not stall while nothing is sent', () => {
    const progress = new ReportProgress();
    progress.sent(0);
    progress.reported(1);
    expect(progress.stalledMs(60_000)).toBe(0);
  });
});
