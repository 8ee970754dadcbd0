import { expect, test } from 'vitest';
import { createVideoSpec } from './video-spec';

const audio = (index: number, language: string | undefined, isDefault = 0) => ({
  index,
  codec_type: 'audio',
  codec_name: 'aac',
  channels: 2,
  sample_rate: '48000',
  disposition: { default: isDefault },
  ...(language === undefined ? {} : { tags: { language } }),
});
const specOf = (...streams: ReturnType<typeof audio>[]) =>
  createVideoSpec({ streams, format: { duration: '2' } });

test('the default language is played, and the other languages are listed', () => {
  const spec = specOf(audio(0, 'ger'), audio(1, 'eng', 1), audio(2, 'und'), audio(3, undefined));
  expect(spec.tracks).toMatchObject([{ type: 'audio', language: 'en' }]);
  expect(spec.otherAudio).toEqual([{ language: 'de' }, {}, {}]);
});

test('a file with one audio track has no other languages', () => {
  expect(specOf(audio(0, 'und'))).not.toHaveProperty('otherAudio');
  expect(specOf(audio(0, 'und')).tracks[0]).not.toHaveProperty('language');
  expect(specOf(audio(0, '<script>')).tracks[0]).not.toHaveProperty('language');
});
