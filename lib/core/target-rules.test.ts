import { describe, expect, test } from 'vitest';
import { targetNameOf, targetUrlFault } from './target-rules';

const own = 'rtmp://ingest.example.com:1935/live';
const loop = 'must not be the ingest address of this service';

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
  ])('%s may be tried', (url) => {
    expect(targetUrlFault(url, own)).toBeNull();
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
  ])('%s is refused', (url, reason) => {
    expect(targetUrlFault(url, own)).toContain(reason);
  });

  test.each([
    'rtmp://ingest.example.com/live/other-key',
    'rtmp://INGEST.example.com:1935/live/key',
    'rtmp://ingest.example.com.:1935/live',
    'rtmps://ingest.example.com:1935/live',
    'srt://ingest.example.com:1935',
  ])('%s would be a loop', (url) => {
    expect(targetUrlFault(url, own)).toBe(loop);
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
  ])('%s would be a loop where the service is on the loopback interface', (url) => {
    expect(targetUrlFault(url, 'rtmp://localhost:1935/live')).toBe(loop);
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
  ])('%s is %s', (url, name) => {
    expect(targetNameOf(url)).toBe(name);
  });
});
