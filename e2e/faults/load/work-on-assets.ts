import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { omitUndefined } from '@/lib/core/omit-undefined';
import type { AssetEntry } from '../ledger';
import type { Stage } from '../stage';
import { sha256 } from './remote-servers';

const assetAndTaskSchema = z.object({
  asset: z.object({ id: z.string() }),
  task: z.object({ id: z.string() }),
});
const phaseSchema = z.object({ status: z.object({ phase: z.string() }) });
const taskSchema = z.object({ task: z.object({ id: z.string() }) });

/** Imports a file from a URL of `RemoteServers`. */
export async function importFile({ api, ledger, media, remote, random }: Stage): Promise<void> {
  const data = media.uniqueFile(random.between(50, 900));
  const digest = sha256(data);
  const name = `import-${digest.slice(0, 12)}`;
  const url = remote.serveFile(`${name}.mp4`, data);
  const response = await api.write('POST', '/api/asset/import', { name, url }, [201]);
  if (response) {
    api.counters.imports += 1;
    const { asset } = assetAndTaskSchema.parse(response.json);
    ledger.addAsset({ id: asset.id, name, origin: 'import', sha256: digest, acknowledged: true });
  }
  await sleep(random.between(2_000, 7_000));
}

/** Transcodes, exports or deletes one of the last uploaded or imported assets, if it is ready. */
export async function workOnAsset(stage: Stage): Promise<void> {
  const { ledger, random, api } = stage;
  const usableAssets = [...ledger.assets.values()].filter(
    ({ acknowledged, deletion, origin }) => acknowledged && !deletion && origin !== 'transcode',
  );
  const asset = random.pick(usableAssets.slice(-30));
  const response = asset && (await api.send('GET', `/api/asset/${asset.id}`).catch(() => undefined));
  if (!asset || phaseSchema.safeParse(response?.json).data?.status.phase !== 'ready') {
    await sleep(1_000);
    return;
  }
  const dice = random.next();
  if (dice < 0.45) await transcode(stage, asset);
  else if (dice < 0.9) await exportAsset(stage, asset);
  else await deleteAsset(stage, asset);
  await sleep(random.between(1_500, 4_500));
}

async function transcode({ api, ledger }: Stage, asset: AssetEntry): Promise<void> {
  const name = `transcode-${randomUUID()}`;
  const profile = { name: 'small', width: 160, height: 128, bitrate: 80_000, fps: 0 };
  const response = await api.write('POST', `/api/asset/${asset.id}/transcode`, { name, profile }, [201]);
  if (!response) return;
  api.counters.transcodes += 1;
  const { asset: output } = assetAndTaskSchema.parse(response.json);
  ledger.addAsset({ id: output.id, name, origin: 'transcode', acknowledged: true });
}

async function exportAsset({ api, ledger, remote, random }: Stage, asset: AssetEntry): Promise<void> {
  const sink = random.next() < 0.7 ? randomUUID() : undefined;
  const body = sink === undefined ? { ipfs: {} } : { custom: { url: remote.sinkUrl(sink) } };
  const response = await api.write('POST', `/api/asset/${asset.id}/export`, body, [201]);
  if (!response) return;
  api.counters.exports += 1;
  const { sha256: digest } = asset;
  ledger.addExport({
    taskId: taskSchema.parse(response.json).task.id,
    assetId: asset.id,
    ...omitUndefined({ sink }),
    ...omitUndefined({ sha256: digest }),
  });
}

async function deleteAsset({ api, ledger }: Stage, asset: AssetEntry): Promise<void> {
  asset.deletion = 'unknown';
  ledger.writeChange(asset);
  if (await api.write('DELETE', `/api/asset/${asset.id}`, undefined, [204, 404]))
    asset.deletion = 'acknowledged';
  ledger.writeChange(asset);
}
