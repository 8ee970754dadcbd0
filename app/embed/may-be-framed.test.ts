import { expect, test } from 'vitest';
import type { PublicPlaybackPolicy } from '@/lib/contract/access/playback-policy';
import { mayBeFramed } from './may-be-framed';

const baseUrl = 'https://live.example';
const policy: PublicPlaybackPolicy = { type: 'public', allowedOrigins: ['https://club.example'] };

test.each([
  ['a frame on an allowed site', { 'sec-fetch-dest': 'iframe', referer: 'https://club.example/' }, true],
  ['a frame on another site', { 'sec-fetch-dest': 'iframe', referer: 'https://other.example/' }, false],
  ['a frame that hides its site', { 'sec-fetch-dest': 'iframe' }, false],
  ['a frame on our own pages', { 'sec-fetch-dest': 'iframe', referer: 'https://live.example/' }, true],
  ['the page itself', { 'sec-fetch-dest': 'document', referer: 'https://other.example/' }, true],
  ['data for the page itself', { 'sec-fetch-dest': 'empty' }, true],
  // Browsers send no Sec-Fetch-Dest over plain http.
  ['over http, on an allowed site', { referer: 'https://club.example/' }, true],
  ['over http, on another site', { referer: 'https://other.example/' }, false],
  ['over http, the page itself', {}, true],
])(
  'a list of allowed origins rejects frames on other sites only: %s',
  (_request, headers: Record<string, string>, isAllowed) =>
    expect(mayBeFramed(policy, new Headers(headers), baseUrl)).toBe(isAllowed),
);

test('without a list of allowed origins, every site may frame the embed', () => {
  const frameHeaders = new Headers({ 'sec-fetch-dest': 'iframe', referer: 'https://other.example/' });
  const unlimited: PublicPlaybackPolicy[] = [{ type: 'password' }, { type: 'jwt', allowedOrigins: ['*'] }];
  for (const unlimitedPolicy of unlimited)
    expect(mayBeFramed(unlimitedPolicy, frameHeaders, baseUrl)).toBe(true);
});
