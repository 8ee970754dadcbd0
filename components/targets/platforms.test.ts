import { describe, expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { createTargetBody } from '@/lib/contract/targets/multistream';
import { keyDoubt, needsToken, platformOf, platforms, targetUrl } from './platforms';

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

test.each([
  ['https://whip.example.com/live', ' token ', true, 'https://whip.example.com/live#token'],
  ['https://whip.example.com/live', '', true, 'https://whip.example.com/live'],
  ['https://whip.example.com/live#token', 'other', false, 'https://whip.example.com/live#token'],
  ['rtmp://example.com/live/key', 'token', false, 'rtmp://example.com/live/key'],
])('the token of a WHIP endpoint: %s and "%s"', (secret, token, needed, url) => {
  const custom = platformOf('custom');
  expect(needsToken(custom, secret)).toBe(needed);
  expect(targetUrl(custom, secret, token)).toBe(url);
  expect(createTargetBody.parse({ url })).toEqual({ url });
});

test('a platform with a server has no token', () =>
  expect(needsToken(platformOf('youtube'), 'https://whip.example.com/live')).toBe(false));
