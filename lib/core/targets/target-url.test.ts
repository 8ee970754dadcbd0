import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseMuxedUrl,
  parseTargetUrl,
  redirectDestination,
  secretsOf,
  targetNameOf,
  targetUrlFault,
} from './target-url';

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
  ])('is parsed from %s', (url, expected) => {
    expect(parseTargetUrl(url)).toMatchObject({ kind: 'rtmp', ...expected });
  }); // prettier-ignore

  test.each([
    ['rtmp://a.example', 'the url has no application; it must look like rtmp://host/app/key'],
    ['rtmp://a.example//', 'the url has no application; it must look like rtmp://host/app/key'],
    [
      `rtmp://a.example/app/${'k'.repeat(501)}`,
      'application and key of the url are at most 500 characters long',
    ],
    ['ftp://a.example/x', 'the url is not valid'],
    ['rtmp://a b/x', 'the url is not valid'],
  ])('%s is rejected', (url, reason) => {
    expect(parseTargetUrl(url)).toBe(reason);
  });
});

describe('RTMP redirect', () => {
  const destinationOf = (url: string) => {
    const destination = parseTargetUrl(url);
    if (typeof destination === 'string' || destination.kind !== 'rtmp') throw new Error(url);
    return destination;
  };

  test('leads to the new application with the key of the original destination', () => {
    const key = 'secret?backup=1&x=/y';
    expect(redirectDestination(destinationOf(`rtmp://a.example/live/${key}`), 'rtmp://b.example:1936/app/inst/')).toEqual(
      { kind: 'rtmp', tls: false, host: 'b.example', port: 1936, serverUrl: 'rtmp://b.example:1936/app/inst', app: 'app/inst', key },
    );
    expect(redirectDestination(destinationOf('rtmp://a.example/live/k'), 'rtmps://b.example/app')?.tls).toBe(true);
  }); // prettier-ignore

  test.each([
    ['rtmps://a.example/live/k', 'rtmp://b.example/app'],
    ['rtmp://a.example/live/k', 'rtmp://b.example'],
    ['rtmp://a.example/live/k', 'http://b.example/app'],
    ['rtmp://a.example/live/k', 'rtmp://me:pw@b.example/app'],
    ['rtmp://a.example/live/k', 'rtmp://b.example/app\nrtmp_conn=1'],
    ['rtmp://a.example/live/k', 'srt://b.example:9000'],
    ['rtmp://a.example/live/k', ''],
  ])('from %s to %j is not followed', (url, redirect) => {
    expect(redirectDestination(destinationOf(url), redirect)).toBeNull();
  });
});

describe('srt', () => {
  test('decodes the options for the receiver, and ignores other options', () => {
    const url =
      'srt://a.example:9000?streamid=publish%3Aone%2Ftwo&passphrase=sesame&latency=200000&mode=caller&linger=9';
    expect(parseTargetUrl(url)).toEqual({
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
  ])('%s is rejected', (url, reason) => {
    expect(parseTargetUrl(url)).toBe(reason);
  });
});

test('no part of the destination of any URL contains a line break', () => {
  const characters = fc.string({
    unit: fc.constantFrom('a', '/', '?', '&', '=', '%', '0', 'A', 'D', '#', ':', '@', '.'),
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.constantFrom('rtmp', 'rtmps', 'srt'), characters, (scheme, rest) => {
      const destination = parseMuxedUrl(`${scheme}://a.example:1/${rest}`);
      if (typeof destination === 'string') return;
      const parts = destination.kind === 'srt' ? Object.values(destination.options) : [destination.key];
      for (const part of parts) expect(part).not.toMatch(/[\r\n\0]/);
    }),
  );
});

test('the secrets are the key with and without its query, or the SRT stream id and passphrase', () => {
  const secrets = (url: string) => {
    const destination = parseTargetUrl(url);
    return typeof destination === 'string' ? null : secretsOf(destination);
  };
  expect(secrets('rtmp://a.example/app/key?x=1')).toEqual(['key?x=1', 'key']);
  expect(secrets('rtmp://a.example/app')).toEqual([]);
  expect(secrets('srt://a.example:1?streamid=a&passphrase=b&latency=1')).toEqual(['a', 'b']);
});

const ownUrls = ['rtmp://ingest.example.com:1935/live', 'https://media.example.com'];
const loopMessage = 'must not be the ingest address of this service';

describe('targetUrlFault', () => {
  test.each([
    'rtmp://live.twitch.tv/app/live_1',
    'rtmps://a.rtmps.example/x/key?backup=1',
    'rtmp://192.0.2.7:1936/live/key',
    'rtmp://[2001:db8::1]:1935/live/key',
    'srt://relay.example:9000?streamid=publish:x',
    'rtmp://ingest.example.com:1936/live/key',
    'rtmps://ingest.example.com/live/key',
    'rtmp://localhost/live/key',
    'rtmp://host:65535/live',
  ])('%s is accepted', (url) => {
    expect(targetUrlFault(url, ownUrls)).toBeNull();
  });

  test.each<[string, string]>([
    ['rtmp:///live/key', 'must name a host'],
    ['rtmp://?x', 'must name a host'],
    ['rtmp://host:99999/live', 'must name a host'],
    ['rtmp://host:0/live', 'must name a host'],
    ['rtmp://host:port/live', 'must name a host'],
    ['rtmp://1.2.3.4.5.6:1/%', 'must name a host'],
    ['rtmp://a b/live', 'must name a host'],
    ['rtmp://[::1/live', 'must name a host'],
    [`rtmp://${'a.'.repeat(130)}com/live`, 'must name a host'],
    ['rtmp://user:secret@host/live', 'must not contain a user name'],
    ['rtmp://@host/live', 'must not contain a user name'],
    ['srt://host', 'must name a port'],
  ])('%s is rejected', (url, reason) => {
    expect(targetUrlFault(url, ownUrls)).toContain(reason);
  });

  test.each([
    'rtmp://ingest.example.com/live/other-key',
    'rtmp://INGEST.example.com:1935/live/key',
    'rtmp://ingest.example.com.:1935/live',
    'rtmps://ingest.example.com:1935/live',
    'srt://ingest.example.com:1935',
    'https://media.example.com/webrtc#key',
  ])('%s is rejected as a loop', (url) => {
    expect(targetUrlFault(url, ownUrls)).toBe(loopMessage);
  });

  test.each([
    'rtmp://localhost/live/key',
    'rtmp://127.0.0.1:1935/live/key',
    'rtmp://127.9.9.9/live',
    'rtmp://2130706433/live',
    'rtmp://0x7f.1/live',
    'rtmp://0/live',
    'rtmp://[::1]/live',
    'rtmp://[::ffff:127.0.0.1]/live',
    'rtmp://my.localhost/live',
  ])('%s is rejected as a loop if the service is on the loopback interface', (url) => {
    expect(targetUrlFault(url, ['rtmp://localhost:1935/live'])).toBe(loopMessage);
  });
});

describe('targetNameOf', () => {
  test.each([
    ['rtmp://live.twitch.tv/app/live_1', 'live.twitch.tv'],
    ['rtmp://Live.Twitch.TV:1936/app', 'live.twitch.tv:1936'],
    ['rtmp://host:80/app', 'host:80'],
    ['rtmps://host:443/app', 'host:443'],
    ['srt://[2001:db8::1]:9000?streamid=x', '[2001:db8::1]:9000'],
    ['nothing', 'nothing'],
  ])('the name of %s is %s', (url, name) => {
    expect(targetNameOf(url)).toBe(name);
  });
});
