import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSdp, type SdpMedia, writeSdp } from './sdp';
import { completeAnswer, selectOfferedMedia } from './publish/offered-media';
import { offeredLayersOf, withAcceptedLayers } from './sdp-layers';
import { browserOffer, layeredOffer } from './testing/offers';

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
    ['alternatives and pauses', [...ridLines('1', '2', '3'), 'a=simulcast:send 1,4;~2;3'], ['1', '2', '3']],
    ['both directions', [...ridLines('1', '2'), 'a=simulcast:recv 8;9 send 1;2'], ['1', '2']],
    [
      'more than four',
      [...ridLines('0', '1', '2', '3', '4'), 'a=simulcast:send 0;1;2;3;4'],
      ['0', '1', '2', '3'],
    ],
    ['RIDs without a declaration', [...ridLines('1', '2'), 'a=simulcast:send 1;2;3'], ['1', '2']],
    ['a repetition', [...ridLines('1', '2'), 'a=simulcast:send 1;1;2'], ['1', '2']],
    [
      'another codec',
      ['a=rid:1 send pt=103,104', 'a=rid:2 send max-width=640;pt=103', 'a=rid:3 send pt=96'],
      ['1', '2'],
    ],
  ])('are selected: %s', (_, lines, expected) => {
    const hasList = lines.some((line) => line.startsWith('a=simulcast'));
    expect(selectedRidsOf(...lines, ...(hasList ? [] : ['a=simulcast:send 1;2;3']))).toEqual(expected);
  });

  test.each([
    ['one layer', [...ridLines('1'), 'a=simulcast:send 1']],
    ['no list', ridLines('1', '2')],
    ['layers to receive', ['a=rid:1 recv', 'a=rid:2 recv', 'a=simulcast:recv 1;2']],
  ])('are not accepted: %s', (_, lines) => {
    expect(selectedRidsOf(...lines)).toBeUndefined();
  });

  test('need the header extension with the RID', () => {
    expect(offeredLayersOf(createSection(...ridLines('1', '2'), 'a=simulcast:send 1;2'), 103)).toBeNull();
  });

  test('of any lines are read without an exception, and at most four', () => {
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

test('the answer accepts each layer and its extensions', () => {
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

describe('an offer of H.264 with layers', () => {
  const offer = parseSdp(layeredOffer);

  test('is answered with its layers, and the library sees one section', () => {
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

  test('hides a section from the library even if SSRCs are declared, because not all layers have one', () => {
    const offerWithSsrc = parseSdp(layeredOffer.replace('a=simulcast', 'a=ssrc:1111 cname:x\r\na=simulcast'));
    expect(offerWithSsrc && selectOfferedMedia(offerWithSsrc)?.hiddenSections).toHaveLength(1);
  });

  test('in another codec, or without BUNDLE, has one layer', () => {
    const hevcOffer = parseSdp(layeredOffer.replaceAll('H264/90000', 'H265/90000'));
    expect(hevcOffer && selectOfferedMedia(hevcOffer)?.video?.layers).toBeNull();
    const withoutBundle = parseSdp(layeredOffer.replace(/^a=group:BUNDLE.*\r\n/m, ''));
    expect(withoutBundle && selectOfferedMedia(withoutBundle)?.video?.layers).toBeNull();
  });

  test('without layers is answered without them', () => {
    const plainOffer = parseSdp(browserOffer);
    const media = plainOffer && selectOfferedMedia(plainOffer);
    expect(media?.video?.layers).toBeNull();
    expect(
      plainOffer && media ? writeSdp(completeAnswer(media.reducedOffer, plainOffer, media)) : '',
    ).not.toContain('simulcast');
  });
});
