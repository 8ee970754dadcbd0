import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTargetUrl, secretsOf, targetNameOf, targetUrlFault } from './target-url';
import { parseWhipUrl } from './whip-url';

const ownIngestUrl = 'rtmp://live.own.example/live';

describe('a WHIP endpoint', () => {
  test.each([
    ['https://a.example/whip/channel#token', { tls: true, host: 'a.example', port: 443, token: 'token' }],
    ['https://A.example:8443/app/WHIP?x=1', { port: 8_443, url: 'https://a.example:8443/app/WHIP?x=1', token: null }],
    ['http://10.0.0.1/webrtc/key', { tls: false, port: 80, host: '10.0.0.1' }],
    ['https://x.webRTC.example/v2/offer', { host: 'x.webrtc.example' }],
    ['https://a.example/whip#eyJh.b-_~+/c==', { token: 'eyJh.b-_~+/c==' }],
  ])('is parsed from %s', (url, expected) => {
    expect(parseTargetUrl(url)).toMatchObject({ kind: 'whip', ...expected });
    expect(targetUrlFault(url, [ownIngestUrl])).toBeNull();
  }); // prettier-ignore

  test.each([
    [
      'https://www.example.com/watch?v=whip',
      'must have "whip" or "webrtc" in its address if it is http:// or https://',
    ],
    ['https://a.example/whip#to%20ken', 'must have a valid bearer token after #'],
    ['https://a.example:99999/whip', 'must name a host, and a port from 1 to 65535 if any'],
    ['https://me:pw@a.example/whip', 'must not contain a user name or password'],
  ])('%s is rejected', (url, reason) => {
    expect(targetUrlFault(url, [ownIngestUrl])).toBe(reason);
  });

  test('is named by its host', () => {
    expect(targetNameOf('https://A.example/whip/x#secret')).toBe('a.example');
    expect(targetNameOf('https://a.example:8443/whip')).toBe('a.example:8443');
  });

  test('has a URL without its token, and all secrets are known', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9]{4,30}$/);
    fc.assert(
      fc.property(word, word, (channel, token) => {
        const destination = parseWhipUrl(`https://a.example/whip/${channel}0#${token}1`);
        if (typeof destination === 'string') throw new Error(destination);
        expect(destination.url).toBe(`https://a.example/whip/${channel}0`);
        expect(secretsOf(destination)).toEqual(expect.arrayContaining([`${channel}0`, `${token}1`]));
      }),
    );
  });
});
