import { expect, test } from 'vitest';
import { findEmbeddedSubtitles } from './embedded-texts';

const createTextTrack = (index: number, codec_name: string, more: object = {}) => ({
  index,
  codec_type: 'subtitle',
  codec_name,
  ...more,
});
const subtitlesOf = (...streams: ReturnType<typeof createTextTrack>[]) =>
  findEmbeddedSubtitles({ streams, format: {} });

test('a text track has the title from the file as its label, or the name of its language', () => {
  const texts = subtitlesOf(
    createTextTrack(2, 'mov_text', { tags: { language: 'ger' }, disposition: { default: 1 } }),
    createTextTrack(3, 'subrip', { tags: { language: 'eng', title: ' Director\u0007s\ncut ' } }),
    createTextTrack(4, 'ass', { disposition: { hearing_impaired: 1, default: 1 } }),
  );
  expect(texts).toEqual([
    { index: 2, kind: 'subtitles', language: 'de', label: 'Deutsch', isDefault: true },
    { index: 3, kind: 'subtitles', language: 'en', label: 'Director s cut', isDefault: false },
    { index: 4, kind: 'captions', language: 'und', label: 'Subtitles', isDefault: false },
  ]);
});

test('picture subtitles, forced subtitles and tracks beyond the limit are left out', () => {
  expect(
    subtitlesOf(
      createTextTrack(1, 'hdmv_pgs_subtitle'),
      createTextTrack(2, 'subrip', { disposition: { forced: 1 } }),
    ),
  ).toEqual([]);
  expect(
    subtitlesOf(...Array.from({ length: 200 }, (_, index) => createTextTrack(index, 'subrip'))),
  ).toHaveLength(20);
});
