import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cancelTask, listTracks, readTrackText, retryTask, transcribeAsset } from '@/lib/domain/assets';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { getTask } from '@/lib/domain/tasks';
import { createRecogniser } from '@/media-worker/vod/speech/run-recogniser';
import { writeTinyModel } from '@/media-worker/vod/speech/testing/tiny-model';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { importAssetJob } from './import-asset';
import { createSampleFiles } from '@/media-worker/vod/testing/sample-files';
import { transcribeAssetJob } from './transcribe-asset';

const samples = createSampleFiles();
const [scriptedModel, tinyModel] = [samples.path('scripted'), samples.path('tiny')];
const settingsOf = (modelDir: string) => ({ speech: { modelDir, languages: ['en', 'pt-BR'] } });
const fixtures = createWorkerFixtures(await createTestDatabase(), settingsOf(scriptedModel));
const { ctx, db, taskRow } = fixtures;
const owner = await fixtures.createTeamContext();
const importing = createTaskRunner(ctx, { import: importAssetJob });
const root = join(import.meta.dirname, '..', '..', '..');
/** Built by the setup of the database tests. */
const realRecogniser = createRecogniser(join(root, '.build', 'recogniser.js'));
const scriptedRecogniser = createRecogniser(
  join(root, 'media-worker', 'vod', 'speech', 'testing', 'scripted-recogniser.mjs'),
);
const work = createTaskRunner(ctx, { transcribe: transcribeAssetJob(scriptedRecogniser) });
afterAll(async () => {
  await Promise.all([importing.close(), work.close()]);
  samples.remove();
});

const createUtterance = (startMs: number, text: string) => ({
  type: 'utterance',
  startMs,
  endMs: startMs + 1_500,
  text,
  words: [],
});
const goodEvening = createUtterance(200, 'Good evening.');
/** Sets the answers of all later recognisers, and how they end. */
const scriptRecogniser = (
  end: 'done' | 'crash' | 'hang',
  answers: readonly object[] = [{ type: 'loaded' }, goodEvening],
) => writeFileSync(join(scriptedModel, 'script.json'), JSON.stringify({ answers, end }));
const makeTaskDue = (id: string) => db.task.update({ where: { id }, data: { scheduledAt: new Date() } });

beforeAll(() => {
  mkdirSync(scriptedModel, { recursive: true });
  writeTinyModel(tinyModel);
});
beforeEach(() => scriptRecogniser('done'));

async function createReadyAsset(path = samples.make('film.mp4')): Promise<string> {
  const { assetId } = await receiveFile(fixtures, owner, path);
  await importing.drain();
  return assetId;
}

async function requestTranscription(id: string, language = 'en') {
  return (await transcribeAsset(owner, { id, body: { language } })).task.id;
}

test('the real library recognises the speech of a file in its sandbox, and the track is marked as generated', async () => {
  // Silence, then noise, which the tiny model recognises as speech.
  const noise = 'aevalsrc=(random(0)-0.5)*between(t\\,3\\,5):s=48000:d=8';
  const path = samples.path('noise.mp4');
  const video = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=10:duration=8', '-f', 'lavfi', '-i', noise];
  samples.ffmpeg(
    ...video,
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    path,
  );
  const assetId = await createReadyAsset(path);
  const settings = { ...ctx.settings, ...settingsOf(tinyModel) };
  const { drain, close } = createTaskRunner(
    { ...ctx, settings },
    { transcribe: transcribeAssetJob(realRecogniser) },
  );
  const taskId = await requestTranscription(assetId);
  await drain();
  await close();
  expect((await getTask(owner, taskId)).status).toMatchObject({ phase: 'completed', progress: 1 });
  const [track] = await listTracks(owner, assetId);
  expect(track).toMatchObject({
    kind: 'subtitles',
    language: 'en',
    label: 'English (auto)',
    generated: true,
  });
  const text = (await readTrackText(ctx, track?.id ?? '')) ?? '';
  const [, seconds, spokenText] = /00:00:0(\d\.\d{3}) --> .*\n(.*)\n/.exec(text) ?? [];
  expect(spokenText).toMatch(/^TOWN/);
  expect(Math.abs(Number(seconds) - 3)).toBeLessThan(0.5);
  expect((await getTask(owner, taskId)).output).toEqual({ transcribe: { trackId: track?.id, cues: 1 } });
});

