import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import type { Ingest } from '@/lib/contract/service';
import { readAddress } from '@/lib/infra/node-address';
import { Encoder, sourceFile } from './testing/encoder';
import { eventsOf, hlsUrl, Owner, rtmpUrl, sessionsOf, statusOf, until } from './testing/service';

const run = promisify(execFile);
const bootstrap = join(import.meta.dirname, '..', '..', 'scripts', 'bootstrap.mjs');
const cli = async (...args: string[]) => (await run(process.execPath, [bootstrap, 'cli', ...args])).stdout;

test(
  'a draining node leaves the list, rejects encoders, and accepts them again afterwards',
  { tag: '@alone' },
  async () => {
    const [owner, source] = await Promise.all([Owner.create(), sourceFile()]);
    const ingests = async () => (await (await owner.request('GET', '/api/ingest')).json()) as Ingest[];
    const live = await readAddress(process.env.DATA_DIR ?? '', 'live');
    const readiness = async () => (await fetch(`${live}/readyz`)).status;
    const stream = await owner.newStream();
    let encoder = new Encoder(source, rtmpUrl(stream.streamKey));
    try {
      await owner.untilActive(stream.id, true);
      expect((await ingests()).map(({ ingest }) => ingest)).toEqual([process.env.RTMP_URL]);

      expect(await readiness()).toBe(200);
      const nodes = await cli('node:list');
      const id = (await cli('node:drain')).trim();
      expect(nodes).toContain(`${id}\tlive\tonline\t`);
      expect(await ingests()).toEqual([]);
      // The service is the only node, so its encoders get no time to move to another.
      await encoder.whenEnded();
      expect(await readiness()).toBe(503);
      expect(await statusOf(hlsUrl(stream.playbackId))).toBe(200);
      const refusedEncoder = new Encoder(source, rtmpUrl(stream.streamKey));
      await refusedEncoder.whenEnded();
      expect(refusedEncoder.output).toContain('This server is going out of service');
      await until(async () => (await eventsOf(stream.id)).includes('stream.rejected'));

      expect((await cli('node:undrain', '--node', id)).trim()).toBe(id);
      expect(await ingests()).toHaveLength(1);
      await until(async () => (await readiness()) === 200);
      await owner.untilActive(stream.id, false);
      await until(async () => {
        if (!encoder.running) encoder = new Encoder(source, rtmpUrl(stream.streamKey));
        return (await owner.stream(stream.id)).isActive;
      }, 240_000);
      expect(await sessionsOf(stream.id)).toHaveLength(1);
    } finally {
      await cli('node:undrain');
      await encoder.kill();
    }
  },
);
