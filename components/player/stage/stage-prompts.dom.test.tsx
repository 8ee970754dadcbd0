import { cleanup, screen } from '@testing-library/react';
import { afterEach, test, vi } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import { StagePrompts } from './stage-prompts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  [true, 'Click to unmute'],
  [false, 'Tap to unmute'],
])('with hasMouse = %s, the button is named “%s”', (hasMouse, text) => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(pointer: fine)' && hasMouse }));
  renderPage(
    <StagePrompts
      video={document.createElement('video')}
      unmuteOffered
      onUnmute={() => undefined}
      resumedAt={undefined}
      onShare={undefined}
    />,
  );
  screen.getByRole('button', { name: text });
});
