import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { openS3Client, s3StatusOf } from './s3-client';
import type { S3Settings } from './s3-settings';

/** The configured storage is not usable. The message names the setting to check. */
class StorageUnusableError extends Error {
  override readonly name = 'StorageUnusableError';
}

/** Prefix of the test object, which differs from all prefixes of lib/core/storage-keys.ts. */
const probePrefix = 'headwater-start-check/';
/** Delays between attempts to reach a service that may still be starting. */
const defaultDelaysMs: readonly number[] = [1_000, 2_000, 4_000, 8_000];

/**
 * Tests the bucket as the service uses it: lists, writes, reads and deletes a small object. An unreachable service is
 * retried for some seconds; a rejection is not.
 * @param retryDelaysMs delays before the retries
 * @throws StorageUnusableError, or the signal's reason
 */
export async function tryS3(
  settings: S3Settings,
  {
    signal,
    retryDelaysMs = defaultDelaysMs,
  }: { readonly signal?: AbortSignal; readonly retryDelaysMs?: readonly number[] } = {},
): Promise<void> {
  const client = openS3Client(settings);
  try {
    for (const delayMs of [...retryDelaysMs, null]) {
      const error = await probeBucket(client, settings, signal).then(
        () => null,
        (cause: unknown) => cause,
      );
      if (error === null) return;
      signal?.throwIfAborted();
      if (error instanceof StorageUnusableError) throw error;
      const rejection = rejectionMessage(error, settings);
      if (rejection !== null) throw new StorageUnusableError(rejection);
      if (delayMs === null) throw new StorageUnusableError(unreachableMessage(error, settings));
      await sleep(delayMs, undefined, signal ? { signal } : {});
    }
  } finally {
    client.destroy();
  }
}

async function probeBucket(client: S3Client, { bucket }: S3Settings, signal: AbortSignal | undefined) {
  const Key = `${probePrefix}${randomUUID()}`;
  const [object, options] = [{ Bucket: bucket, Key }, signal ? { abortSignal: signal } : {}];
  await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: probePrefix, MaxKeys: 1 }), options);
  await client.send(new PutObjectCommand({ ...object, Body: Buffer.from(Key) }), options);
  const { Body } = await client.send(new GetObjectCommand(object), options);
  const isSameKey = (await Body?.transformToString()) === Key;
  await client.send(new DeleteObjectCommand(object), options);
  if (!isSameKey)
    throw new StorageUnusableError('S3_ENDPOINT: the service returned different bytes than were stored');
}

const messagesByCode: Readonly<Record<string, (settings: S3Settings) => string>> = {
  NoSuchBucket: ({ bucket }) => `S3_BUCKET: there is no bucket “${bucket}”`,
  InvalidAccessKeyId: ({ accessKeyId }) =>
    `S3_ACCESS_KEY_ID: the service does not know the key “${accessKeyId}”`,
  SignatureDoesNotMatch: () => 'S3_SECRET_ACCESS_KEY: does not belong to S3_ACCESS_KEY_ID',
  RequestTimeTooSkewed: () => 'the clock of this machine is wrong: the service rejects its signatures',
  PermanentRedirect: ({ region }) => `S3_REGION: the bucket is not in “${region}”`,
  AuthorizationHeaderMalformed: ({ region }) => `S3_REGION: the bucket is not in “${region}”`,
  IllegalLocationConstraintException: ({ region }) => `S3_REGION: the bucket is not in “${region}”`,
};

/** Message of a permanent rejection; null for a temporary error or no response. */
function rejectionMessage(error: unknown, settings: S3Settings): string | null {
  const status = s3StatusOf(error);
  if (status === undefined || status === 429 || status >= 500) return null;
  const code = (error as Error).name;
  const message = messagesByCode[code];
  if (message) return message(settings);
  if (status === 401 || status === 403) {
    return `S3_ACCESS_KEY_ID: this key may not list, write, read and delete in the bucket “${settings.bucket}” (${code})`;
  }
  if (status === 301 || status === 307) return `S3_REGION: the bucket is not in “${settings.region}”`;
  return `S3_ENDPOINT: ${serviceNameOf(settings)} answered with ${status} (${code}); is it a service of the S3 API?`;
}

function unreachableMessage(error: unknown, settings: S3Settings): string {
  const status = s3StatusOf(error);
  const reason = status === undefined ? causeOf(error) : `it answers with ${status}`;
  return `S3_ENDPOINT: ${serviceNameOf(settings)} cannot be reached (${reason})`;
}

const serviceNameOf = ({ endpoint, region }: S3Settings): string => endpoint ?? `Amazon S3 in ${region}`;

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message || error.name;
}
