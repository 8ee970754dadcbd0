import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type S3Client } from '@aws-sdk/client-s3';
import { isMissing, s3StatusOf } from './s3-client';

/**
 * Gives up uploads in parts that a dead process left behind: they are seen nowhere, but they are paid for.
 * @returns how many; none where the service does not list them
 */
export async function abandonOldUploads(client: S3Client, bucket: string, olderThan: Date): Promise<number> {
  let removed = 0;
  let marker: { KeyMarker?: string; UploadIdMarker?: string } | null = {};
  while (marker) {
    const page = await listed(client, bucket, marker);
    for (const { Key, UploadId, Initiated } of page?.Uploads ?? []) {
      if (!Key || !UploadId || !Initiated || Initiated >= olderThan) continue;
      await abandon(client, { Bucket: bucket, Key, UploadId });
      removed += 1;
    }
    marker = page?.IsTruncated
      ? {
          ...(page.NextKeyMarker ? { KeyMarker: page.NextKeyMarker } : {}),
          ...(page.NextUploadIdMarker ? { UploadIdMarker: page.NextUploadIdMarker } : {}),
        }
      : null;
  }
  return removed;
}

async function listed(client: S3Client, bucket: string, marker: object) {
  try {
    return await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, ...marker }));
  } catch (error) {
    if (s3StatusOf(error) === 501) return null;
    throw error;
  }
}

async function abandon(
  client: S3Client,
  upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string },
): Promise<void> {
  try {
    await client.send(new AbortMultipartUploadCommand(upload));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
