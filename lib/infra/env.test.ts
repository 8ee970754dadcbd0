import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { defaultProcesses } from '@/lib/core/nodes/process-slots';
import { readOperatorSettings, readSettings, SettingsError } from './env';

const roleVariables = { DATABASE_URL: 'postgres://localhost/headwater', APP_SECRET: 's'.repeat(32) };

describe('settings', () => {
  test('derive the public URLs from the ports', () => {
    const settings = readOperatorSettings({ PORT: '4000', MEDIA_PORT: '9090', RTMP_PORT: '1940' });
    expect(settings.baseUrl).toBe('http://localhost:4000');
    expect(settings.cdnUrl).toBe('http://localhost:9090');
    expect(settings.uploadUrl).toBe('http://localhost:9090');
    expect(settings.rtmpUrl).toBe('rtmp://localhost:1940/live');
  });

  test('use the host of BASE_URL for the other URLs', () => {
    const settings = readOperatorSettings({ BASE_URL: 'https://video.example.com/' });
    expect(settings.baseUrl).toBe('https://video.example.com');
    expect(settings.rtmpUrl).toBe('rtmp://video.example.com:1935/live');
  });

  test('leave SRT off without a port, and derive its URL from RTMP_URL unless SRT_URL is set', () => {
    expect(readOperatorSettings({})).toMatchObject({ srtPort: undefined, srtUrl: undefined });
    const withPort = { SRT_PORT: '9000', RTMP_URL: 'rtmp://in.example.com/live' };
    expect(readOperatorSettings(withPort)).toMatchObject({
      srtPort: 9000,
      srtUrl: 'srt://in.example.com:9000',
    });
    const variables = { ...withPort, SRT_URL: 'srt://other.example.com:9100/' };
    expect(readOperatorSettings(variables).srtUrl).toBe('srt://other.example.com:9100');
  });

  test('leave WebRTC off without a port, have no default ICE servers, and decode the credentials of ICE servers', () => {
    expect(readOperatorSettings({})).toMatchObject({
      rtcPort: undefined,
      rtcPublicAddresses: [],
      iceServers: [],
    });
    const variables = {
      RTC_PORT: '8189',
      RTC_PUBLIC_ADDRESSES: '203.0.113.7, 2001:db8::7',
      ICE_SERVERS: 'stun:stun.example.com, turn:live:p%40ss@[2001:db8::9]:3478?transport=tcp',
    };
    expect(readOperatorSettings(variables)).toMatchObject({
      rtcPort: 8189,
      rtcPublicAddresses: ['203.0.113.7', '2001:db8::7'],
      iceServers: [
        { url: 'stun:stun.example.com', login: null },
        {
          url: 'turn:[2001:db8::9]:3478?transport=tcp',
          login: { username: 'live', credential: 'p@ss' },
        },
      ],
    });
  });

  test('accept TURN servers without credentials if TURN_SECRET is set', () => {
    const variables = { ICE_SERVERS: 'turn:turn.example.com:3478', TURN_SECRET: 'shared-secret' };
    expect(readOperatorSettings(variables)).toMatchObject({
      iceServers: [{ url: 'turn:turn.example.com:3478', login: null }],
      turnSecret: 'shared-secret',
    });
  });

  test('with a certificate derive https URLs and add RTMPS', () => {
    const tls = { TLS_CERT: '/c.pem', TLS_KEY: '/k.pem' };
    expect(readOperatorSettings(tls)).toMatchObject({
      baseUrl: 'https://localhost:3000',
      cdnUrl: 'https://localhost:8080',
      rtmpUrl: 'rtmp://localhost:1935/live',
      rtmpsPort: 1936,
      rtmpsUrl: 'rtmps://localhost:1936/live',
    });
    const withPort = { ...tls, RTMP_URL: 'rtmp://in.example.com/live', RTMPS_PORT: '443' };
    expect(readOperatorSettings(withPort).rtmpsUrl).toBe('rtmps://in.example.com:443/live');
    const variables = { RTMPS_URL: 'rtmps://balancer.example.com/live' };
    expect(readOperatorSettings(variables)).toMatchObject({
      rtmpsPort: undefined,
      rtmpsUrl: variables.RTMPS_URL,
    });
    expect(readOperatorSettings({})).toMatchObject({ publicTls: undefined, rtmpsUrl: undefined });
  });

  describe('with ACME_EMAIL', () => {
    const acme = { ACME_EMAIL: 'ada@example.com', DATA_DIR: '/data' };
    const variables = { ...acme, BASE_URL: 'https://video.example.com', CDN_URL: 'https://cdn.example.com' };

    test('name all public hosts for the certificate, or those of ACME_HOSTS', () => {
      expect(readOperatorSettings({ ...variables, RTMP_URL: 'rtmp://in.example.com/live' })).toMatchObject({
        publicTls: { cert: '/data/acme/certificate.pem', key: '/data/acme/certificate.pem' },
        rtmpsUrl: 'rtmps://in.example.com:1936/live',
        acme: {
          email: 'ada@example.com',
          directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory',
          httpPort: 80,
          hosts: ['cdn.example.com', 'in.example.com', 'video.example.com'],
        },
      });
      const environment = { ...acme, ACME_HOSTS: 'B.example.com, a.example.com,b.example.com' };
      expect(readOperatorSettings(environment).acme?.hosts).toEqual(['a.example.com', 'b.example.com']);
    });

    test.each([
      [{}, 'not localhost'],
      [{ BASE_URL: 'https://192.0.2.1' }, 'not 192.0.2.1'],
      [{ BASE_URL: 'https://[2001:db8::1]' }, '2001:db8::1'],
      [{ ...variables, CDN_URL: 'https://10.0.0.2:8443' }, 'not 10.0.0.2'],
      [{ ...variables, RTMP_URL: 'rtmp://studio/live' }, 'not studio'],
      [{ ACME_HOSTS: '*.example.com' }, 'ACME_HOSTS, not *.example.com'],
      [{ ACME_HOSTS: ',' }, 'ACME_HOSTS'],
      [{ ...variables, TLS_CERT: 'a.pem', TLS_KEY: 'b.pem' }, 'no TLS_CERT'],
      [{ ...variables, UPSTREAM_ORIGIN: 'https://media.example.com' }, 'an edge has no database'],
      [{ ...variables, ACME_EMAIL: 'ada' }, 'an email address'],
      [{ ...variables, ACME_DIRECTORY_URL: 'http://ca.example.com' }, 'an https:// URL'],
    ])('reject %o', (changes, expected) => {
      const parse = () => readOperatorSettings({ ...acme, ...changes });
      expect(parse).toThrow(SettingsError);
      expect(parse).toThrow(/ACME_/);
      expect(parse).toThrow(expected);
    });

    test('are the same in child processes', () => {
      const settings = readOperatorSettings(variables);
      expect(readOperatorSettings(settings.environment)).toEqual(settings);
    });
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
    ['DATABASE_POOL_SIZE', '3', 'DATABASE_POOL_SIZE'],
    ['EGRESS_ALLOW_CIDRS', '127.0.0.1/32,everything', 'CIDR'],
    ['LOG_LEVEL', 'loud', 'one of trace'],
    ['OPERATOR_EMAILS', 'ada@example.com, grace', 'email addresses'],
    ['DRAIN_SECONDS', '-1', 'DRAIN_SECONDS'],
    ['UPSTREAM_ORIGIN', 'media.example', 'http://'],
    ['ORIGIN_CACHE_BYTES', '-1', 'ORIGIN_CACHE_BYTES'],
    ['REGION', 'north of here', 'letters, digits'],
    ['S3_BUCKET', 'Not A Bucket', 'the name of a bucket'],
    ['S3_ENDPOINT', 'minio:9000', 'http://'],
    ['S3_FORCE_PATH_STYLE', 'perhaps', 'true or false'],
    ['S3_BUCKET', 'videos', 'S3_ACCESS_KEY_ID'],
    ['TLS_CERT', 'a.pem', 'TLS_KEY'],
    ['TLS_KEY', 'a.pem', 'TLS_CERT'],
    ['RTMPS_PORT', '1936', 'TLS_CERT'],
    ['RTMPS_URL', 'rtmp://x', 'rtmps://'],
    ['SRT_URL', 'srt://x', 'with a port'],
    ['SRT_PORT', '0', '1 to 65535'],
    ['RTC_PORT', '70000', '1 to 65535'],
    ['RTC_PUBLIC_ADDRESSES', 'example.com', 'IP addresses'],
    ['ICE_SERVERS', 'turn:turn.example.com:3478', 'turn:user:password@'],
    ['ICE_SERVERS', 'turn:a:%zz@turn.example.com', 'turn:user:password@'],
    ['TURN_SECRET', 'short', 'at least 8 characters'],
    ['ICE_SERVERS', 'https://example.com', 'stun:'],
  ])('reject %s=%s with its name and the expected value', (name, value, expected) => {
    const parse = () => readOperatorSettings({ [name]: value });
    expect(parse).toThrow(SettingsError);
    expect(parse).toThrow(name);
    expect(parse).toThrow(expected);
  });

  test('make a machine with UPSTREAM_ORIGIN an edge, which runs no other role', () => {
    const edge = { UPSTREAM_ORIGIN: 'https://media.example/' };
    expect(readOperatorSettings(edge)).toMatchObject({
      roles: ['origin'],
      upstreamOrigin: 'https://media.example',
      databaseUrl: undefined,
    });
    expect(readOperatorSettings({ ...edge, ROLES: 'origin' }).roles).toEqual(['origin']);
    expect(() => readOperatorSettings({ ...edge, ROLES: 'web,origin' })).toThrow(
      'ROLES: expected origin alone, because UPSTREAM_ORIGIN makes this machine an edge',
    );
    expect(() => readOperatorSettings({ ROLES: 'origin' })).toThrow('DATABASE_URL');
  });

  test('derive the number of processes of each role from the number of cores, unless it is set', () => {
    const variables = { LIVE_PROCESSES: '3', ORIGIN_PROCESSES: '2', WEB_PROCESSES: '1' };
    expect(readOperatorSettings(variables)).toMatchObject({
      processes: { live: 3, origin: 2, web: 1 },
      slot: 1,
    });
    expect(readOperatorSettings({}).processes).toEqual(defaultProcesses(availableParallelism()));
    expect(() => readOperatorSettings({ LIVE_PROCESSES: '0' })).toThrow('LIVE_PROCESSES');
  });

  test('name every invalid value in one error', () => {
    expect(() => readOperatorSettings({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[^]*LOG_LEVEL/);
  });

  test('of a role require the database and the secret', () => {
    expect(() => readSettings({})).toThrow('DATABASE_URL');
    expect(() => readSettings({ DATABASE_URL: roleVariables.DATABASE_URL })).toThrow('APP_SECRET');
  });

  test('use S3 if a bucket is set, path-style if the service is not Amazon’s', () => {
    const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    expect(readOperatorSettings(keys).s3).toBeUndefined();
    const amazon = readOperatorSettings({ ...keys, S3_BUCKET: 'videos' }).s3;
    expect(amazon).toMatchObject({ region: 'us-east-1', endpoint: undefined, forcePathStyle: false });
    const variables = { ...keys, S3_BUCKET: 'videos', S3_ENDPOINT: 'http://10.0.0.5:9000/' };
    expect(readOperatorSettings(variables).s3).toEqual({
      bucket: 'videos',
      endpoint: 'http://10.0.0.5:9000',
      region: 'us-east-1',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      forcePathStyle: true,
    });
    expect(readOperatorSettings({ ...variables, S3_FORCE_PATH_STYLE: 'false' }).s3?.forcePathStyle).toBe(
      false,
    );
  });

  test('are the same in a child process', () => {
    const settings = readSettings({
      ...roleVariables,
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32, ::1/128',
      REDIS_URL: 'redis://r',
      OPERATOR_EMAILS: 'Ada@example.com, grace@example.com',
      REGION: 'eu-west',
      DRAIN_SECONDS: '0',
      GEOIP_DB: '/countries.mmdb',
      TLS_CERT: '/c.pem',
      TLS_KEY: '/k.pem',
      RTMPS_PORT: '443',
      S3_BUCKET: 'videos',
      S3_ENDPOINT: 'https://s3.example.com',
      S3_REGION: 'eu-central-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    });
    expect(settings.s3?.region).toBe('eu-central-1');
    expect(settings.operatorEmails).toEqual(['ada@example.com', 'grace@example.com']);
    expect(readSettings(settings.environment)).toEqual(settings);
  });
});
