import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getAsset, updateAsset } from '@/lib/contract/assets/asset-endpoints';
import { ChaptersPanel } from './chapters-panel';

const service = setUpFakeService();
const example = exampleOf(getAsset);
const chapters = [
  { start: 0, title: 'The spring' },
  { start: 61.5, title: 'The weir' },
];
const chapterText = '0:00 The spring\n1:01.500 The weir';
const videoSpec = { format: 'mp4', duration: 120, tracks: [] };
const asset = { ...example, chapters, videoSpec };

function openPanel() {
  service().on(updateAsset, asset);
  const { user } = renderPage(<ChaptersPanel asset={asset} />);
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'One chapter per line' });
  const enterText = (value: string) => fireEvent.change(field, { target: { value } });
  const saveChapters = () => user.click(screen.getByRole('button', { name: 'Save chapters' }));
  return { field, enterText, saveChapters };
}
const requestBodies = () =>
  service()
    .callsOf(updateAsset)
    .map(({ body }) => body);

test('chapters are shown one per line, and saving replaces all of them', async () => {
  const { field, enterText, saveChapters } = openPanel();
  expect(field.value).toBe(chapterText);
  enterText('0:05 The mill\n\n1:10 The sea');
  await saveChapters();
  await screen.findByText('Chapters saved');
  expect(requestBodies()).toEqual([
    {
      chapters: [
        { start: 5, title: 'The mill' },
        { start: 70, title: 'The sea' },
      ],
    },
  ]);
});

test.each([
  ['0:00 The spring\nThe weir', 'Line 2 must begin with a time such as 4:05 or 1:04:05.'],
  ['2:00 The end', 'Line 1 has a time after the end of the video.'],
])('invalid chapters %j are not sent', async (invalidChapters, message) => {
  const { field, enterText, saveChapters } = openPanel();
  enterText(invalidChapters);
  await saveChapters();
  await screen.findByText(message);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(requestBodies()).toEqual([]);
});

const chooseFile = (file: File) =>
  fireEvent.change(screen.getByLabelText('Chapters file'), { target: { files: [file] } });
const chooseFileWithText = (content: string) => chooseFile(new File([content], 'chapters.vtt'));

test('a file without chapters or that cannot be read shows an error', async () => {
  openPanel();
  chooseFileWithText('nothing');
  await screen.findByText(/The file has no chapters/);
  const unreadableFile = new File([], 'chapters.vtt');
  unreadableFile.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
  chooseFile(unreadableFile);
  await screen.findByText('The file could not be read. Choose it again.');
});

test('chapters from a file fill the text field, and are saved like typed ones', async () => {
  const { field, saveChapters } = openPanel();
  chooseFileWithText('WEBVTT\n\n00:00.000 --> 00:10.000\nThe mill\n\n00:10.000 --> 01:00.000\nThe sea\n');
  await expect.poll(() => field.value).toBe('0:00 The mill\n0:10 The sea');
  await saveChapters();
  await screen.findByText('Chapters saved');
  expect(requestBodies()).toEqual([
    {
      chapters: [
        { start: 0, title: 'The mill' },
        { start: 10, title: 'The sea' },
      ],
    },
  ]);
});
