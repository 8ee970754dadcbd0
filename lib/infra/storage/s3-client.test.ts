import { S3ServiceException } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { toStorageError } from './s3-client';

const s3Error = (name: string, httpStatusCode: number) =>
  new S3ServiceException({ name, message: '', $fault: 'server', $metadata: { httpStatusCode } });

test.each([
  ['InsufficientStorage', 507],
  ['XMinioAdminBucketQuotaExceeded', 400],
  ['StorageFull', 503],
])('the error %s with status %d means that the storage is full', (name, status) => {
  expect(toStorageError(s3Error(name, status), 'asset/a')).toMatchObject({
    name: 'StorageError',
    kind: 'full',
  });
});

test.each([
  ['SlowDown', 503],
  ['NoSuchBucket', 404],
])('the error %s with status %d is returned unchanged', (name, status) => {
  const error = s3Error(name, status);
  expect(toStorageError(error, 'asset/a')).toBe(error);
});
