import { expect, test } from '@playwright/test';
import { filmAndOwner, type TaskAnswer } from './testing/assets';
import { complaintsOfDecoder } from './testing/encoder';

test('a rendition of an asset is an asset', async () => {
  const { owner, file, ask, settled: settledAsset } = await filmAndOwner();
  const { url, asset } = await ask('To be transcoded');
  await fetch(url, { method: 'PUT', body: file });
  await settledAsset(asset.id);
  const profile = { name: '128p', width: 228, height: 128, bitrate: 200_000, fps: 0 };
  const transcodeResponse = await owner.request('POST', `/api/asset/${asset.id}/transcode`, {
    name: 'Small',
    profile,
  });
  expect(transcodeResponse.status).toBe(201);
  const renditionAsset = await settledAsset(((await transcodeResponse.json()) as TaskAnswer).asset.id);
  expect(renditionAsset).toMatchObject({ status: { phase: 'ready' }, sourceAssetId: asset.id });
  expect(renditionAsset.videoSpec?.tracks[0]).toMatchObject({ width: 228, height: 128, fps: 25 });
  expect(await complaintsOfDecoder(renditionAsset.playbackUrl ?? '', 10)).toBe('');
});
