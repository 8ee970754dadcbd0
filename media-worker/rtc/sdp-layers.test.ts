import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSdp, type SdpMedia, writeSdp } from './sdp';
import { completeAnswer, selectOfferedMedia } from './publish/offered-media';
import { offeredLayersOf, withAcceptedLayers } from './sdp-layers';
import { browserOffer, layeredOffer } from './testing/offers';

/** A video section with payload type 103. */
const createSection = (...lines: string[]): SdpMedia => ({
  kind: 'video',
  mid: '1',
  direction: 'sendonly',
  lines: ['m=video 9 UDP/TLS/RTP/SAVPF 103', ...lines],
});
const ridExtension = 'a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id';
const ridLines = (...ids: string[]) => ids.map((id) => `a=rid:${id} send`);
const selectedRidsOf = (...lines: string[]) =>
  offeredLayersOf(createSection(ridExtension, ...lines), 103)?.rids;

describe('the layers of an offer', () => {
  test('are read in the order of the offer, with the extensions that identify their packets', () => {
    const layers = offeredLayersOf(
      createSection(
        'a=extmap:9/sendonly urn:ietf:params:rtp-hdrext:sdes:mid',
        ridExtension,
        'a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
        ...ridLines('h', 'm', 'l'),
        'a=simulcast:send h;m;l',
      ),
      103,
    );
    expect(layers).toEqual({
      rids: ['h', 'm', 'l'],
      ridExtensionId: 10,
      extensionLines: ['a=extmap:9 urn:ietf:params:rtp-hdrext:sdes:mid', ridExtension],
    });
  });

  test.each([
    [
      'the first of alternatives, and paused layers',
      [...ridLines('1', '2', '3'), 'a=simulcast:send 1,4;~2;3'],
      ['1', '2', '3'],
    ],
    [
      'the layers to send, not those to receive',
      [...ridLines('1', '2'), 'a=simulcast:recv 8;9 send 1;2'],
      ['1', '2'],
    ],
    [
      'the first four',
      [...ridLines('0', '1', '2', '3', '4'), 'a=simulcast:send 0;1;2;3;4'],
      ['0', '1', '2', '3'],
    ],
    ['layers with an `a=rid` line', [...ridLines('1', '2'), 'a=simulcast:send 1;2;3'], ['1', '2']],
    ['each layer once', [...ridLines('1', '2'), 'a=simulcast:send 1;1;2'], ['1', '2']],
    [
      'layers of the requested payload type',
      ['a=rid:1 send pt=103,104', 'a=rid:2 send max-width=640;pt=103', 'a=rid:3 send pt=96'],
      ['1', '2'],
    ],
  ])('are reduced to %s', (_, lines, expected) => {
    const hasSimulcastLine = lines.some((line) => line.startsWith('a=simulcast'));
    expect(selectedRidsOf(...lines, ...(hasSimulcastLine ? [] : ['a=simulcast:send 1;2;3']))).toEqual(
      expected,
    );
  });

  test.each([
    ['only one layer', [...ridLines('1'), 'a=simulcast:send 1']],
    ['no `a=simulcast` line', ridLines('1', '2')],
    ['only layers to receive', ['a=rid:1 recv', 'a=rid:2 recv', 'a=simulcast:recv 1;2']],
  ])('are ignored: %s', (_, lines) => {
    expect(selectedRidsOf(...lines)).toBeUndefined();
  });

  test('are ignored without the header extension for the RID', () => {
    expect(offeredLayersOf(createSection(...ridLines('1', '2'), 'a=simulcast:send 1;2'), 103)).toBeNull();
  });

  test('in arbitrary lines are parsed without an exception, and are null or two to four', () => {
    const line = fc.oneof(
      fc.string().map((text) => `a=simulcast:${text}`),
      fc.string().map((text) => `a=rid:${text}`),
      fc.string().map((text) => `a=extmap:${text}`),
      fc.constantFrom(ridExtension, ...ridLines('1', '2', '3', '4', '5'), 'a=simulcast:send 1;2;3;4;5'),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const layers = offeredLayersOf(createSection(...lines), 103);
        expect(layers === null || (layers.rids.length >= 2 && layers.rids.length <= 4)).toBe(true);
      }),
    );
  });
});

test('the answer accepts each layer and the header extension for the RID', () => {
  const layers = offeredLayersOf(
    createSection(ridExtension, ...ridLines('h', 'l'), 'a=simulcast:send h;l'),
    103,
  );
  expect(layers && withAcceptedLayers(createSection(), layers).lines.slice(1)).toEqual([
    ridExtension,
    'a=rid:h recv',
    'a=rid:l recv',
    'a=simulcast:recv h;l',
  ]);
});

describe('an offer', () => {
  const offer = parseSdp(layeredOffer);

  test('of H.264 with layers is answered with them, and its video section is hidden from the library', () => {
    const media = offer && selectOfferedMedia(offer);
    expect(media?.video?.layers?.rids).toEqual(['h', 'm', 'l']);
    expect(media?.reducedOffer.media.map(({ mid }) => mid)).toEqual(['0']);
    const answer = offer && media ? writeSdp(completeAnswer(media.reducedOffer, offer, media)) : '';
    expect(answer).toContain('a=simulcast:recv h;m;l\r\n');
    expect(answer.match(/a=rid:\w recv/g)).toHaveLength(3);
    expect(answer).toContain('a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id');
    expect(answer).toContain('x-google-start-bitrate=4000');
    expect(parseSdp(answer)).not.toBeNull();
  });

  test('with layers is hidden from the library even with a declared SSRC, because not all layers have one', () => {
    const offerWithSsrc = parseSdp(layeredOffer.replace('a=simulcast', 'a=ssrc:1111 cname:x\r\na=simulcast'));
    expect(offerWithSsrc && selectOfferedMedia(offerWithSsrc)?.hiddenSections).toHaveLength(1);
  });

  test('of layers in another codec, or without BUNDLE, has no layers', () => {
    const hevcOffer = parseSdp(layeredOffer.replaceAll('H264/90000', 'H265/90000'));
    expect(hevcOffer && selectOfferedMedia(hevcOffer)?.video?.layers).toBeNull();
    const withoutBundle = parseSdp(layeredOffer.replace(/^a=group:BUNDLE.*\r\n/m, ''));
    expect(withoutBundle && selectOfferedMedia(withoutBundle)?.video?.layers).toBeNull();
  });

  test('without layers is answered without `a=simulcast`', () => {
    const offerWithoutLayers = parseSdp(browserOffer);
    const media = offerWithoutLayers && selectOfferedMedia(offerWithoutLayers);
    expect(media?.video?.layers).toBeNull();
    expect(
      offerWithoutLayers && media
        ? writeSdp(completeAnswer(media.reducedOffer, offerWithoutLayers, media))
        : '',
    ).not.toContain('simulcast');
  });
});
