import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import { parseSdp, writeSdp } from '@/media-worker/rtc/sdp';
import { browserOffer } from '@/media-worker/rtc/testing/offers';
import { MediaClock } from './media-clock';
import { completeAnswer, selectOfferedMedia } from './offered-media';
import { TrackStartBuffer } from './track-start-buffer';

const parseOffer = (text: string) => {
  const offer = parseSdp(text);
  if (!offer) throw new Error('not parsed');
  return offer;
};

describe('from an offer', () => {
  test('H.264 with fragmentation and Opus are accepted', () => {
    expect(selectOfferedMedia(parseOffer(browserOffer))).toMatchObject({
      video: { mid: '1', payloadType: 103, codec: 'avc', clockRate: 90_000 },
      audio: { mid: '0', payloadType: 111, clockRate: 48_000 },
    });
  });

  test.each([
    ['H265/90000', 'hevc'],
    ['AV1/90000', 'av1'],
  ])('%s is accepted if there is no H.264', (name, codec) => {
    const offer = browserOffer.replaceAll('H264/90000', name).replaceAll('packetization-mode=1;', '');
    expect(selectOfferedMedia(parseOffer(offer))?.video?.codec).toBe(codec);
  });

  test('unsent and unknown media is not accepted', () => {
    expect(selectOfferedMedia(parseOffer(browserOffer.replaceAll('a=sendonly', 'a=recvonly')))).toBeNull();
    expect(
      selectOfferedMedia(parseOffer(browserOffer.replaceAll('H264', 'VP9').replaceAll('opus', 'PCMU'))),
    ).toBeNull();
  });

  test('the answer has all sections of the offer, rejects unsupported ones, and sets the start bitrate of Chromium', () => {
    const video = parseOffer(browserOffer.replace('opus/48000/2', 'PCMU/8000'));
    const media = selectOfferedMedia(video);
    expect(media?.audio).toBeNull();
    expect(media?.reducedOffer.session).toContain('a=group:BUNDLE 1');
    const answer = media && completeAnswer(media.reducedOffer, video, media);
    expect(answer?.media.map(({ mid }) => mid)).toEqual(['0', '1']);
    const text = answer ? writeSdp(answer) : '';
    expect(text).toMatch(/m=audio 0 /);
    expect(text).toMatch(/a=fmtp:103 .*;x-google-start-bitrate=2500/);
  });

  test('the answer requests stereo from Chromium', () => {
    const offer = parseOffer(browserOffer);
    const media = selectOfferedMedia(offer);
    const answer = media && completeAnswer(media.reducedOffer, offer, media);
    expect(answer && writeSdp(answer)).toMatch(/a=fmtp:111 .*;stereo=1\r\n/);
  });

  test('without SSRCs, as with several RID encodings, the library sees one section, and the answer has both', () => {
    const offer = parseOffer(browserOffer.replaceAll(/^a=ssrc:.*\r\n/gm, ''));
    const media = selectOfferedMedia(offer);
    expect(media).toMatchObject({ video: { mid: '1' }, audio: { mid: '0' } });
    expect(media?.reducedOffer.media.map(({ mid }) => mid)).toEqual(['0']);
    expect(media?.reducedOffer.session).toContain('a=group:BUNDLE 0');
    const answer = media && completeAnswer(media.reducedOffer, offer, media);
    expect(answer?.session).toContain('a=group:BUNDLE 0 1');
    const text = answer ? writeSdp(answer) : '';
    expect(text).toMatch(/m=video 9 UDP\/TLS\/RTP\/SAVPF 103\r\n/);
    expect(text).toMatch(/a=fmtp:103 .*;x-google-start-bitrate=2500/);
    expect(text.match(/a=ice-ufrag:/g)).toHaveLength(2);
    expect(parseSdp(text)).not.toBeNull();
  });

  test('sections that are not bundled are all passed to the library', () => {
    const offer = browserOffer.replaceAll(/^a=ssrc:.*\r\n/gm, '').replace(/^a=group:BUNDLE.*\r\n/m, '');
    expect(selectOfferedMedia(parseOffer(offer))).toMatchObject({ hiddenSections: [] });
  });
});

