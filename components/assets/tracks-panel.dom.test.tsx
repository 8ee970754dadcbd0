import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getAsset } from '@/lib/contract/assets/asset-endpoints';
import { addTrack, deleteTrack, listTracks, updateTrack } from '@/lib/contract/assets/track';
import { listTasks } from '@/lib/contract/tasks/task';
import { transcribeAsset } from '@/lib/contract/assets/transcribe';
import { ServerFeaturesProvider, defaultFeatures } from '@/components/shell/server-features';
import { TracksPanel } from './tracks-panel';

const service = setUpFakeService();
const asset = exampleOf(getAsset);
const track = exampleOf(addTrack);
const requestBodies = (endpoint: typeof addTrack | typeof updateTrack) =>
  service()
    .callsOf(endpoint)
    .map(({ body }) => body);

function openPanel(tracks = [track]) {
  service().on(listTracks, tracks);
  return renderPage(<TracksPanel asset={asset} />);
}

async function openForm() {
  const { user } = openPanel([]);
  await screen.findByText('No subtitles yet');
  await user.click(screen.getByRole('button', { name: 'Add subtitles' }));
  const form = within(await screen.findByRole('dialog', { name: 'Add subtitles' }));
  const field = form.getByLabelText<HTMLInputElement>('Subtitle file');
  const chooseFile = (bytes: BlobPart, name: string) => user.upload(field, new File([bytes], name));
  const add = () => user.click(form.getByRole('button', { name: 'Add subtitles' }));
  return { user, form, chooseFile, add };
}

test('an uploaded subtitle file gets the language that its file name contains', async () => {
  service().on(addTrack, track);
  const { form, chooseFile, add } = await openForm();
  await add();
  await form.findByText('Choose a file');
  await chooseFile('WEBVTT', 'film.pt-br.vtt');
  await form.findByText('film.pt-br.vtt');
  await add();
  await screen.findByText('Added “Deutsch”');
  expect(requestBodies(addTrack)).toEqual([{ language: 'pt-BR', kind: 'subtitles', body: 'WEBVTT' }]);
});

test('a Windows-1252 file is decoded, and validation errors of the service are shown', async () => {
  service().reject(
    addTrack,
    'invalid',
    { field: 'body', message: 'has no cues' },
    { field: 'label', message: 'is used' },
  );
  const { form, chooseFile, add } = await openForm();
  // “grün” in Windows-1252.
  await chooseFile(new Uint8Array([0x67, 0x72, 0xfc, 0x6e]), 'film.srt');
  await form.findByText('film.srt');
  await add();
  await form.findByText(/has no cues/i);
  await form.findByText(/is used/i);
  expect(requestBodies(addTrack)).toMatchObject([{ body: 'grün' }]);
});

test('a file that cannot be read has an error beside its field, and is not added', async () => {
  service().on(addTrack, track);
  const { user, form, chooseFile, add } = await openForm();
  const file = new File(['WEBVTT'], 'gone.vtt');
  file.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
  await user.upload(form.getByLabelText<HTMLInputElement>('Subtitle file'), file);
  await form.findByText('The file could not be read. Choose it again.');
  await add();
  expect(requestBodies(addTrack)).toEqual([]);
  await chooseFile('WEBVTT', 'film.vtt');
  await form.findByText('film.vtt');
  expect(form.queryByText('The file could not be read. Choose it again.')).toBeNull();
});

test('a track can be made the default, and is deleted after a confirmation', async () => {
  service().on(updateTrack, { ...track, default: true });
  service().onExamples(deleteTrack);
  const { user } = openPanel();
  const chooseMenuItem = async (item: string) => {
    await user.click(await screen.findByRole('button', { name: /Deutsch/ }));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };
  await chooseMenuItem('Show by default');
  await expect.poll(() => requestBodies(updateTrack)).toEqual([{ default: true }]);
  await chooseMenuItem('Delete');
  await user.click(await screen.findByRole('button', { name: 'Delete subtitles' }));
  await screen.findByText('Subtitles deleted');
  expect(service().callsOf(deleteTrack)).toMatchObject([{ params: { trackId: track.id } }]);
});

test('generated subtitles show their progress, and are listed as automatic when they are ready', async () => {
  const { task } = exampleOf(transcribeAsset);
  service().on(listTracks, []);
  service().on(listTasks, pageOf([]));
  service().on(transcribeAsset, { task });
  const { user } = renderPage(
    <ServerFeaturesProvider value={{ ...defaultFeatures, speechLanguages: ['en', 'de'] }}>
      <TracksPanel asset={asset} />
    </ServerFeaturesProvider>,
  );
  await user.click(await screen.findByRole('button', { name: 'Generate subtitles' }));
  const form = within(await screen.findByRole('dialog', { name: 'Generate subtitles' }));
  await user.selectOptions(form.getByLabelText('Spoken language'), 'German');
  expect(form.getByPlaceholderText('Deutsch (auto)')).toBe(form.getByLabelText('Label'));
  service().on(
    listTasks,
    pageOf([{ ...task, status: { ...task.status, phase: 'running', progress: 0.43 } }]),
  );
  await user.click(form.getByRole('button', { name: 'Generate subtitles' }));
  await screen.findByText(/Generating subtitles: 43 %/);
  expect(service().callsOf(transcribeAsset)).toMatchObject([{ body: { language: 'de' } }]);
  service().on(listTracks, [{ ...track, generated: true }]);
  service().on(listTasks, pageOf([{ ...task, status: { ...task.status, phase: 'completed' } }]));
  await screen.findByText('Automatic', {}, { timeout: 60_000 });
});

test('a server without speech recognition does not offer to generate subtitles', async () => {
  openPanel();
  await screen.findByText('Deutsch');
  expect(screen.queryByRole('button', { name: 'Generate subtitles' })).toBeNull();
  expect(service().callsOf(listTasks)).toEqual([]);
});
