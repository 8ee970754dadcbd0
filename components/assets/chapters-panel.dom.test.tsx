import { useState } from 'react';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getAsset, updateAsset } from '@/lib/contract/assets/asset-endpoints';
import ChaptersButton from '@/components/player/controls/chapters-button';
import { ChaptersPanel } from './chapters-panel';

const service = setUpFakeService();
const example = exampleOf(getAsset);
const chapters = [
  { start: 0, title: 'The spring' },
  { start: 61.5, title: 'The weir' },
];
const text = '0:00 The spring\n1:01.500 The weir';
const spec = { format: 'mp4', duration: 120, tracks: [] };
const asset = { ...example, chapters, videoSpec: spec };

function openPanel() {
  service().on(updateAsset, asset);
  const { user } = renderPage(<ChaptersPanel asset={asset} />);
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'One chapter per line' });
  const write = (value: string) => fireEvent.change(field, { target: { value } });
  const save = () => user.click(screen.getByRole('button', { name: 'Save chapters' }));
  return { field, write, save };
}
const calls = () =>
  service()
    .callsOf(updateAsset)
    .map(({ body }) => body);

test('chapters are shown as lines and saved as a whole', async () => {
  const { field, write, save } = openPanel();
  expect(field.value).toBe(text);
  write('0:05 The mill\n\n1:10 The sea');
  await save();
  await screen.findByText('Chapters saved');
  expect(calls()).toEqual([
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
])('invalid chapters %j are not sent', async (wrong, message) => {
  const { field, write, save } = openPanel();
  write(wrong);
  await save();
  await screen.findByText(message);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(calls()).toEqual([]);
});

test('a file fills the field and is saved like entered text', async () => {
  const { field, save } = openPanel();
  const input = screen.getByLabelText<HTMLInputElement>('Chapters file');
  const chooseFile = (file: File) => fireEvent.change(input, { target: { files: [file] } });
  const choose = (text: string) => chooseFile(new File([text], 'chapters.vtt'));
  choose('nothing');
  await screen.findByText(/The file has no chapters/);
  const gone = new File([], 'chapters.vtt');
  gone.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
  chooseFile(gone);
  await screen.findByText('The file could not be read. Choose it again.');
  choose('WEBVTT\n\n00:00.000 --> 00:10.000\nThe mill\n\n00:10.000 --> 01:00.000\nThe sea\n');
  await expect.poll(() => field.value).toBe('0:00 The mill\n0:10 The sea');
  await save();
  await screen.findByText('Chapters saved');
  expect(calls()).toEqual([
    {
      chapters: [
        { start: 0, title: 'The mill' },
        { start: 10, title: 'The sea' },
      ],
    },
  ]);
});

test('viewers see the current chapter, and can jump to another', async () => {
  const video = document.createElement('video');
  const stage = document.createElement('section');
  document.body.append(stage);
  function Bar() {
    const [open, onOpenChange] = useState(false);
    return (
      <ChaptersButton
        video={video}
        stage={stage}
        chapters={chapters}
        open={open}
        onOpenChange={onOpenChange}
      />
    );
  }
  const { user } = renderPage(<Bar />);
  const button = await screen.findByRole('button', { name: 'Chapter: The spring' });
  await user.click(button);
  await user.click(await screen.findByRole('button', { name: '1:01 The weir' }));
  expect(video.currentTime).toBe(61.5);
  fireEvent(video, new Event('seeked'));
  await screen.findByRole('button', { name: 'Chapter: The weir' });
  stage.remove();
});
