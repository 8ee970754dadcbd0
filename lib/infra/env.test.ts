import { describe, expect, test } from 'vitest';
import { readOperatorSettings, readSettings, settingsToEnvironment, SettingsError } from './env';

const complete = { DATABASE_URL: 'postgres://localhost/headwater', APP_SECRET: 's'.repeat(32) };

describe('settings', () => {
  test('derive public addresses from the ports', () => {
    const settings = readOperatorSettings({ PORT: '4000', MEDIA_PORT: '9090', RTMP_PORT: '1940' });
    expect(settings.baseUrl).toBe('http://localhost:4000');
    expect(settings.cdnUrl).toBe('http://localhost:9090');
    expect(settings.uploadUrl).toBe('http://localhost:9090');
    expect(settings.rtmpUrl).toBe('rtmp://localhost:1940/live');
  });

  test('take the host of BASE_URL for the other addresses', () => {
    const settings = readOperatorSettings({ BASE_URL: 'https://video.example.com/' });
    expect(settings.baseUrl).toBe('https://video.example.com');
    expect(settings.rtmpUrl).toBe('rtmp://video.example.com:1935/live');
  });

  test('treat an empty variable as not set', () => {
    expect(readOperatorSettings({ PORT: '', REDIS_URL: '' })).toMatchObject({
      port: 3000,
      redisUrl: undefined,
    });
  });

  test.each([
    ['PORT', 'abc', 'port number'],
    ['PORT', '70000', 'PORT'],
    ['DATABASE_URL', 'mysql://x', 'postgres://'],
    ['REDIS_URL', 'nonsense', 'redis://'],
    ['BASE_URL', 'ftp://x', 'http://'],
    ['RTMP_URL', 'http://x', 'rtmp://'],
    ['APP_SECRET', 'short', '32 characters'],
    ['SESSION_RECONNECT_SECONDS', '0', 'SESSION_RECONNECT_SECONDS'],
    ['EGRESS_ALLOW_CIDRS', '127.0.0.1/32,everything', 'CIDR'],
    ['LOG_LEVEL', 'loud', 'one of trace'],
  ])('refuse %s=%s with its name and what is expected', (name, value, expected) => {
    const read = () => readOperatorSettings({ [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(name);
    expect(read).toThrow(expected);
  });

  test('name every bad value at once', () => {
    expect(() => readOperatorSettings({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[^]*LOG_LEVEL/);
  });

  test('of a role need the database and the secret', () => {
    expect(() => readSettings({})).toThrow('DATABASE_URL');
    expect(() => readSettings({ DATABASE_URL: complete.DATABASE_URL })).toThrow('APP_SECRET');
  });

  test('survive the way to a child process unchanged', () => {
    const settings = readSettings({
      ...complete,
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32, ::1/128',
      REDIS_URL: 'redis://r',
    });
    expect(readSettings(settingsToEnvironment(settings))).toEqual(settings);
  });
});
