import { describe, expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { createTargetBody } from '@/lib/contract/targets/multistream';
import { keyDoubt, platformOf, platforms, targetUrl } from './platforms';

const t = englishMessages('targets.platforms');

describe.each(platforms.map(({ value }) => platformOf(value)))('$value', (platform) => {
  test('its example makes a url that the service accepts, without a warning', () => {
    expect(keyDoubt(t, platform, ` ${platform.example} `)).toBeNull();
    const url = targetUrl(platform, ` ${platform.example} `);
    expect(createTargetBody.parse({ url })).toEqual({ url });
    expect(url.endsWith(platform.example)).toBe(true);
  });
});

test.each([
  ['youtube', 'live_123_abc', 'This does not look like a YouTube stream key.'],
  ['twitch', 'abcd-efgh-ijkl-mnop', 'This does not look like a Twitch stream key.'],
  ['facebook', 'rtmps://live-api-s.facebook.com/rtmp/FB-1', 'Enter only the stream key, not the URL.'],
  ['twitch', '', null],
  ['custom', 'rtmp://x/y', null],
] as const)('%s, %s', (platform, key, doubt) => {
  expect(keyDoubt(t, platformOf(platform), key)).toBe(doubt);
});
