import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { waitFor } from './network';

const asset = z.object({
  id: z.string(),
  playbackId: z.string(),
  status: z.object({ phase: z.string(), errorMessage: z.string().optional() }),
});
const asked = z.object({ url: z.string(), asset: z.object({ id: z.string(), playbackId: z.string() }) });

/** Assets of one account, over HTTP as a backend uses the API. */
export interface AssetClient {
  /** Sends a file by PUT. @returns the id of its asset, which is not ready yet */
  readonly upload: (path: string) => Promise<string>;
  /** @returns the id of the rendition */
  readonly transcode: (id: string, profile: object) => Promise<string>;
  /** Asks each 50 ms; `everyMs` for what takes minutes, where asking would take cores from it. */
  readonly untilReady: (id: string, timeoutMs: number, everyMs?: number) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

export function assetClient(baseUrl: string, apiKey: string): AssetClient {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  };
  return {
    async upload(path) {
      const { url, asset } = asked.parse(await call('POST', '/asset/request-upload', { name: 'bench' }));
      await putFile(url, path);
      return asset.id;
    },
    async transcode(id, profile) {
      const reply = await call('POST', `/asset/${id}/transcode`, { name: 'rendition', profile });
      return z.object({ asset }).parse(reply).asset.id;
    },
    async untilReady(id, timeoutMs, everyMs = 50) {
      const ready = async () => {
        const { status } = asset.parse(await call('GET', `/asset/${id}`));
        if (status.phase === 'failed') throw new Error(`asset ${id}: ${status.errorMessage ?? 'failed'}`);
        return status.phase === 'ready' ? true : undefined;
      };
      await waitFor(`asset ${id}`, ready, { timeoutMs, everyMs });
    },
    async remove(id) {
      await call('DELETE', `/asset/${id}`);
    },
  };
}

/** @throws Error unless the file was taken */
async function putFile(url: string, path: string): Promise<void> {
  const { size } = await stat(path);
  const sending = request(url, {
    method: 'PUT',
    headers: { 'content-type': 'video/mp4', 'content-length': size },
  });
  const answered = new Promise<number>((resolve, reject) => {
    sending.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sending.on('error', reject);
  });
  await pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), sending);
  const status = await answered;
  if (status !== 200) throw new Error(`PUT: ${status}`);
}
