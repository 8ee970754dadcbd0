import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pushDestination, secretsOf } from './push-destination';

describe('rtmp', () => {
  test.each([
    [
      'rtmp://a.example/live2/key',
      { tls: false, host: 'a.example', port: 1935, serverUrl: 'rtmp://a.example/live2', app: 'live2', key: 'key' },
    ],
    [
      'rtmps://a.example/app/inst/key?backup=1&x=/y',
      { tls: true, host: 'a.example', port: 443, app: 'app/inst', key: 'key?backup=1&x=/y' },
    ],
    ['rtmps://A.Example:443/app/k', { port: 443, serverUrl: 'rtmps://A.Example:443/app', host: 'a.example' }],
    ['rtmp://a.example:80/app/k', { port: 80 }],
    ['rtmp://a.example/app', { app: 'app', key: '', serverUrl: 'rtmp://a.example/app' }],
    ['rtmp://a.example/app/', { app: 'app', key: '' }],
    ['rtmp://0x7f.1/app/k', { host: '127.0.0.1' }],
  ])('%s', (url, wanted) => {
    expect(pushDestination(url)).toMatchObject({ kind: 'rtmp', ...wanted });
  }); // prettier-ignore

  test.each([
    ['rtmp://a.example', 'the url has no application; it must look like rtmp://host/app/key'],
    ['rtmp://a.example//', 'the url has no application; it must look like rtmp://host/app/key'],
    [
      `rtmp://a.example/app/${'k'.repeat(501)}`,
      'application and key of the url are at most 500 characters long',
    ],
    ['http://a.example/x', 'the url is not valid'],
    ['rtmp://a b/x', 'the url is not valid'],
  ])('%s is refused', (url, reason) => {
    expect(pushDestination(url)).toBe(reason);
  });
});

describe('srt', () => {
  test('takes what describes the receiver, decoded, and leaves the rest', () => {
    const url =
      'srt://a.example:9000?streamid=publish%3Aone%2Ftwo&passphrase=sesame&latency=200000&mode=caller&linger=9';
    expect(pushDestination(url)).toEqual({
      kind: 'srt',
      host: 'a.example',
      port: 9000,
      options: { streamid: 'publish:one/two', passphrase: 'sesame', latency: '200000' },
    });
  });

  test.each([
    ['srt://a.example:9000?mode=listener', 'mode of an srt url must be "caller"'],
    ['srt://a.example:9000?streamid=a%0Apassphrase=b', 'streamid of the srt url is not valid'],
    ['srt://a.example:9000?streamid=a%00b', 'streamid of the srt url is not valid'],
  ])('%s is refused', (url, reason) => {
    expect(pushDestination(url)).toBe(reason);
  });
});

test('whatever is asked for, no part breaks out of its line', () => {
  const characters = fc.string({
    unit: fc.constantFrom('a', '/', '?', '&', '=', '%', '0', 'A', 'D', '#', ':', '@', '.'),
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.constantFrom('rtmp', 'rtmps', 'srt'), characters, (scheme, rest) => {
      const destination = pushDestination(`${scheme}://a.example:1/${rest}`);
      if (typeof destination === 'string') return;
      const parts = destination.kind === 'srt' ? Object.values(destination.options) : [destination.key];
      for (const part of parts) expect(part).not.toMatch(/[\r\n\0]/);
    }),
  );
});

test('secrets are the key with and without its query, or what opens the receiver', () => {
  const secrets = (url: string) => {
    const destination = pushDestination(url);
    return typeof destination === 'string' ? null : secretsOf(destination);
  };
  expect(secrets('rtmp://a.example/app/key?x=1')).toEqual(['key?x=1', 'key']);
  expect(secrets('rtmp://a.example/app')).toEqual([]);
  expect(secrets('srt://a.example:1?streamid=a&passphrase=b&latency=1')).toEqual(['a', 'b']);
});
