import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOperatorSettings, settingsToEnvironment } from '@/lib/infra/env';

const document = readFileSync(join(import.meta.dirname, '..', 'docs', 'operations.md'), 'utf8');
const table = document.split('## Settings')[1]?.split('\n## ')[0] ?? '';
const rows = new Map(
  [...table.matchAll(/^\| `([A-Z_]+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(([, name, byDefault]) => [
    name ?? '',
    byDefault ?? '',
  ]),
);

const operator = readOperatorSettings({});
const settings = {
  ...operator,
  databaseUrl: 'postgres://x',
  appSecret: 'x'.repeat(32),
  redisUrl: 'redis://x',
  ipfsApiUrl: 'http://x',
  internalPort: 4000,
  internalTls: { cert: 'x', key: 'x', ca: 'x' },
  publicTls: { cert: 'x', key: 'x' },
  rtmpsPort: 1,
  rtmpsUrl: 'rtmps://x',
  srtPort: 1,
  srtUrl: 'srt://x:1',
  region: 'x',
  mail: { smtpUrl: 'smtp://x', from: 'x@example.com' },
  oidc: { issuer: 'https://x', clientId: 'x', clientSecret: 'x', allowedDomains: [], name: 'x' },
  drainSeconds: 0,
  maxStreams: 1,
  quotas: { liveStreams: 1, storageBytes: 1, uploadBytes: 1, renditions: 1, viewerBytes: 1 },
  upstreamOrigin: 'http://x',
  speech: { modelDir: '/x', languages: ['en'] },
  originCacheBytes: 0,
  otlpEndpoint: 'http://x',
  geoipDb: '/x',
  metricsToken: 'x'.repeat(16),
};
// Nobody has both a certificate of their own and an ordered one.
const acme = readOperatorSettings({ ACME_EMAIL: 'ada@example.com', BASE_URL: 'https://x.example' });
const environment = { ...settingsToEnvironment(acme), ...settingsToEnvironment(settings) };

describe('the settings table of docs/operations.md', () => {
  it('lists exactly the existing settings', () => {
    expect([...rows.keys()].sort()).toEqual(Object.keys(environment).sort());
  });

  it('lists the defaults of the code', () => {
    const literal = [...rows].filter(
      ([, byDefault]) => /^`[^<`]+`$/.test(byDefault) && byDefault !== '`CDN_URL`',
    );
    const relative = (name: string, value: string) =>
      name === 'DATA_DIR' ? `./${value.split('/').at(-1)}` : value;
    expect(literal.length).toBeGreaterThan(5);
    for (const [name, byDefault] of literal) {
      expect(`${name} \`${relative(name, environment[name] ?? '')}\``).toBe(`${name} ${byDefault}`);
    }
  });

  it('describes how the public URLs are derived', () => {
    expect(rows.get('UPLOAD_URL')).toBe('`CDN_URL`');
    expect(operator.uploadUrl).toBe(operator.cdnUrl);
    expect(operator.baseUrl).toBe(`http://localhost:${operator.port}`);
    expect(operator.cdnUrl).toBe(`http://localhost:${operator.mediaPort}`);
    expect(operator.rtmpUrl).toBe(`rtmp://localhost:${operator.rtmpPort}/live`);
  });
});
