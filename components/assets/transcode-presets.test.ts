import fc from 'fast-check';
import { expect, test } from 'vitest';
import { profile } from '@/lib/contract/streams/profile';
import { presetsFor, scaledWidth } from './transcode-presets';

test('presets have less height than the video; a video below all presets has the smallest one', () => {
  expect(presetsFor({ width: 1280, height: 720 }).map(({ name }) => name)).toEqual(['480p', '360p', '240p']);
  expect(presetsFor({ width: 320, height: 180 }).map(({ name }) => name)).toEqual(['240p']);
});

test('presets keep the aspect ratio', () => {
  // 480 × 1280 / 720 = 853.3, rounded to an even number.
  expect(scaledWidth(480, { width: 1280, height: 720 })).toBe(854);
  expect(scaledWidth(720, { width: 1080, height: 1920 })).toBe(406);
  expect(scaledWidth(240, { width: 640, height: 480 })).toBe(320);
});

test('the service accepts every preset', () => {
  const side = fc.integer({ min: 128, max: 4096 });
  fc.assert(
    fc.property(side, side, (width, height) => {
      fc.pre(width / height < 8 && height / width < 8);
      for (const preset of presetsFor({ width, height })) {
        expect(profile.safeParse(preset).success).toBe(true);
        expect(preset.width % 2).toBe(0);
      }
    }),
  );
});
