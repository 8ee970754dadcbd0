import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeUploadClaims, encodeUploadClaims, uploadedObjectKey } from './upload-token';

describe('upload claims', () => {
  test('can be decoded from their text, which is safe in a query', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat({ max: 8.64e15 }), (assetId, exp) => {
        const text = encodeUploadClaims({ assetId, exp });
        expect(text).toMatch(/^[\w-]+$/);
        expect(decodeUploadClaims(text)).toEqual({ assetId, exp });
      }),
    );
  });

  test.each([
    '',
    '%',
    'bnVsbA',
    btoa('[]'),
    btoa('{"assetId":1,"exp":2}'),
    btoa('{"assetId":"x"}'),
    'A'.repeat(600),
  ])('%j has no claims', (text) => {
    expect(decodeUploadClaims(text)).toBeNull();
  });

  test('any other text has no claims', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeUploadClaims(text)).toBeNull();
      }),
    );
  });
});

test('the storage key of an uploaded file is directUpload/<playbackId>/source', () => {
  expect(uploadedObjectKey('abcd0123abcd0123')).toBe('directUpload/abcd0123abcd0123/source');
});
