import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import { PlayerState } from './player-state';

afterEach(cleanup);

const props = { phase: 'playing', isFramed: false, hasPoster: false, logo: undefined } as const;

test.each([
  [false, 'Playing'],
  [true, 'Paused'],
])('with paused = %s, screen readers announce %s', (paused, text) => {
  renderPage(<PlayerState {...props} paused={paused} />);
  expect(screen.getByRole('status').textContent).toBe(text);
});
