/** Id of the account in the examples of the documentation. app/api/contract.test.ts checks the examples against their schemas. */
const userId = '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52';
const CREATED_AT = 1_767_225_600_000;

export const assetId = '9d2f6a58-1c0e-4f5b-8a3d-6b7c8d9e0f12';
export const taskId = '5e6f7a8b-9c0d-4e1f-a2b3-c4d5e6f7a8b9';
export const profile480 = { name: '480p', width: 854, height: 480, bitrate: 1_000_000, fps: 30 };

const playbackId = '9d2f7m3k1x8q5v0z';

export const waitingAsset = {
  id: assetId,
  userId,
  name: 'Town hall, part 1',
  createdAt: CREATED_AT,
  playbackId,
  status: { phase: 'waiting', updatedAt: CREATED_AT },
  source: { type: 'directUpload' },
};

export const importedAsset = {
  ...waitingAsset,
  source: { type: 'url', url: 'https://files.example/part-1.mp4' },
};

export const transcodedAsset = {
  ...waitingAsset,
  id: '1f0e9d8c-7b6a-4958-8473-625140392817',
  name: 'Town hall, part 1 (480p)',
  playbackId: '1f0e4r6t8y2u1i3o',
  source: { type: 'directUpload', sourceId: assetId, assetId },
  sourceAssetId: assetId,
};

const videoSpec = {
  format: 'mp4',
  duration: 62.5,
  tracks: [
    {
      type: 'video',
      codec: 'h264',
      fps: 30,
      width: 1280,
      height: 720,
      bitrate: 2_500_000,
      duration: 62.5,
      pixelFormat: 'yuv420p',
    },
    { type: 'audio', codec: 'aac', bitrate: 128_000, channels: 2, duration: 62.5, sampleRate: 48_000 },
  ],
};

export const readyAsset = {
  ...waitingAsset,
  type: 'video',
  status: { phase: 'ready', updatedAt: CREATED_AT + 9_000, progress: 1 },
  size: 20_531_250,
  hash: [
    { hash: '9e107d9d372bb6826bd81d3542a419d6', algorithm: 'md5' },
    { hash: 'd7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592', algorithm: 'sha256' },
  ],
  videoSpec,
  playbackUrl: `http://localhost:8080/asset/${playbackId}/index.m3u8`,
  downloadUrl: `http://localhost:8080/asset/${playbackId}/video`,
  views: 82,
  deliveredMinutes: 615.25,
};

export const uploadTask = {
  id: taskId,
  userId,
  type: 'import',
  createdAt: CREATED_AT,
  outputAssetId: assetId,
  params: { import: { uploadedObjectKey: `directUpload/${playbackId}/source` } },
  status: { phase: 'pending', updatedAt: CREATED_AT },
};

export const importTask = {
  ...uploadTask,
  scheduledAt: CREATED_AT,
  params: { import: { url: importedAsset.source.url } },
};

export const replaceTask = {
  ...importTask,
  params: { import: { ...importTask.params.import, replace: true } },
};

export const transcodeTask = {
  ...uploadTask,
  type: 'transcode',
  scheduledAt: CREATED_AT,
  inputAssetId: assetId,
  outputAssetId: transcodedAsset.id,
  params: { transcode: { profile: profile480 } },
};

export const exportTask = {
  id: taskId,
  userId,
  type: 'export',
  createdAt: CREATED_AT,
  scheduledAt: CREATED_AT,
  inputAssetId: assetId,
  status: uploadTask.status,
  params: { export: { ipfs: { pinning: { jwt: '***' } } } },
};

export const transcribeTask = {
  id: taskId,
  userId,
  type: 'transcribe',
  createdAt: CREATED_AT,
  scheduledAt: CREATED_AT,
  inputAssetId: assetId,
  status: uploadTask.status,
  params: { transcribe: { language: 'en' } },
};

export const clipRequest = {
  playbackId,
  startTime: 12_000,
  endTime: 27_500,
  name: 'The question from the back row',
};

export const clipAsset = {
  ...waitingAsset,
  id: '2a1b0c9d-8e7f-4a6b-9c5d-4e3f2a1b0c9d',
  name: clipRequest.name,
  playbackId: '2a1b5n9w3e7r1t4y',
  source: { type: 'clip', playbackId },
};

export const clipTask = {
  ...uploadTask,
  type: 'clip',
  scheduledAt: CREATED_AT,
  inputAssetId: assetId,
  outputAssetId: clipAsset.id,
  params: { clip: { clipStrategy: { playbackId, startTime: 12_000, endTime: 27_500 } } },
};
