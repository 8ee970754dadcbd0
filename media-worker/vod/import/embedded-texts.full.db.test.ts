import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { addTrack, listTracks, readTrackText, replaceAsset } from '@/lib/domain/assets';
import { newId } from '@/lib/infra/ids';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { createWorkerFixtures } from '@/media-worker/testing/worker-fixtures';
import { receiveFile } from '@/media-worker/vod/tasks/testing/received-file';
import { createAssetWork } from '@/media-worker/vod/tasks/testing/asset-work-setup';
import { createTaskRunner } from '@/media-worker/vod/tasks/testing/run-tasks';
import { importAssetJob } from './import-asset';

const { foreign, fixtures, owner, samples, work } = await createAssetWork({ import: importAssetJob });

const writeSrt = (name: string, ...texts: readonly string[]): string => {
  const cues = texts.map((text, n) => `${n + 1}\n00:00:0${n},200 --> 00:00:0${n},900\n${text}\n`);
  writeFileSync(samples.path(name), cues.join('\n'));
  return samples.path(name);
};
/** Creates a video with subtitles in English and German. */
function makeVideoWithSubtitles(name: string, codecs: readonly string[]): string {
  const film = samples.make('film.mp4', { seconds: 3 });
  const [english, german] = [
    writeSrt('en.srt', 'Hello <i>you</i>', '<script>1</script>'),
    writeSrt('de.srt', 'Hallo'),
  ];
  samples.ffmpeg(
    ...[
      '-i',
      film,
      '-i',
      english,
      '-i',
      german,
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-c',
      'copy',
      ...codecs,
    ],
    ...['-metadata:s:s:0', 'language=eng', '-metadata:s:s:1', 'language=ger', samples.path(name)],
  );
  return samples.path(name);
}
const mp4SubtitleArgs = ['-c:s', 'mov_text'];
const textsOf = async (assetId: string) => {
  const tracks = await listTracks(owner, assetId);
  const texts = await Promise.all(tracks.map(({ id }) => readTrackText(fixtures.ctx, id)));
  return tracks.map(({ label, language }, n) => ({ label, language, text: texts[n] ?? '' }));
};

test('subtitles of an MP4 become tracks, and are replaced with its file', async () => {
  const { assetId } = await receiveFile(
    fixtures,
    owner,
    makeVideoWithSubtitles('film-texts.mp4', mp4SubtitleArgs),
  );
  await work.drain();
  const [english, german, ...more] = await textsOf(assetId);
  expect(more).toEqual([]);
  expect([english, german]).toMatchObject([
    { label: 'English', language: 'en' },
    { label: 'Deutsch', language: 'de' },
  ]);
  expect(english?.text).toContain('00:00:00.200 --> 00:00:00.900\nHello <i>you</i>');
  expect(english?.text).not.toContain('<script>');

  const ownTrack = { language: 'fr', body: readFileSync(samples.path('en.srt'), 'utf8') };
  await addTrack(owner, { id: assetId, track: ownTrack });
  const otherVideo = readFileSync(samples.make('other.mp4', { seconds: 2 }));
  foreign.answer = (_: unknown, response: ServerResponse) => response.end(otherVideo);
  await replaceAsset(owner, { id: assetId, url: `${foreign.base}/${newId()}.mp4` });
  await work.drain();
  expect((await textsOf(assetId)).map(({ label }) => label)).toEqual(['Français']);
});

test('subtitles of other containers become tracks', async () => {
  const anyFormat = createWorkerFixtures(await createTestDatabase(), { acceptMedia: 'any' });
  const runner = createTaskRunner(anyFormat.ctx, { import: importAssetJob });
  const otherOwner = await anyFormat.createTeamContext();
  const path = makeVideoWithSubtitles('texts.mkv', ['-c:s:0', 'srt', '-c:s:1', 'ass']);
  const { assetId } = await receiveFile(anyFormat, otherOwner, path);
  await runner.drain();
  await runner.close();
  const tracks = await listTracks(otherOwner, assetId);
  expect(tracks.map(({ label }) => label)).toEqual(['English', 'Deutsch']);
  expect(await readTrackText(anyFormat.ctx, tracks[1]?.id ?? '')).toContain('Hallo');
});
