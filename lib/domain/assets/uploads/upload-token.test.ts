import { describe, expect, test } from 'vitest';
import { encodeUploadClaims } from '@/lib/core/access/upload-token';
import { createSecrets } from '@/lib/infra/secrets';
import { readUploadToken, signUploadToken } from './upload-token';

const secrets = createSecrets('a'.repeat(32));
const claims = { assetId: '9d2f6a58-1c0e-4f5b-8a3d-6b7c8d9e0f12', exp: 1_000 };
const token = signUploadToken(secrets, claims);
const [text = '', signature = ''] = token.split('.');

describe('readUploadToken', () => {
  test('accepts a token until it expires', () => {
    expect(readUploadToken(secrets, token, 999)).toEqual(claims);
    expect(readUploadToken(secrets, token, 1_000)).toBeNull();
  });

  test.each<[string, string]>([
    ['an empty text', ''],
    ['claims without a signature', text],
    ['an empty signature', `${text}.`],
    ['half a signature', `${text}.${signature.slice(0, 20)}`],
    ['a text after the signature', `${token}.x`],
    ['claims with another asset', `${encodeUploadClaims({ ...claims, assetId: 'x' })}.${signature}`],
    ['claims with a later expiry', `${encodeUploadClaims({ ...claims, exp: 9e15 })}.${signature}`],
    ['a token signed with another secret', signUploadToken(createSecrets('b'.repeat(32)), claims)],
    ['10,000 dots', '.'.repeat(10_000)],
  ])('rejects %s', (_, invalidToken) => {
    expect(readUploadToken(secrets, invalidToken, 0)).toBeNull();
  });
});
