import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { exportAsset, getAsset, importAsset, transcodeAsset } from '@/lib/domain/assets';
import type { Resolve } from '@/lib/infra/egress/own-addresses';
import { loggedError } from '@/lib/infra/logger';
import { getTask } from '@/lib/domain/tasks';
import { acceptFile } from './accept-file';
import { exportAssetJob } from './export-asset';
import { importAssetJob } from './import-asset';
import { transcodeAssetJob } from './transcode-asset';
import { TaskFailure } from '@/media-worker/vod/tasks/task-job';
import { scratchFolder } from '@/media-worker/vod/tasks/task-runs';
import { createAssetWork, type Answer } from '@/media-worker/vod/tasks/testing/asset-work-setup';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';

const handlers = { import: importAssetJob, export: exportAssetJob, transcode: transcodeAssetJob };
const { foreign, fixtures, owner, good, work, importFromUrl, createReadyAsset } =
  await createAssetWork(handlers);
const { requests, base } = foreign;
const { ctx, db, storage, dataDir, taskRow, assetRow } = fixtures;

/** Bytes that downloads have written to their scratch folders so far. */
const partialDownloadBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('download.part'))
    .reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);

describe('import from a URL', () => {
  test('downloads the file and creates an asset', async () => {
    foreign.answer = (_, response) => {
      response.setHeader('Content-Disposition', `attachment; filename="../../town hall.mp4"`);
      response.end(good);
    };
    const { assetId, taskId } = await importFromUrl('/once.mp4');
    expect(await getAsset(owner, assetId)).toMatchObject({
      status: { phase: 'ready' },
      source: { type: 'url', url: `${base}/once.mp4` },
      size: good.length,
    });
    const { output } = await getTask(owner, taskId);
    expect(output?.import?.assetSpec).toMatchObject({ name: 'town hall.mp4', size: good.length });
    expect(requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  test('resumes after a lost connection and requests the rest of the same file', async () => {
    foreign.answer = ({ headers }, response) => {
      response.setHeader('ETag', '"v1"');
      const start = Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
      if (start === 0) {
        response.writeHead(200, { 'Content-Length': good.length });
        response.write(good.subarray(0, 20_000));
        // The server closes only after these bytes are on disk; bytes in flight would be lost and could not be
        // resumed.
        void expect
          .poll(() => partialDownloadBytes(dataDir))
          .toBe(20_000)
          .finally(() => response.destroy());
        return;
      }
      expect(headers['if-range']).toBe('"v1"');
      response.writeHead(206, { 'Content-Range': `bytes ${start}-${good.length - 1}/${good.length}` });
      response.end(good.subarray(start));
    };
    const { assetId } = await importFromUrl('/broken.mp4');
    expect(await assetRow(assetId)).toMatchObject({ phase: 'ready', size: BigInt(good.length) });
    expect(requests.length).toBe(2);
    const body = await storage.read(`asset/${assetId}/source.mp4`);
    expect(body && (await buffer(body)).equals(good)).toBe(true);
  });

  test('follows ten redirects and reads headers in UTF-8', async () => {
    const name = 'Flüsse 川.mp4';
    // Header values are written with one character per byte.
    const utf8 = (text: string) => Buffer.from(text).toString('latin1');
    foreign.answer = ({ url = '' }, response) => {
      // The request is in the list already, so the first one has the number 1.
      const hop = requests.length;
      if (hop > 1) expect(url).toBe(`/hop%20${hop}/Fl%C3%BCsse`);
      if (hop <= 10) return void response.writeHead(302, { Location: utf8(`/hop ${hop + 1}/Flüsse`) }).end();
      response.writeHead(200, { 'Content-Disposition': utf8(`attachment; filename="${name}"`) }).end(good);
    };
    const { taskId } = await importFromUrl('/hop0.mp4');
    expect((await getTask(owner, taskId)).output?.import?.assetSpec).toMatchObject({ name });
    expect(requests).toHaveLength(11);
    expect(requests[10]?.headers['user-agent']).toMatch(/^Headwater\//);
  });

  test.each([
    ['with a length', { 'Content-Length': String(good.length) }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
    ['in chunks on a connection for one answer', { 'Transfer-Encoding': 'chunked', Connection: 'close' }],
  ])('retries when an answer %s is truncated', async (name, headers) => {
    foreign.answer = (_, response) => {
      if (requests.length > 1) return void response.end(good);
      response.writeHead(200, headers);
      response.write(good.subarray(0, 20_000));
      void expect
        .poll(() => partialDownloadBytes(dataDir))
        .toBe(20_000)
        .finally(() => response.socket?.end());
    };
    const { assetId } = await importFromUrl(`/${encodeURIComponent(name)}`);
    expect(await assetRow(assetId)).toMatchObject({ phase: 'ready', size: BigInt(good.length) });
    expect(requests).toHaveLength(2);
  });

  test('a file that was downloaded completely before a crash is downloaded again', async () => {
    foreign.answer = ({ headers }, response) => {
      response.setHeader('ETag', '"v1"');
      if (headers.range) response.writeHead(416).end();
      else response.end(good);
    };
    const { asset, task } = await importAsset(owner, { url: `${base}/whole.mp4`, name: 'Film' });
    const scratch = join(scratchFolder(fixtures.dataDir), task.id);
    mkdirSync(scratch, { recursive: true });
    writeFileSync(join(scratch, 'download.part'), good);
    writeFileSync(join(scratch, 'download.part.validator'), '"v1"');
    await work.drain();
    expect(requests.map(({ headers }) => headers.range)).toEqual([`bytes=${good.length}-`, undefined]);
    expect(await assetRow(asset.id)).toMatchObject({ phase: 'ready' });
  });

  test.each<[string, (response: ServerResponse) => void, string | RegExp]>([
    ['not found', (r) => r.writeHead(404).end(), 'the file could not be downloaded: its server answered 404'],
    ['not a video', (r) => r.end('hello'), 'the file is not an MP4'],
    ['web page', (r) => r.end('<html>'), 'the file is a web page (HTML), not a video'],
    ['compressed', (r) => r.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(good)), /its server sends it compressed \(gzip\)$/],
    ['too large by Content-Length', (r) => r.writeHead(200, { 'Content-Length': 3_000_000 }).write('x'), /^the file is too large/],
    ['too large without Content-Length', (r) => r.end(Buffer.alloc(2_100_000)), /^the file is too large/],
    ['redirect loop', (r) => r.writeHead(302, { Location: '/again' }).end(), /redirects too many times/],
  ])('fails with a reason: %s', async (name, reply, reason) => {
    foreign.answer = (_, response) => reply(response);
    const { assetId, taskId } = await importFromUrl(`/${encodeURIComponent(name)}`);
    const { errorMessage } = await taskRow(taskId);
    expect(errorMessage).toMatch(reason);
    expect(await taskRow(taskId)).toMatchObject({ phase: 'failed' });
    expect(await assetRow(assetId)).toMatchObject({ phase: 'failed', errorMessage });
  }); // prettier-ignore

  test('a name with a private address and an unknown name get the same message and retries', async () => {
    const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    const resolve: Resolve = (name) =>
      name === 'private.example'
        ? Promise.resolve([{ address: '10.0.0.7', family: 4 }])
        : Promise.reject(unknown);
    const resolving = createTaskRunner(ctx, handlers, { resolve });
    const outcomeOf = async (host: string) => {
      const { task } = await importAsset(owner, { url: `http://${host}/film.mp4`, name: 'x' });
      await resolving.drain();
      const { phase, retries, errorMessage, scheduledAt } = await taskRow(task.id);
      expect(scheduledAt?.getTime()).toBeCloseTo(Date.now() + 30_000, -4);
      return { phase, retries, errorMessage };
    };
    try {
      const outcome = await outcomeOf('unknown.example');
      expect(outcome).toMatchObject({ phase: 'waiting', retries: 1 });
      expect(await outcomeOf('private.example')).toEqual(outcome);
      foreign.answer = (_, response) => response.writeHead(302, { Location: 'http://10.0.0.1/x' }).end();
      expect(await outcomeOf(new URL(base).host)).toEqual(outcome);
    } finally {
      await resolving.close();
    }
  });

  test('is retried after 30 s and after 3 min when the server is down', async () => {
    foreign.answer = (_, response) => response.writeHead(503).end();
    const { assetId, taskId } = await importFromUrl('/down.mp4');
    for (const [retries, wait] of [
      [1, 30_000],
      [2, 180_000],
    ] as const) {
      const row = await taskRow(taskId);
      expect(row).toMatchObject({
        phase: 'waiting',
        retries,
        errorMessage: 'the file server answered 503',
      });
      expect(row.scheduledAt?.getTime()).toBeCloseTo(Date.now() + wait, -4);
      await db.task.update({ where: { id: taskId }, data: { scheduledAt: new Date() } });
      if (retries === 2) foreign.answer = (_, response) => response.end(good);
      await work.drain();
    }
    expect(await assetRow(assetId)).toMatchObject({ phase: 'ready', errorMessage: null });
  });

  test.each([
    'http://10.0.0.1/a.mp4',
    'http://169.254.169.254/latest',
    'http://[::1]/a',
    'http://2130706434/',
  ])('rejects a request to import %s', async (url) => {
    await expect(importAsset(owner, { url, name: 'x' })).rejects.toThrow(/^url: must be a public address/);
  });
});

describe('transcode', () => {
  test('creates a new asset with the requested profile', async () => {
    const input = await createReadyAsset();
    const profile = { name: '90p', width: 160, height: 90, bitrate: 200_000, fps: 5 };
    const { asset, task } = await transcodeAsset(owner, { assetId: input, profile });
    await work.drain();
    const assetView = await getAsset(owner, asset.id);
    expect(assetView).toMatchObject({ status: { phase: 'ready' }, sourceAssetId: input });
    const [video, audio] = assetView.videoSpec?.tracks ?? [];
    expect(video).toMatchObject({ codec: 'h264', width: 160, height: 90, fps: 5 });
    expect(audio).toMatchObject({ codec: 'aac' });
    expect(assetView.videoSpec?.duration).toBeCloseTo(4, 0);
    const taskView = await getTask(owner, task.id);
    expect(taskView.output?.transcode?.asset.assetSpec).toMatchObject({ size: assetView.size });
    await storage.withFile(`asset/${asset.id}/source.mp4`, async (path) => {
      expect(await acceptFile(path)).toMatchObject({ accepted: true });
    });
    expect(await storage.head(`asset/${asset.id}/file.index`)).not.toBeNull();
  });

  test('fails with a reason when its input was deleted', async () => {
    const input = await createReadyAsset();
    const profile = { name: '90p', width: 160, height: 90, bitrate: 200_000, fps: 0 };
    const { asset } = await transcodeAsset(owner, { assetId: input, profile });
    await db.asset.update({ where: { id: input }, data: { bytesRemovedAt: new Date() } });
    await work.drain();
    const errorMessage = 'the asset to transcode is gone';
    expect(await assetRow(asset.id)).toMatchObject({ phase: 'failed', errorMessage });
  });
});

describe('export to a URL', () => {
  const exportToServer = async (custom: Parameters<typeof exportAsset>[1]['body']['custom']) => {
    const id = await createReadyAsset();
    requests.length = 0;
    foreign.answer = (_, response) => response.end('stored');
    const { task } = await exportAsset(owner, { id, body: { custom: custom as never } });
    await work.drain();
    return getTask(owner, task.id);
  };

  test('sends the file with its length and type, and the task contains no secret', async () => {
    const task = await exportToServer({
      url: `${base}/sink?signature=secret1`,
      headers: { Authorization: 'Bearer secret2' },
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: 'PUT',
      headers: {
        authorization: 'Bearer secret2',
        'content-type': 'video/mp4',
        'content-length': String(good.length),
      },
    });
    expect(requests[0]?.headers['transfer-encoding']).toBeUndefined();
    expect(requests[0]?.body.equals(good)).toBe(true);
    expect(task).toMatchObject({
      status: { phase: 'completed' },
      output: { export: { custom: { url: `${base}/sink?signature=***` } } },
    });
    expect(
      JSON.stringify(await taskRow(task.id), (_, value: unknown) => (typeof value === 'bigint' ? 0 : value)),
    ).not.toMatch(/secret[12]/);
  });

  test("the owner's Content-Type takes precedence", async () => {
    await exportToServer({ url: `${base}/sink`, headers: { 'CONTENT-type': 'video/x-mine' } });
    expect(requests.map(({ headers }) => headers['content-type'])).toEqual(['video/x-mine']);
  });

  test.each([307, 308])(
    'a %s is followed once, with the file and without secrets for other hosts',
    async (status) => {
      const id = await createReadyAsset();
      requests.length = 0;
      const elsewhere = base.replace('127.0.0.1', 'other.localhost');
      const resolving = createTaskRunner(ctx, handlers, {
        resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      });
      const exportToRedirect = async (location: string, headers: Record<string, string>) => {
        foreign.answer = ({ url }, response) =>
          url === '/sink' ? response.writeHead(status, { Location: location }).end() : response.end();
        const { task } = await exportAsset(owner, { id, body: { custom: { url: `${base}/sink`, headers } } });
        await resolving.drain();
        return taskRow(task.id);
      };
      const headers = { Authorization: 'Bearer s3cret', 'Content-Type': 'video/x-mine' };
      expect(await exportToRedirect('/stored', headers)).toMatchObject({ phase: 'completed' });
      expect(await exportToRedirect(`${elsewhere}/stored?signature=x`, headers)).toMatchObject({
        phase: 'completed',
      });
      expect(requests.map(({ body }) => body.length)).toEqual([1, 1, 1, 1].map(() => good.length));
      expect(requests.map((request) => request.headers['content-type'])).toEqual(
        [1, 1, 1, 1].map(() => 'video/x-mine'),
      );
      expect(requests.map((request) => request.headers.authorization)).toEqual([
        'Bearer s3cret',
        'Bearer s3cret',
        'Bearer s3cret',
        undefined,
      ]);
      expect(await exportToRedirect('/sink', headers)).toMatchObject({
        phase: 'failed',
        errorMessage: `the destination answered ${status}`,
      });
      expect(await exportToRedirect('http://10.0.0.1/', headers)).toMatchObject({
        phase: 'waiting',
        retries: 1,
      });
      await resolving.close();
    },
  );

  test('error messages, views and log lines of failed exports contain no secret', async () => {
    const lines: string[] = [];
    const log = pino(
      { level: 'trace', serializers: { err: loggedError } },
      { write: (line) => lines.push(line) },
    );
    const logging = createTaskRunner({ ...ctx, log }, handlers);
    const id = await createReadyAsset();
    const headers = { Authorization: 'Bearer secret2', 'X-Key': 'secret3' };
    const faults: [string, Answer][] = [
      ['rejected', (_, response) => response.writeHead(403).end('secret1 secret2')],
      ['fault', (_, response) => response.writeHead(500, 'secret2').end()],
      ['moved', (_, response) => response.writeHead(307, { Location: '/x?signature=secret1' }).end()],
      ['gone', (_, response) => response.destroy()],
    ];
    const bodies: Parameters<typeof exportAsset>[1]['body'][] = [
      { custom: { url: `${base}/sink?signature=secret1`, headers } },
      { custom: { url: 'http://127.0.0.1:1/sink?signature=secret1', headers } },
      { ipfs: { pinning: { jwt: 'secret2' } } },
      { ipfs: { pinning: { apiKey: 'secret1', apiSecret: 'secret3' } } },
    ];
    for (const [, fault] of faults) {
      foreign.answer = fault;
      for (const body of bodies) {
        const { task } = await exportAsset(owner, { id, body });
        await logging.drain();
        const { errorMessage } = await taskRow(task.id);
        expect(errorMessage).toMatch(/^(the|a) /);
        const views = JSON.stringify([await getTask(owner, task.id), await getAsset(owner, id)]);
        expect(views + String(errorMessage)).not.toMatch(/secret[123]/);
      }
    }
    await logging.close();
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.join('')).not.toMatch(/secret[123]/);
  });

  test('fails immediately on a 4xx response and retries after a 5xx response', async () => {
    const id = await createReadyAsset();
    foreign.answer = (_, response) => response.writeHead(403).end('inner page');
    const rejectedTask = (
      await exportAsset(owner, { id, body: { custom: { url: `${base}/a`, method: 'POST' } } })
    ).task;
    await work.drain();
    expect(await taskRow(rejectedTask.id)).toMatchObject({
      phase: 'failed',
      errorMessage: 'the destination answered 403',
    });
    foreign.answer = (_, response) => response.writeHead(500).end();
    const retriedTask = (await exportAsset(owner, { id, body: { custom: { url: `${base}/b` } } })).task;
    await work.drain();
    expect(await taskRow(retriedTask.id)).toMatchObject({ phase: 'waiting', retries: 1 });
  });
});

test('99 tasks of one team do not delay the first one of another team', async () => {
  const servedTeamIds: string[] = [];
  const [busyTeam, otherTeam] = [await fixtures.createTeamContext(), await fixtures.createTeamContext()];
  const failingRunner = createTaskRunner(ctx, {
    import: (job) => {
      servedTeamIds.push(job.task.teamId);
      return Promise.reject(new TaskFailure('not now'));
    },
  });
  await db.task.updateMany({ data: { deletedAt: new Date() } });
  for (let n = 0; n < 99; n++) await importAsset(busyTeam, { url: `${base}/m${n}.mp4`, name: 'x' });
  await importAsset(otherTeam, { url: `${base}/f.mp4`, name: 'x' });
  await failingRunner.drain();
  await failingRunner.close();
  expect(servedTeamIds).toHaveLength(100);
  expect(servedTeamIds.indexOf(otherTeam.actor.teamId)).toBeLessThanOrEqual(1);
});
