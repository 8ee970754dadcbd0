import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  codecsOf,
  MAX_SDP_BYTES,
  parseFragment,
  parseSdp,
  rejectSection,
  withCodec,
  withHostCandidates,
  withParameters,
  writeSdp,
} from './sdp';
import { browserOffer, browserVideo } from './testing/offers';

const parseOrThrow = (text: string) => {
  const description = parseSdp(text);
  if (!description) throw new Error('not parsed');
  return description;
};
const videoOf = (text: string) => {
  const video = parseOrThrow(text).media.find(({ kind }) => kind === 'video');
  if (!video) throw new Error('no video');
  return video;
};

describe('a description', () => {
  test('is written as it was parsed', () => {
    expect(writeSdp(parseOrThrow(browserOffer))).toBe(browserOffer);
  });

  test('has its sections with their directions and codecs', () => {
    const { media } = parseOrThrow(browserOffer);
    expect(media.map(({ kind, mid, direction }) => ({ kind, mid, direction }))).toEqual([
      { kind: 'audio', mid: '0', direction: 'sendonly' },
      { kind: 'video', mid: '1', direction: 'sendonly' },
    ]);
    const h264 = codecsOf(videoOf(browserOffer)).filter(({ name }) => name === 'H264');
    expect(
      h264.map(({ payloadType, parameters }) => [payloadType, parameters.get('profile-level-id')]),
    ).toEqual([
      [103, '42001f'],
      [109, '42e01f'],
    ]);
  });

  test.each([
    ['an empty text', ''],
    ['JSON', '{"sdp":"v=0"}'],
    ['no media', 'v=0\r\ns=-\r\n'],
    ['an invalid line', browserOffer.replace('a=rtcp-mux', 'rtcp-mux')],
    ['a section without a mid', browserOffer.replace('a=mid:1\r\n', '')],
    ['two sections with the same mid', browserOffer.replace('a=mid:1', 'a=mid:0')],
    ['an oversized description', browserOffer + 'a=x:y\r\n'.repeat(MAX_SDP_BYTES / 7)],
    ['too many sections', browserOffer + browserVideo.repeat(8)],
  ])('is rejected: %s', (_, text) => {
    expect(parseSdp(text)).toBeNull();
  });

  test('of arbitrary lines is parsed or rejected without an exception', () => {
    const line = fc.oneof(
      fc.constantFrom(...browserOffer.split('\r\n')),
      fc.string(),
      fc
        .tuple(fc.constantFrom('a=fmtp:', 'a=rtpmap:', 'm=video ', 'a=candidate:'), fc.string())
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (lines) => {
        const description = parseSdp(['v=0', ...lines].join('\r\n'));
        for (const media of description?.media ?? []) {
          codecsOf(media);
          withCodec(media, { payloadType: 96 });
          rejectSection(media);
        }
        parseFragment(lines.join('\r\n'));
      }),
    );
  });
});

describe('a section', () => {
  test('that is reduced has one codec, no extensions, and no congestion feedback', () => {
    const { lines } = withCodec(videoOf(browserOffer), { payloadType: 109 });
    expect(lines[0]).toBe('m=video 9 UDP/TLS/RTP/SAVPF 109');
    const text = lines.join('\n');
    expect(text).toContain('a=rtcp-fb:109 nack pli');
    expect(text).toContain('a=ssrc:1111 cname:x');
    expect(text).not.toMatch(/transport-cc|goog-remb|extmap|VP8|:103|:104|:96/);
  });

  test('that is rejected has port 0 and an inactive direction', () => {
    const { lines } = rejectSection(videoOf(browserOffer));
    expect(lines[0]).toMatch(/^m=video 0 /);
    expect(lines.filter((line) => /^a=(?:send|recv|inactive)/.test(line))).toEqual(['a=inactive']);
  });

  test('gets parameters beside its existing ones', () => {
    const video = withCodec(videoOf(browserOffer), { payloadType: 109 });
    const { lines } = withParameters(video, 109, 'x-google-start-bitrate=2500');
    expect(lines.filter((line) => line.startsWith('a=fmtp:109'))).toEqual([
      expect.stringMatching(/profile-level-id=42e01f;x-google-start-bitrate=2500$/),
    ]);
  });
});

describe('public addresses', () => {
  const answer = parseOrThrow(
    browserOffer.replace('a=mid:0', 'a=candidate:1 1 UDP 2114977791 10.0.0.2 8189 typ host\r\na=mid:0'),
  );
  const candidates = (addresses: readonly string[]) =>
    writeSdp(withHostCandidates(answer, addresses, 8189))
      .split('\r\n')
      .filter((line) => line.startsWith('a=candidate'));

  test('come before those of the interfaces, in their order', () => {
    // Priority 126 · 2²⁴ + 65,535 · 2⁸ + 255 (RFC 8445 §5.1.2.1); the local preference of the second address is 65,534.
    expect(candidates(['203.0.113.7', '2001:db8::7'])).toEqual([
      'a=candidate:p0 1 UDP 2130706431 203.0.113.7 8189 typ host',
      'a=candidate:p1 1 UDP 2130706175 2001:db8::7 8189 typ host',
      expect.stringContaining('10.0.0.2'),
    ]);
  });

  test('are not listed twice', () => {
    expect(candidates(['10.0.0.2'])).toHaveLength(1);
  });
});

describe('a trickle fragment', () => {
  const fragment = [
    'a=ice-ufrag:EsAw',
    'a=ice-pwd:P2uYro0UCOQ4zxjKXaWCBui1',
    'm=audio 9 UDP/TLS/RTP/SAVPF 0',
    'a=mid:0',
    'a=candidate:1387637174 1 udp 2122260223 192.0.2.1 61764 typ host generation 0 ufrag EsAw network-id 1',
    'a=end-of-candidates',
  ].join('\r\n');

  test('has an ICE username fragment and candidates (RFC 9725 §4.3.2)', () => {
    expect(parseFragment(fragment)).toEqual({
      ufrag: 'EsAw',
      candidates: [{ mid: '0', candidate: expect.stringContaining('192.0.2.1 61764 typ host') as string }],
    });
  });

  test.each([
    ['an empty text', ''],
    ['a candidate without a section', fragment.replace('a=mid:0\r\n', '')],
    ['an invalid candidate', fragment.replace(' typ host', '')],
    ['too many candidates', `${fragment}\r\n${'a=candidate:1 1 udp 1 192.0.2.1 1 typ host\r\n'.repeat(64)}`],
  ])('is rejected: %s', (_, text) => {
    expect(parseFragment(text)).toBeNull();
  });
});
