import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { runFfmpeg } from '../media/testing/run-ffmpeg';
import { ApiAccount, waitUntil } from '../media/testing/service';

/**
 * ffmpeg input options for a tone.
 * @param frequency frequency in Hz
 */
export const toneInput = (frequency: number) => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=${frequency}:sample_rate=48000`,
];

/**
 * Uploads a video and waits until its asset is ready. Without `existingOwner`, the asset belongs to a new account.
 * @param seconds length of the video
 */
export async function createVideoAsset(
  name: string,
  seconds: number,
  existingOwner?: ApiAccount,
): Promise<Asset> {
  const folder = mkdtempSync(join(tmpdir(), 'video-'));
  const file = join(folder, 'film.mp4');
  try {
    await runFfmpeg(
      ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10'],
      ...[...toneInput(440), '-t', String(seconds)],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'aac', file],
    );
    const owner = existingOwner ?? (await ApiAccount.create());
    const uploadResponse = await owner.request('POST', '/api/asset/request-upload', { name });
    const { url, asset } = (await uploadResponse.json()) as { url: string; asset: Asset };
    expect((await fetch(url, { method: 'PUT', body: await openAsBlob(file) })).status).toBe(200);
    const readAsset = async () =>
      (await (await owner.request('GET', `/api/asset/${asset.id}`)).json()) as Asset;
    await waitUntil(async () => (await readAsset()).status.phase === 'ready');
    return await readAsset();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
