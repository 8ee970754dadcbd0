import { expect, test } from 'vitest';
import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { mayBeFramed } from './may-be-framed';

const baseUrl = 'https://live.example';
const policy: PublicPlaybackPolicy = { type: 'public', allowedOrigins: ['https://club.example'] };

test.each([
  ['a frame on an allowed site', true, { 'sec-fetch-dest': 'iframe', referer: 'https://club.example/' }],
  ['a frame on another site', false, { 'sec-fetch-dest': 'iframe', referer: 'https://other.example/' }],
  ['a frame that hides its site', false, { 'sec-fetch-dest': 'iframe' }],
  ['a frame on pages of the service', true, { 'sec-fetch-dest': 'iframe', referer: 'https://live.example/' }],
  ['a page without a frame', true, { 'sec-fetch-dest': 'document', referer: 'https://other.example/' }],
  ['data for a page without a frame', true, { 'sec-fetch-dest': 'empty' }],
  // Browsers send no Sec-Fetch-Dest over plain http, so a referer counts as the site of a frame.
  ['a page over http with the referer of an allowed site', true, { referer: 'https://club.example/' }],
  ['a page over http with the referer of another site', false, { referer: 'https://other.example/' }],
  ['a page over http without a referer', true, {}],
])(
  'with a list of allowed origins, %s is allowed: %s',
  (_request, isAllowed, headers: Record<string, string>) =>
    expect(mayBeFramed(policy, new Headers(headers), baseUrl)).toBe(isAllowed),
);

test('without a list of allowed origins, or if the list is *, another site may frame the embed', () => {
  const frameHeaders = new Headers({ 'sec-fetch-dest': 'iframe', referer: 'https://other.example/' });
  const unlimitedPolicies: PublicPlaybackPolicy[] = [
    { type: 'password' },
    { type: 'jwt', allowedOrigins: ['*'] },
  ];
  for (const unlimitedPolicy of unlimitedPolicies)
    expect(mayBeFramed(unlimitedPolicy, frameHeaders, baseUrl)).toBe(true);
});
