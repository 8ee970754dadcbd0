import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Task } from '@/lib/contract/tasks/task';
import { readDecoderWarnings, probeStreams } from './encoder';
import { runFfmpeg } from './run-ffmpeg';
import { ApiAccount, waitUntil } from './service';

/**
 * Creates an MP4 of 10 s and an account.
 * @returns the file, the account, and functions that upload the file and check its asset
 */
export async function createFileAndOwner() {
  const owner = await ApiAccount.create();
  const path = join(mkdtempSync(join(tmpdir(), 'assets-')), 'film.mp4');
  // ffmpeg's default layout has the index at the end of the file.
  await runFfmpeg(
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=10'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=10'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-c:a', 'aac', path],
  );
  const file = readFileSync(path);
  return createAssetRequests(owner, file);
}

export interface UploadRequestResponse {
  readonly url: string;
  readonly tusEndpoint: string;
  readonly asset: Asset;
  readonly task: Task;
}

/** Creates functions that request and check assets of an account. */
function createAssetRequests(owner: ApiAccount, file: Buffer<ArrayBuffer>) {
  async function requestUpload(name: string): Promise<UploadRequestResponse> {
    const response = await owner.request('POST', '/api/asset/request-upload', { name });
    expect(response.status).toBe(200);
    return (await response.json()) as UploadRequestResponse;
  }

  const readJson = async <T>(path: string) => (await (await owner.request('GET', path)).json()) as T;

  /** Waits until an asset is ready or failed, and checks that its progress never decreases. */
  async function waitUntilSettled(id: string): Promise<Asset> {
    let asset = await readJson<Asset>(`/api/asset/${id}`);
    let progress = 0;
    await waitUntil(async () => {
      asset = await readJson<Asset>(`/api/asset/${id}`);
      expect(asset.status.progress ?? 0).toBeGreaterThanOrEqual(progress);
      progress = asset.status.progress ?? 0;
      return asset.status.phase === 'ready' || asset.status.phase === 'failed';
    });
    return asset;
  }

  async function expectPlayable({ playbackUrl = '', downloadUrl = '', ...asset }: Asset): Promise<void> {
    expect(asset.status).toMatchObject({ phase: 'ready', progress: 1 });
    expect(asset.hash).toContainEqual({
      algorithm: 'sha256',
      hash: createHash('sha256').update(file).digest('hex'),
    });
    expect(asset.videoSpec).toMatchObject({
      format: 'mp4',
      tracks: [
        { type: 'video', codec: 'h264', fps: 25, width: 320, height: 180, pixelFormat: 'yuv420p' },
        { type: 'audio', codec: 'aac', channels: 1, sampleRate: 48_000 },
      ],
    });
    expect((await probeStreams(playbackUrl)).map((track) => track.codec_name).sort()).toEqual([
      'aac',
      'h264',
    ]);
    expect(await readDecoderWarnings(playbackUrl, 10)).toBe('');
    const rangeResponse = await fetch(downloadUrl, { headers: { Range: 'bytes=4-7' } });
    expect([rangeResponse.status, await rangeResponse.text()]).toEqual([206, 'ftyp']);
    expect((await probeStreams(downloadUrl)).map((track) => track.codec_name).sort()).toEqual([
      'aac',
      'h264',
    ]);
  }

  return {
    owner,
    file,
    requestUpload,
    readJson,
    waitUntilSettled,
    expectPlayable,
  };
}
