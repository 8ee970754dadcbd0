import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOperatorSettings } from './env';

/** Environments that combine one choice for each feature. */
const environments = fc
  .tuple(
    fc.constantFrom(
      {},
      { RTMP_URL: 'rtmps://in.example.com/live', RTMPS_URL: 'rtmps://other.example.com:443/live' },
      { BASE_URL: 'http://10.0.0.1:3000/', TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' },
      { BASE_URL: 'https://video.example.com', ACME_EMAIL: 'ada@example.com' },
      { ACME_EMAIL: 'ada@example.com', ACME_HOSTS: 'b.example.com,A.example.com', ACME_HTTP_PORT: '8088' },
    ),
    fc.constantFrom({}, { SRT_PORT: '9000' }, { SRT_URL: 'srt://in.example.com:9000/' }),
    fc.constantFrom(
      {},
      { ROLES: 'live,web', DATABASE_URL: 'postgres://localhost/headwater', INTERNAL_HOST: '10.0.0.1' },
      { INTERNAL_HOST: '2001:db8::1', INTERNAL_PORT: '7000' },
      { INTERNAL_TLS_CERT: 'cert.pem', INTERNAL_TLS_KEY: 'key.pem', INTERNAL_TLS_CA: '/ca.pem' },
    ),
    fc.constantFrom(
      { ICE_SERVERS: 'stun:a.example.com:3478, turn:a%3Ab:p%40s@[2001:db8::9]?transport=udp' },
      { RTC_PORT: '8189', RTC_PUBLIC_ADDRESSES: '203.0.113.7, 2001:db8::7' },
    ),
    fc.constantFrom(
      { VIEWER_REPORTS: 'off', CAPACITY_GUARD: 'on', TRANSCODE_CORES: '1.5', LIVE_PROCESSES: '3' },
      { QUOTA_LIVE_STREAMS: '0', DATA_DIR: 'files', GEOIP_DB: 'countries.mmdb', DRAIN_SECONDS: '0' },
      { EGRESS_ALLOW_CIDRS: '127.0.0.1/32, ::1/128', OPERATOR_EMAILS: 'Ada@example.com,b@example.com' },
    ),
    fc.constantFrom(
      {},
      { STT_LANGUAGES: 'en-us, DE' },
      { STT_MODEL_DIR: 'model', STT_LANGUAGES: 'en-us, DE' },
    ),
    fc.constantFrom(
      {},
      { OIDC_NAME: 'Example' },
      { OIDC_ISSUER: 'https://id.example.com/', OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' },
    ),
    fc.constantFrom(
      {},
      { S3_BUCKET: 'videos', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
      {
        S3_BUCKET: 'videos',
        S3_ACCESS_KEY_ID: 'id',
        S3_SECRET_ACCESS_KEY: 'secret',
        S3_ENDPOINT: 'http://10.0.0.5:9000/',
        S3_FORCE_PATH_STYLE: 'false',
      },
    ),
  )
  .map((parts): Readonly<Record<string, string>> => Object.assign({}, ...parts) as Record<string, string>);

test('the environment for child processes gives the same settings', () => {
  fc.assert(
    fc.property(environments, (environment) => {
      const settings = readOperatorSettings(environment);
      expect(readOperatorSettings(settings.environment)).toEqual(settings);
    }),
  );
});

test('the environment for child processes has no variables of features that are off', () => {
  // S3 is off without a bucket, and sign-in with OIDC without an issuer.
  const { environment } = readOperatorSettings({ S3_REGION: 'eu-central-1', OIDC_NAME: 'Example' });
  expect(Object.keys(environment).filter((name) => /^(?:S3|OIDC|STT|SMTP|MAIL|ACME)_/.test(name))).toEqual(
    [],
  );
});
