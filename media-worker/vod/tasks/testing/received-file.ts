import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TeamContext } from '@/lib/domain/context';
import type { Profile } from '@/lib/contract/streams/profile';
import { newId } from '@/lib/infra/ids';
import { acceptUpload } from '@/media-worker/delivery/uploads/accept-upload';
import type { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { hashFile } from '@/media-worker/vod/import/accept-file';

type Fixtures = Pick<ReturnType<typeof createWorkerFixtures>, 'ctx' | 'db' | 'dataDir' | 'createUpload'>;

/** Creates an asset whose file has been uploaded and accepted, as after a PUT or tus upload. Its task is due. */
export async function receiveFile(
  { ctx, db, dataDir, createUpload }: Fixtures,
  owner: TeamContext,
  path: string,
  profiles?: Profile[],
) {
  const uploadUrls = await createUpload(owner, undefined, profiles);
  const arrivedPath = join(dataDir, `arrived-${uploadUrls.assetId}`);
  const content = readFileSync(path);
  writeFileSync(arrivedPath, content);
  const leaseId = newId();
  await db.asset.update({
    where: { id: uploadUrls.assetId },
    data: { phase: 'uploading', uploadLease: leaseId },
  });
  const hashes = await hashFile(arrivedPath, AbortSignal.timeout(100_000));
  const reason = await acceptUpload(
    ctx,
    { assetId: uploadUrls.assetId, leaseId },
    { playbackId: uploadUrls.playbackId, path: arrivedPath, bytes: content.length, hashes },
  );
  rmSync(arrivedPath);
  expect(reason).toBeNull();
  return uploadUrls;
}
