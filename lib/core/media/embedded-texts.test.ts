import { expect, test } from 'vitest';
import { findEmbeddedSubtitles } from './embedded-texts';

const text = (index: number, codec_name: string, more: object = {}) => ({
  index,
  codec_type: 'subtitle',
  codec_name,
  ...more,
});
const textsOf = (...streams: ReturnType<typeof text>[]) => findEmbeddedSubtitles({ streams, format: {} });

test('a text track has the title from the file as its label, or the name of its language', () => {
  const texts = textsOf(
    text(2, 'mov_text', { tags: { language: 'ger' }, disposition: { default: 1 } }),
    text(3, 'subrip', { tags: { language: 'eng', title: ' Director\u0007s\ncut ' } }),
    text(4, 'ass', { disposition: { hearing_impaired: 1, default: 1 } }),
  );
  expect(texts).toEqual([
    { index: 2, kind: 'subtitles', language: 'de', label: 'Deutsch', isDefault: true },
    { index: 3, kind: 'subtitles', language: 'en', label: 'Director s cut', isDefault: false },
    { index: 4, kind: 'captions', language: 'und', label: 'Subtitles', isDefault: false },
  ]);
});

test('picture subtitles, forced subtitles and tracks beyond the limit are left out', () => {
  expect(textsOf(text(1, 'hdmv_pgs_subtitle'), text(2, 'subrip', { disposition: { forced: 1 } }))).toEqual(
    [],
  );
  expect(textsOf(...Array.from({ length: 200 }, (_, index) => text(index, 'subrip')))).toHaveLength(20);
});
