import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import Sheet from './sheet';

const { classList } = document.documentElement;
const initialClasses = classList.value;

afterEach(() => {
  cleanup();
  classList.value = initialClasses;
});

test.each(['light', 'dark'] as const)(
  'a sheet over the dark stage of a %s page has the theme of the page',
  (theme) => {
    classList.value = theme;
    const stage = document.body.appendChild(document.createElement('div'));
    stage.className = 'dark';
    renderPage(<Sheet name="help" stage={stage} video={null} share={undefined} onClose={() => undefined} />);
    const dialog = screen.getByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(stage.contains(dialog)).toBe(true);
    expect(dialog.classList.contains('page-light')).toBe(theme === 'light');
  },
);
