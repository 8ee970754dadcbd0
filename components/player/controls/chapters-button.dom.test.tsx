import { useState } from 'react';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import ChaptersButton from './chapters-button';

const chapters = [
  { start: 0, title: 'The spring' },
  { start: 61.5, title: 'The weir' },
];

test('the button shows the current chapter, and its list seeks to another chapter', async () => {
  const video = document.createElement('video');
  const stage = document.createElement('section');
  document.body.append(stage);
  function ControlBar() {
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
  const { user } = renderPage(<ControlBar />);
  const button = await screen.findByRole('button', { name: 'Chapter: The spring' });
  await user.click(button);
  await user.click(await screen.findByRole('button', { name: '1:01 The weir' }));
  expect(video.currentTime).toBe(61.5);
  fireEvent(video, new Event('seeked'));
  await screen.findByRole('button', { name: 'Chapter: The weir' });
  stage.remove();
});
