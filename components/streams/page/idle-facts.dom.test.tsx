import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { DAY_MS, MINUTE_MS } from '@/lib/core/units';
import { IdleFacts } from './idle-facts';

setUpFakeService();
const now = Date.now();

test('an idle stream shows its next and its last broadcast', () => {
  renderPage(<IdleFacts stream={{ startsAt: now + 2 * DAY_MS, lastSeen: now - 8 * MINUTE_MS }} />);
  screen.getByText(/^Next \w{3} \d/);
  expect(screen.getByText(/^Last live/).textContent).toBe('Last live 8 min ago');
});

test('a stream that was never live, or whose announced start has passed, shows neither', () => {
  renderPage(<IdleFacts stream={{ startsAt: now - MINUTE_MS, lastSeen: 0 }} />);
  expect(screen.queryByText(/Next|Last live/)).toBeNull();
});
