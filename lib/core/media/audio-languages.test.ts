import { expect, test } from 'vitest';
import { videoSpecOf } from './video-spec';

const sound = (index: number, language: string | undefined, isDefault = 0) => ({
  index,
  codec_type: 'audio',
  codec_name: 'aac',
  channels: 2,
  sample_rate: '48000',
  disposition: { default: isDefault },
  ...(language === undefined ? {} : { tags: { language } }),
});
const specOf = (...streams: ReturnType<typeof sound>[]) =>
  videoSpecOf({ streams, format: { duration: '2' } });

test('the default language is played, and the other languages are listed', () => {
  const spec = specOf(sound(0, 'ger'), sound(1, 'eng', 1), sound(2, 'und'), sound(3, undefined));
  expect(spec.tracks).toMatchObject([{ type: 'audio', language: 'en' }]);
  expect(spec.otherAudio).toEqual([{ language: 'de' }, {}, {}]);
});

test('a file with one audio track has no other languages', () => {
  expect(specOf(sound(0, 'und'))).not.toHaveProperty('otherAudio');
  expect(specOf(sound(0, 'und')).tracks[0]).not.toHaveProperty('language');
  expect(specOf(sound(0, '<script>')).tracks[0]).not.toHaveProperty('language');
});
