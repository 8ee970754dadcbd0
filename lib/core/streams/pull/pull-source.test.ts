import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  maskPullSource,
  pullHeadersFault,
  pullSecrets,
  parsePullSource,
  pullUrlPattern,
} from './pull-source';

test.each([
  ['https://a.example.com/x/index.m3u8?t=1#y', { kind: 'http', host: 'a.example.com', port: 443, url: 'https://a.example.com/x/index.m3u8?t=1' }],
  ['http://a.example.com:8080', { kind: 'http', port: 8080 }],
  ['rtsp://u:p%40@cam.example.com/live', { kind: 'rtsp', port: 554, url: 'rtsp://cam.example.com:554/live', credentials: { user: 'u', password: 'p@' } }],
  ['rtsp://cam.example.com:8554/live', { kind: 'rtsp', port: 8554, credentials: null }],
  ['rtmps://a.example.com/app/key', { kind: 'rtmp', tls: true, port: 443, app: 'app', key: 'key' }],
  ['srt://a.example.com:9000?streamid=x&passphrase=0123456789', { kind: 'srt', port: 9000, options: { streamid: 'x', passphrase: '0123456789' } }],
])('the source %s is parsed', (text, source) => {
  expect(pullUrlPattern.test(text)).toBe(true);
  expect(parsePullSource(text)).toMatchObject(source);
}); // prettier-ignore

test.each([
  ['https://u:p@a.example.com/', 'send them as the header Authorization'],
  ['rtmp://u:p@a.example.com/app/key', 'user name or password'],
  ['srt://a.example.com', 'must name a port'],
  ['srt://a.example.com:9000?mode=listener', 'caller'],
  ['rtsp://%ff@a.example.com/', 'percent-encoded'],
  ['rtmp://a.example.com', 'application'],
])('%s is rejected', (text, message) => {
  expect(parsePullSource(text)).toContain(message);
});

test('the masked source contains no secret', () => {
  expect(maskPullSource('rtsp://ada:secret@cam.example.com:554/live?x=1')).toBe(
    'rtsp://cam.example.com:554/***',
  );
  const secret = fc.stringMatching(/^[a-z]{6,12}$/);
  fc.assert(
    fc.property(secret, secret, secret, (user, password, path) => {
      const maskedUrl = maskPullSource(`rtsp://${user}:${password}@1.2.3.4/${path}`);
      for (const secretPart of [user, password, path]) expect(maskedUrl).not.toContain(secretPart);
    }),
  );
});

test.each([
  ['https://a.example.com/key?t=1', ['https://a.example.com/key?t=1', '/key?t=1', 'Bearer x']],
  ['rtsp://u:p@a.example.com/key?t=1', ['rtsp://a.example.com:554/key?t=1', '/key?t=1', 'u', 'p']],
  ['rtsp://a.example.com', ['rtsp://a.example.com:554/']],
  ['rtmp://a.example.com/app/key?t=1', ['key?t=1', 'key']],
  ['rtmp://a.example.com/room?t=1', ['room?t=1', 'room']],
  ['srt://a.example.com:9000?streamid=x&passphrase=0123456789', ['x', '0123456789']],
])('the secrets of %s are %j', (text, secrets) => {
  const source = parsePullSource(text);
  expect(typeof source === 'string' ? [] : pullSecrets(source, { authorization: 'Bearer x' })).toEqual(
    secrets,
  );
});

test.each([
  [{ 'X-Token': 'a' }, null],
  [{ Host: 'b' }, 'must not contain host'],
  [{ 'X Y': 'b' }, 'names of letters'],
  [{ 'X-Y': 'a\r\nb: c' }, 'printable ASCII'],
])('the headers %j are accepted or rejected: %s', (headers, fault) => {
  const source = parsePullSource('https://a.example.com/');
  const message = typeof source === 'string' ? source : pullHeadersFault(source, headers);
  if (fault === null) expect(message).toBeNull();
  else expect(message).toContain(fault);
});

test('headers are rejected for sources other than HTTP', () => {
  const source = parsePullSource('rtsp://a.example.com/x');
  expect(typeof source === 'string' ? source : pullHeadersFault(source, { a: 'b' })).toContain('http://');
});