test('a task whose recogniser crashed is retried, and completes', async () => {
  const assetId = await createReadyAsset();
  const taskId = await requestTranscription(assetId);
  scriptRecogniser('crash');
  await work.once();
  expect((await getTask(owner, taskId)).status).toMatchObject({
    phase: 'waiting',
    retries: 1,
    errorMessage: 'speech recognition failed',
  });
  expect(await taskRow(taskId)).toMatchObject({ failedAttempts: 1, faults: 0 });
  scriptRecogniser('done');
  await makeTaskDue(taskId);
  await work.drain();
  expect((await getTask(owner, taskId)).status.phase).toBe('completed');
  expect(await listTracks(owner, assetId)).toHaveLength(1);
});

test.each([
  ['cannot read its model', [{ type: 'unusable', reason: 'the folder lacks an encoder' }]],
  ['ends before it has loaded', []],
])('a recogniser that %s is a fault of the server', async (_, answers) => {
  const taskId = await requestTranscription(await createReadyAsset());
  scriptRecogniser('crash', answers);
  await work.once();
  expect((await getTask(owner, taskId)).status).toMatchObject({
    phase: 'waiting',
    errorMessage: 'the speech model of this server cannot be loaded',
  });
  expect(await taskRow(taskId)).toMatchObject({ failedAttempts: 0, faults: 1 });
  await cancelTask(owner, taskId);
});

test('a recogniser that hangs after an invalid answer is killed, and fails the attempt', async () => {
  const taskId = await requestTranscription(await createReadyAsset());
  scriptRecogniser('hang', [{ type: 'loaded' }, { type: 'utterance', text: 1 }]);
  await work.once();
  expect((await getTask(owner, taskId)).status.errorMessage).toBe('speech recognition failed');
  await cancelTask(owner, taskId);
});

/** Process ids of this task's recognisers. */
const recognisersOf = (taskId: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return command.includes('scripted-recogniser') && command.includes(taskId);
    } catch {
      return false; // the process has ended
    }
  });

test('a cancelled task ends its recogniser', async () => {
  const taskId = await requestTranscription(await createReadyAsset());
  scriptRecogniser('hang');
  const running = work.once();
  await expect.poll(() => recognisersOf(taskId), { timeout: 100_000 }).not.toEqual([]);
  await cancelTask(owner, taskId);
  work.runs.checkTask(taskId);
  await running;
  await expect.poll(() => recognisersOf(taskId), { timeout: 100_000 }).toEqual([]);
  expect((await getTask(owner, taskId)).status.phase).toBe('cancelled');

  scriptRecogniser('done');
  const retriedTask = await retryTask(owner, taskId);
  await work.drain();
  expect((await getTask(owner, retriedTask.id)).status.phase).toBe('completed');
});

test('a file without speech fails the task with the reason', async () => {
  const taskId = await requestTranscription(await createReadyAsset());
  scriptRecogniser('done', [{ type: 'loaded' }]);
  await work.drain();
  expect((await getTask(owner, taskId)).status).toMatchObject({
    phase: 'failed',
    errorMessage: 'no speech was found in this asset',
  });
});

test('a transcription is rejected without a model, audio or a supported language, for another team, and twice', async () => {
  const assetId = await createReadyAsset();
  const silent = await createReadyAsset(samples.make('silent.mp4', { audio: null }));
  const off = { ...owner, settings: { ...owner.settings, speech: undefined } };
  const otherOwner = await fixtures.createTeamContext();
  const body = { language: 'en' };
  await expect(transcribeAsset(off, { id: assetId, body })).rejects.toMatchObject({
    code: 'precondition_failed',
    message: expect.stringContaining('STT_MODEL_DIR') as string,
  });
  await expect(transcribeAsset(otherOwner, { id: assetId, body })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(requestTranscription(silent)).rejects.toMatchObject({ code: 'precondition_failed' });
  await expect(requestTranscription(assetId, 'de')).rejects.toMatchObject({
    code: 'invalid',
    message: 'language: must be one of en, pt-BR on this server',
  });
  const first = await requestTranscription(assetId, 'pt');
  await expect(requestTranscription(assetId, 'pt')).rejects.toMatchObject({ code: 'conflict' });
  await cancelTask(owner, first);
});

test('a label that was taken meanwhile gets a number', async () => {
  const assetId = await createReadyAsset();
  await requestTranscription(assetId);
  await work.drain();
  await db.assetTrack.updateMany({ where: { assetId }, data: { label: 'English' } });
  await requestTranscription(assetId);
  await db.assetTrack.updateMany({ where: { assetId }, data: { label: 'English (auto)' } });
  await work.drain();
  expect((await listTracks(owner, assetId)).map(({ label }) => label)).toEqual([
    'English (auto)',
    'English (auto) 2',
  ]);
  await expect(requestTranscription(assetId)).rejects.toMatchObject({ code: 'conflict' });
});
