import { expect, test } from '@playwright/test';
import { createFileAndOwner, type UploadRequestResponse } from './testing/assets';
import { readDecoderWarnings } from './testing/encoder';

test('a transcode creates a playable asset with the size of its profile', async () => {
  const { owner, file, requestUpload, waitUntilSettled } = await createFileAndOwner();
  const { url, asset } = await requestUpload('To be transcoded');
  await fetch(url, { method: 'PUT', body: file });
  await waitUntilSettled(asset.id);
  const profile = { name: '128p', width: 228, height: 128, bitrate: 200_000, fps: 0 };
  const transcodeResponse = await owner.request('POST', `/api/asset/${asset.id}/transcode`, {
    name: 'Small',
    profile,
  });
  expect(transcodeResponse.status).toBe(201);
  const transcodedAsset = await waitUntilSettled(
    ((await transcodeResponse.json()) as UploadRequestResponse).asset.id,
  );
  expect(transcodedAsset).toMatchObject({ status: { phase: 'ready' }, sourceAssetId: asset.id });
  expect(transcodedAsset.videoSpec?.tracks[0]).toMatchObject({ width: 228, height: 128, fps: 25 });
  expect(await readDecoderWarnings(transcodedAsset.playbackUrl ?? '', 10)).toBe('');
});
