import { describe, expect, test } from 'vitest';
import { readOperatorSettings } from './env';
import { variablesSchema } from './env-schema';
import { settingsInForce } from './settings-in-force';

const secret = 'hunter2'.repeat(5);
const environment = {
  APP_SECRET: secret,
  DATABASE_URL: `postgres://ada:${secret}@db.example.com:5432/headwater?sslpassword=${secret}`,
  REDIS_URL: `redis://:${secret}@redis.example.com`,
  SMTP_URL: `smtps://ada:${secret}@mail.example.com`,
  MAIL_FROM: 'ada@example.com',
  S3_BUCKET: 'media',
  S3_ACCESS_KEY_ID: secret,
  S3_SECRET_ACCESS_KEY: secret,
  SIGN_UP: 'invite',
  TLS_CERT: '/tls/cert.pem',
  TLS_KEY: '/tls/key.pem',
  INTERNAL_TLS_CERT: '/tls/node.pem',
  INTERNAL_TLS_KEY: '/tls/node-key.pem',
  INTERNAL_TLS_CA: '/tls/ca.pem',
  BASE_URL: 'https://live.example.com',
};
const settings = settingsInForce(readOperatorSettings(environment));
const settingOf = (name: string) => settings.find((setting) => setting.name === name);

describe('effective settings', () => {
  test('are those of the schema', () => {
    expect(settings.map(({ name }) => name)).toEqual(Object.keys(variablesSchema.shape).sort());
  });

  test('contain no secrets', () => {
    expect(JSON.stringify(settings)).not.toContain('hunter2');
    expect(settingOf('APP_SECRET')).toEqual({
      name: 'APP_SECRET',
      value: '••••••',
      secret: true,
      isDefault: false,
    });
    expect(settingOf('DATABASE_URL')?.value).toBe(
      'postgres://ada:••••••@db.example.com:5432/headwater?••••••',
    );
    expect(settingOf('SMTP_URL')?.value).toBe('smtps://ada:••••••@mail.example.com');
    expect(settingOf('REDIS_URL')?.secret).toBe(true);
  });

  test('show the paths of secret files', () => {
    expect(settingOf('TLS_KEY')).toMatchObject({ value: '/tls/key.pem', secret: false });
    expect(settingOf('INTERNAL_TLS_KEY')).toMatchObject({ value: '/tls/node-key.pem', secret: false });
  });

  test('distinguish set values from defaults', () => {
    expect(settingOf('SIGN_UP')).toEqual({
      name: 'SIGN_UP',
      value: 'invite',
      secret: false,
      isDefault: false,
    });
    expect(settingOf('PORT')).toEqual({ name: 'PORT', value: '3000', secret: false, isDefault: true });
    expect(settingOf('REGION')).toEqual({ name: 'REGION', value: null, secret: false, isDefault: true });
    expect(settingOf('BASE_URL')?.value).toBe('https://live.example.com');
  });
});
