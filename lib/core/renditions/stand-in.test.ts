import { expect, test } from 'vitest';
import { replacementsOf, supportsInBandParameterSets } from './stand-in';

const createRendition = (lines: number) => ({ name: `${lines}p`, bitrate: lines * 1_000 });
const ladder = [1080, 720, 480, 360, 240].map(createRendition);

test.each([
  [480, ['360p', '240p', '720p', '1080p']],
  [240, ['360p', '480p', '720p', '1080p']],
  [1080, ['720p', '480p', '360p', '240p']],
])('%dp is replaced in this order: %j', (lines, names) =>
  expect(replacementsOf(ladder, createRendition(lines)).map(({ name }) => name)).toEqual(names),
);

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    true,
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', true],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    false,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140.0 Safari/604.1',
    false,
  ],
  ['AppleCoreMedia/1.0.0.22A335 (iPhone; U; CPU OS 18_0 like Mac OS X)', false],
  [undefined, false],
])('%s supports parameter sets in the media: %s', (userAgent, isSupported) =>
  expect(supportsInBandParameterSets(userAgent)).toBe(isSupported),
);
