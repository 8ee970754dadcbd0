import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { renderPage } from '@/components/testing/render-page';
import { SideSheet } from './side-sheet';

afterEach(cleanup);

const sheet = (
  <SideSheet title="Navigation" closeLabel="Close navigation" trigger={<button type="button">Open</button>}>
    {(close) => (
      <button type="button" onClick={close}>
        Go there
      </button>
    )}
  </SideSheet>
);

test.each(['Go there', 'Close navigation'])(
  'the sheet opens by its button, closes by "%s", and returns the focus to its button',
  async (name) => {
    const { user } = renderPage(sheet);
    const trigger = screen.getByRole('button', { name: 'Open' });
    await user.click(trigger);
    expect(screen.getByRole('dialog', { name: 'Navigation' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(trigger);
  },
);
