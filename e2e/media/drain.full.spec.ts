import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import type { Ingest } from '@/lib/contract/service';
import { readProcessUrl } from '@/lib/infra/process-urls';
import { Encoder, createSourceFile } from './testing/encoder';
import {
  fetchEventNames,
  hlsUrl,
  ApiAccount,
  rtmpUrl,
  fetchSessionRows,
  fetchStatus,
  waitUntil,
} from './testing/service';

const execFileAsync = promisify(execFile);
const bootstrapScript = join(import.meta.dirname, '..', '..', 'scripts', 'bootstrap.mjs');
const runCli = async (...args: string[]) =>
  (await execFileAsync(process.execPath, [bootstrapScript, 'cli', ...args])).stdout;

test(
  'a draining node leaves the list of ingests and rejects encoders until it is undrained',
  { tag: '@alone' },
  async () => {
    const [owner, source] = await Promise.all([ApiAccount.create(), createSourceFile()]);
    const readIngests = async () => (await (await owner.request('GET', '/api/ingest')).json()) as Ingest[];
    const liveUrl = await readProcessUrl(process.env.DATA_DIR ?? '', 'live');
    const readReadiness = async () => (await fetch(`${liveUrl}/readyz`)).status;
    const stream = await owner.createStream();
    let encoder = new Encoder(source, rtmpUrl(stream.streamKey));
    try {
      await owner.waitUntilActive(stream.id);
      expect((await readIngests()).map(({ ingest }) => ingest)).toEqual([process.env.RTMP_URL]);

      expect(await readReadiness()).toBe(200);
      const nodes = await runCli('node:list');
      const nodeId = (await runCli('node:drain')).trim();
      expect(nodes).toContain(`${nodeId}\tlive\tonline\t`);
      expect(await readIngests()).toEqual([]);
      // The service has only one node, so its encoders get no time to move to another node.
      await encoder.whenEnded();
      expect(await readReadiness()).toBe(503);
      expect(await fetchStatus(hlsUrl(stream.playbackId))).toBe(200);
      const rejectedEncoder = new Encoder(source, rtmpUrl(stream.streamKey));
      await rejectedEncoder.whenEnded();
      expect(rejectedEncoder.output).toContain('This server is going out of service');
      await waitUntil(async () => (await fetchEventNames(stream.id)).includes('stream.rejected'));

      expect((await runCli('node:undrain', '--node', nodeId)).trim()).toBe(nodeId);
      expect(await readIngests()).toHaveLength(1);
      await waitUntil(async () => (await readReadiness()) === 200);
      await owner.waitUntilIdle(stream.id);
      await waitUntil(async () => {
        if (!encoder.isRunning) encoder = new Encoder(source, rtmpUrl(stream.streamKey));
        return (await owner.readStream(stream.id)).isActive;
      }, 240_000);
      expect(await fetchSessionRows(stream.id)).toHaveLength(1);
    } finally {
      await runCli('node:undrain');
      await encoder.kill();
    }
  },
);
