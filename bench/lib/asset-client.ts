import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { waitFor } from './network';

const assetSchema = z.object({
  id: z.string(),
  playbackId: z.string(),
  status: z.object({ phase: z.string(), errorMessage: z.string().optional() }),
});
const uploadSchema = z.object({
  url: z.string(),
  asset: z.object({ id: z.string(), playbackId: z.string() }),
});

/** Manages the assets of one team with an API key. */
export interface AssetClient {
  /**
   * Uploads a file with PUT.
   * @returns the id of the new asset, which may not be ready yet
   */
  readonly upload: (path: string) => Promise<string>;
  /**
   * Requests a transcode.
   * @returns the id of the new asset, which is not ready yet
   */
  readonly transcode: (id: string, profile: object) => Promise<string>;
  /**
   * Polls every `everyMs` (default 50) until the asset is ready. Poll long work less often, because polling uses CPU time.
   * @throws Error if the asset fails, or after the timeout
   */
  readonly waitUntilReady: (id: string, timeoutMs: number, everyMs?: number) => Promise<void>;
  readonly playbackIdOf: (id: string) => Promise<string>;
  readonly deleteAsset: (id: string) => Promise<void>;
}

/** Creates a client of the API at `baseUrl`. */
export function createAssetClient(baseUrl: string, apiKey: string): AssetClient {
  const callApi = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${baseUrl}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  };
  return {
    async upload(path) {
      const { url, asset } = uploadSchema.parse(
        await callApi('POST', '/asset/request-upload', { name: 'bench' }),
      );
      await putFile(url, path);
      return asset.id;
    },
    async transcode(id, profile) {
      const response = await callApi('POST', `/asset/${id}/transcode`, { name: 'rendition', profile });
      return z.object({ asset: assetSchema }).parse(response).asset.id;
    },
    async waitUntilReady(id, timeoutMs, everyMs = 50) {
      const checkReady = async () => {
        const { status } = assetSchema.parse(await callApi('GET', `/asset/${id}`));
        if (status.phase === 'failed') throw new Error(`asset ${id}: ${status.errorMessage ?? 'failed'}`);
        return status.phase === 'ready' ? true : undefined;
      };
      await waitFor(`asset ${id}`, checkReady, { timeoutMs, everyMs });
    },
    async playbackIdOf(id) {
      return assetSchema.parse(await callApi('GET', `/asset/${id}`)).playbackId;
    },
    async deleteAsset(id) {
      await callApi('DELETE', `/asset/${id}`);
    },
  };
}

/**
 * Uploads a file.
 * @throws Error unless the server responds with 200
 */
async function putFile(url: string, path: string): Promise<void> {
  const { size } = await stat(path);
  const putRequest = request(url, {
    method: 'PUT',
    headers: { 'content-type': 'video/mp4', 'content-length': size },
  });
  const responseStatus = new Promise<number>((resolve, reject) => {
    putRequest.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    putRequest.on('error', reject);
  });
  await pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), putRequest);
  const status = await responseStatus;
  if (status !== 200) throw new Error(`PUT: ${status}`);
}
