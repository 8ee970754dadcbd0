import { expect, test } from 'vitest';
import { createVideoSpec } from './video-spec';

const createAudioStream = (index: number, language: string | undefined, isDefault = 0) => ({
  index,
  codec_type: 'audio',
  codec_name: 'aac',
  channels: 2,
  sample_rate: '48000',
  disposition: { default: isDefault },
  ...(language === undefined ? {} : { tags: { language } }),
});
const specOf = (...streams: ReturnType<typeof createAudioStream>[]) =>
  createVideoSpec({ streams, format: { duration: '2' } });

test('the default audio track is played, and the languages of the other audio tracks are listed', () => {
  const spec = specOf(
    createAudioStream(0, 'ger'),
    createAudioStream(1, 'eng', 1),
    createAudioStream(2, 'und'),
    createAudioStream(3, undefined),
  );
  expect(spec.tracks).toMatchObject([{ type: 'audio', language: 'en' }]);
  expect(spec.otherAudio).toEqual([{ language: 'de' }, {}, {}]);
});

test('a file with one audio track lists no others, and an unknown or invalid language is left out', () => {
  expect(specOf(createAudioStream(0, 'und'))).not.toHaveProperty('otherAudio');
  expect(specOf(createAudioStream(0, 'und')).tracks[0]).not.toHaveProperty('language');
  expect(specOf(createAudioStream(0, '<script>')).tracks[0]).not.toHaveProperty('language');
});
