import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import type { Asset } from '@/lib/contract/assets/asset';
import { Owner, until } from '../media/testing/service';

export const ffmpeg = (...args: readonly string[]) =>
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...args]);

/** ffmpeg input options for a tone of this frequency in Hz. */
export const tone = (frequency: number) => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=${frequency}:sample_rate=48000`,
];

/** Creates a ready asset, of a new account unless one is passed. @param seconds length of the video */
export async function makeVideo(name: string, seconds: number, existingOwner?: Owner): Promise<Asset> {
  const folder = mkdtempSync(join(tmpdir(), 'video-'));
  const film = join(folder, 'film.mp4');
  try {
    // Runs ffmpeg asynchronously, so that this process notices connections that the service closes.
    await promisify(execFile)('ffmpeg', [
      ...['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=10'],
      ...[...tone(440), '-t', String(seconds)],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'aac', film],
    ]);
    const owner = existingOwner ?? (await Owner.create());
    const uploadResponse = await owner.request('POST', '/api/asset/request-upload', { name });
    const { url, asset } = (await uploadResponse.json()) as { url: string; asset: Asset };
    expect((await fetch(url, { method: 'PUT', body: await openAsBlob(film) })).status).toBe(200);
    const readAsset = async () =>
      (await (await owner.request('GET', `/api/asset/${asset.id}`)).json()) as Asset;
    await until(async () => (await readAsset()).status.phase === 'ready');
    return await readAsset();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
