import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { StoredObject } from './storage-driver';

/** One request copies 5 GB at most. */
const largestInOne = 4 * 1024 ** 3;

interface Copy {
  readonly bucket: string;
  readonly source: StoredObject;
  readonly to: string;
  /** Bytes that one request copies; 4 GiB when left out. */
  readonly largest?: number | undefined;
}

/** Copies an object inside the bucket, without its bytes coming here. A key holds nothing that must be encoded. */
export async function copyS3(client: S3Client, copy: Copy): Promise<void> {
  const { bucket, source, to, largest = largestInOne } = copy;
  const CopySource = `${bucket}/${source.key}`;
  if (source.bytes > largest) return copyInParts(client, { ...copy, largest });
  await client.send(new CopyObjectCommand({ Bucket: bucket, Key: to, CopySource }));
}

async function copyInParts(
  client: S3Client,
  { bucket, source, to, largest }: Copy & { readonly largest: number },
): Promise<void> {
  const target = { Bucket: bucket, Key: to };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  try {
    const parts: { ETag?: string; PartNumber: number }[] = [];
    for (let start = 0; start < source.bytes; start += largest) {
      const PartNumber = parts.length + 1;
      const end = Math.min(start + largest, source.bytes) - 1;
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({
          ...target,
          UploadId,
          PartNumber,
          CopySource: `${bucket}/${source.key}`,
          CopySourceRange: `bytes=${start}-${end}`,
        }),
      );
      parts.push({ PartNumber, ...(CopyPartResult?.ETag ? { ETag: CopyPartResult.ETag } : {}) });
    }
    await client.send(
      new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: parts } }),
    );
  } catch (error) {
    // What cannot be given up now is found by the daily search.
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
    throw error;
  }
}
