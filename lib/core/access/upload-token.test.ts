import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeUploadClaims, encodeUploadClaims, uploadedObjectKey } from './upload-token';

describe('claims of an upload', () => {
  test('come back as they were, in text that fits into a query', () => {
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
  ])('%j holds none', (text) => {
    expect(decodeUploadClaims(text)).toBeNull();
  });

  test('nothing that is no claim throws', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeUploadClaims(text)).toBeNull();
      }),
    );
  });
});

test('the key of an uploaded file is directUpload/<playbackId>/source', () => {
  expect(uploadedObjectKey('abcd0123abcd0123')).toBe('directUpload/abcd0123abcd0123/source');
});
