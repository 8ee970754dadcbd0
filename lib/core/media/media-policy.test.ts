import { expect, test } from 'vitest';
import { media } from '@/lib/core/reasons/messages/media';
import { acceptedMedia, isResolvedByConversion } from './media-policy';

test.each([
  ['mp4', false, 'mp4'],
  ['mp4', true, 'mp4'],
  ['convert', false, 'mp4'],
  ['convert', true, 'any'],
  ['any', false, 'any'],
  ['any', true, 'any'],
] as const)('ACCEPT_MEDIA=%s and convert: %s accept the media %s', (policy, convert, media) => {
  expect(acceptedMedia(policy, { convert })).toBe(media);
});

test('conversion resolves rejected codecs and containers, but no broken file', () => {
  const convertibleCodes = Object.keys(media).filter((code) => isResolvedByConversion(code));
  expect(convertibleCodes.sort()).toEqual(
    [
      ...['is_mov', 'other_container', 'not_mp4', 'no_video_track', 'pixel_format', 'frame_rate_too_high'],
      ...['video_codec', 'audio_codec', 'video_codec_not_recognised', 'audio_codec_not_recognised'],
    ].sort(),
  );
  expect(isResolvedByConversion('file_encrypted')).toBe(false);
  expect(isResolvedByConversion(undefined)).toBe(false);
});
