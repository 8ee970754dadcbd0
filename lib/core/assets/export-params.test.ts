import { describe, expect, test } from 'vitest';
import { type ExportRequest, separateExportSecrets } from './export-params';
import { mask } from './masked-url';

const pinataKeyPair = { apiKey: 'the-key', apiSecret: 'the-secret' };

describe('separateExportSecrets', () => {
  test.each<[string, ExportRequest<unknown>, ExportRequest<unknown>, unknown]>([
    ['IPFS without credentials', { ipfs: {} }, { ipfs: {} }, null],
    [
      'metadata is not masked',
      { ipfs: { nftMetadata: { name: 'x' }, nftMetadataTemplate: 'file' } },
      { ipfs: { nftMetadata: { name: 'x' }, nftMetadataTemplate: 'file' } },
      null,
    ],
    [
      'a jwt',
      { ipfs: { pinning: { jwt: 'the-secret' } } },
      { ipfs: { pinning: { jwt: mask } } },
      { pinning: { jwt: 'the-secret' } },
    ],
    [
      'a pair of keys under the alias',
      { ipfs: { pinata: pinataKeyPair } },
      { ipfs: { pinning: { apiKey: mask, apiSecret: mask } } },
      { pinning: pinataKeyPair },
    ],
    [
      'a destination with a signed query, and headers',
      {
        custom: {
          url: 'https://bucket.example/a%20b.mp4?sig=the-secret#the-secret',
          method: 'POST',
          headers: { Authorization: 'Bearer the-secret' },
        },
      },
      {
        custom: {
          url: 'https://bucket.example/a%20b.mp4?sig=***#***',
          method: 'POST',
          headers: { Authorization: mask },
        },
      },
      {
        url: 'https://bucket.example/a%20b.mp4?sig=the-secret#the-secret',
        headers: { Authorization: 'Bearer the-secret' },
      },
    ],
    [
      'a destination without a method gets PUT',
      { custom: { url: 'https://bucket.example/a' } },
      { custom: { url: 'https://bucket.example/a', method: 'PUT' } },
      { url: 'https://bucket.example/a' },
    ],
  ])('returns the masked request and the secrets: %s', (_, request, maskedRequest, secrets) => {
    const split = separateExportSecrets(request);
    expect(split).toEqual({ maskedRequest, secrets });
    expect(JSON.stringify(split.maskedRequest)).not.toMatch(/the-(secret|key)/);
  });
});