describe('the clock of a publisher', () => {
  const createClock = () => new MediaClock({ video: 90_000, audio: 48_000 });

  test('places tracks where their first packets arrived, and handles wraps of their timestamps', () => {
    const clock = createClock();
    expect(clock.msOf('video', 2 ** 32 - 90_000, 100)).toBe(100);
    expect(clock.msOf('video', 0, 5_000)).toBe(1_100);
    expect(clock.msOf('audio', 480_000, 130)).toBe(130);
  });

  test('uses sender reports to synchronize tracks, whenever the packets arrived', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -400, max: 400 }),
        fc.integer({ min: 0, max: 2 ** 31 }),
        (lateMs, firstRtpTime) => {
          const clock = createClock();
          // Both tracks begin at the same moment, but the audio arrives late.
          const ntpMs = 3_900_000_000_000;
          clock.msOf('video', firstRtpTime, 1_000);
          clock.msOf('audio', 777, 1_000 + lateMs);
          clock.addReport('video', { ssrc: 1, ntpMs, compactNtp: 0, rtpTime: firstRtpTime });
          clock.addReport('audio', { ssrc: 2, ntpMs, compactNtp: 0, rtpTime: 777 });
          const offsetMs =
            clock.msOf('audio', 777 + 48_000, 0) - clock.msOf('video', (firstRtpTime + 90_000) % 2 ** 32, 0);
          expect(Math.abs(offsetMs)).toBeLessThanOrEqual(15);
        },
      ),
    );
  });

  describe('after it was synchronized,', () => {
    const firstNtpMs = 3_900_000_000_000;
    /** Reports at `seconds` of a sender whose wall clock is `aheadMs` ahead, and whose audio begins `lateMs` late. */
    const addReport = (
      clock: MediaClock,
      kind: 'video' | 'audio',
      seconds: number,
      aheadMs = 0,
      lateMs = 0,
    ) =>
      clock.addReport(kind, {
        ssrc: 1,
        ntpMs: firstNtpMs + seconds * 1_000 + aheadMs + (kind === 'audio' ? lateMs : 0),
        compactNtp: 0,
        rtpTime: seconds * (kind === 'video' ? 90_000 : 48_000),
      });
    const createSynchronizedClock = () => {
      const clock = createClock();
      clock.msOf('video', 0, 1_000);
      clock.msOf('audio', 0, 1_000);
      addReport(clock, 'video', 0);
      addReport(clock, 'audio', 0);
      return clock;
    };
    const readOffsetMs = (clock: MediaClock) =>
      clock.msOf('audio', 480_000, 0) - clock.msOf('video', 900_000, 0);

    test.each([-4_000, -200, 200, 4_000])(
      'a wall clock that is set by %d ms between the reports of two tracks moves nothing',
      (stepMs) => {
        const clock = createSynchronizedClock();
        addReport(clock, 'audio', 5, stepMs);
        addReport(clock, 'audio', 6, stepMs);
        expect(readOffsetMs(clock)).toBe(0);
        addReport(clock, 'video', 6, stepMs);
        addReport(clock, 'audio', 10, stepMs);
        expect(readOffsetMs(clock)).toBe(0);
      },
    );

    test('audio that becomes late by 200 ms is moved once the reports of both tracks show it', () => {
      const clock = createSynchronizedClock();
      addReport(clock, 'audio', 5, 0, 200);
      expect(readOffsetMs(clock)).toBe(0);
      addReport(clock, 'video', 6);
      expect(readOffsetMs(clock)).toBe(200);
    });

    test('a wall clock that was set between the first reports is corrected by the next ones', () => {
      const clock = createClock();
      clock.msOf('video', 0, 1_000);
      clock.msOf('audio', 0, 1_000);
      addReport(clock, 'video', 0);
      for (const kind of ['audio', 'video', 'audio'] as const) addReport(clock, kind, 5, 2_000);
      expect(readOffsetMs(clock)).toBe(0);
    });
  });

  test('ignores reports of unrelated clocks', () => {
    const clock = createClock();
    clock.msOf('video', 0, 0);
    clock.msOf('audio', 0, 0);
    clock.addReport('video', { ssrc: 1, ntpMs: 3_900_000_000_000, compactNtp: 0, rtpTime: 0 });
    clock.addReport('audio', { ssrc: 2, ntpMs: 0, compactNtp: 0, rtpTime: 0 });
    expect(clock.msOf('audio', 48_000, 0)).toBe(1_000);
  });
});

describe('the first packets', () => {
  const frame = (kind: 'video' | 'audio', dts: number): MediaPacket =>
    kind === 'video'
      ? { kind, codec: 'avc', role: 'frame', key: true, dts, pts: dts, payload: Buffer.alloc(10) }
      : { kind, codec: 'aac', role: 'frame', dts, pts: dts, payload: Buffer.alloc(10) };
  const createStartBuffer = (tracks: { video: object | null; audio: object | null }) => {
    const output: string[] = [];
    const startBuffer = new TrackStartBuffer(tracks, ({ kind, dts }) => output.push(`${kind} ${dts}`));
    return { startBuffer, output };
  };

  test('wait for both tracks, and pass in order', () => {
    const { startBuffer, output } = createStartBuffer({ video: {}, audio: {} });
    startBuffer.push(frame('video', 100), 0);
    startBuffer.push(frame('video', 140), 40);
    expect(output).toEqual([]);
    startBuffer.push(frame('audio', 90), 700);
    expect(output).toEqual(['audio 90', 'video 100', 'video 140']);
    startBuffer.push(frame('video', 180), 701);
    expect(output).toHaveLength(4);
  });

  test('wait only for offered tracks, and for at most 4 s', () => {
    const videoOnly = createStartBuffer({ video: {}, audio: null });
    videoOnly.startBuffer.push(frame('video', 0), 0);
    expect(videoOnly.output).toHaveLength(1);
    const { startBuffer, output } = createStartBuffer({ video: {}, audio: {} });
    startBuffer.push(frame('video', 0), 0);
    startBuffer.tick(3_999);
    expect(output).toEqual([]);
    startBuffer.tick(4_000);
    expect(output).toHaveLength(1);
  });
});
