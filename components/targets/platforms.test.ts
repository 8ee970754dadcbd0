import { describe, expect, test } from 'vitest';
import { englishMessages } from '@/components/testing/messages';
import { createTargetBody } from '@/lib/contract/targets/multistream';
import { keyWarning, needsToken, platformOf, platforms, targetUrl } from './platforms';

const t = englishMessages('targets.platforms');

describe.each(platforms.map(({ value }) => platformOf(value)))('$value', (platform) => {
  test('has an example key that gives a valid URL without a warning', () => {
    expect(keyWarning(t, platform, ` ${platform.example} `)).toBeNull();
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
] as const)('for the platform %s, the key “%s” has the warning: %s', (platform, key, warning) => {
  expect(keyWarning(t, platformOf(platform), key)).toBe(warning);
});

test.each([
  ['https://whip.example.com/live', ' token ', true, 'https://whip.example.com/live#token'],
  ['https://whip.example.com/live', '', true, 'https://whip.example.com/live'],
  ['https://whip.example.com/live#token', 'other', false, 'https://whip.example.com/live#token'],
  ['rtmp://example.com/live/key', 'token', false, 'rtmp://example.com/live/key'],
])('the URL %s with the token "%s" (field shown: %s) becomes %s', (secret, token, hasTokenField, url) => {
  const custom = platformOf('custom');
  expect(needsToken(custom, secret)).toBe(hasTokenField);
  expect(targetUrl(custom, secret, token)).toBe(url);
  expect(createTargetBody.parse({ url })).toEqual({ url });
});

test('the form has no token field for a platform with a known server', () =>
  expect(needsToken(platformOf('youtube'), 'https://whip.example.com/live')).toBe(false));
