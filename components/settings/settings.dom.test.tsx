import { screen, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { exampleItemOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { RelativeTime } from '@/components/ui/relative-time';
import { browserTime } from '@/components/ui/time/time-choice';
import { storeTimeChoice } from '@/components/ui/time/store-time-settings';
import { listAuditEntries } from '@/lib/contract/accounts/account';
import { AuditLog } from './audit-log';
import { TimePanel } from './time-panel';

const service = setUpFakeService();

describe('the time format', () => {
  // Restores the automatic choice.
  afterEach(() => storeTimeChoice({ choice: { zone: 'auto', hours: 'auto' }, browser: browserTime() }, {}));
  const timestamp = Date.UTC(2020, 4, 20, 22, 5, 9);

  test('is stored in a cookie, and applies to a displayed time immediately', async () => {
    const { user } = renderPage(
      <>
        <RelativeTime at={timestamp} />
        <TimePanel />
      </>,
      { at: '/settings/time' },
    );
    const zone = screen.getByRole('combobox', { name: /^Time zone/ });
    expect(zone.textContent).toBe(`Automatic: ${browserTime().zone}`);
    await user.click(zone);
    await user.type(screen.getByPlaceholderText('Search by name'), 'tokyo');
    await user.click(await screen.findByRole('option', { name: 'Asia/Tokyo' }));
    await user.selectOptions(screen.getByLabelText('Hours'), '12');
    // In that time zone it is already the next day.
    const time = await screen.findByText('May 21, 2020');
    await user.hover(time);
    expect(time.title).toBe('May 21, 2020, 7:05:09 AM GMT+9');
    expect(decodeURIComponent(document.cookie)).toContain('headwater-time=Asia/Tokyo|12|');
    await user.selectOptions(screen.getByLabelText('Hours'), '24');
    await user.unhover(time);
    await user.hover(time);
    expect(time.title).toBe('May 21, 2020, 07:05:09 GMT+9');
  });
});

describe('the audit log', () => {
  const example = exampleItemOf(listAuditEntries, { action: 'stream.created' });
  const requestedFilters = () => service().callsOf(listAuditEntries).at(-1)?.query.filters;

  test('is filtered by one kind of object, and shows all kinds again', async () => {
    service().on(listAuditEntries, ({ query }) => pageOf(query.filters ? [] : [example]));
    const { user } = renderPage(<AuditLog />, { at: '/settings/audit-log' });
    const table = within(await screen.findByRole('table', { name: 'Audit log' }));
    await table.findByText('Stream created');
    await user.selectOptions(screen.getByLabelText('Kind'), 'Webhooks');
    await screen.findByText('No entry of this kind');
    expect(requestedFilters()).toBe(JSON.stringify([{ id: 'action', value: 'webhook.' }]));
    expect(window.location.search).toBe('?kind=webhook');
    await user.click(screen.getByRole('button', { name: 'Show all kinds' }));
    await screen.findByText('Stream created');
    expect(window.location.search).toBe('');
  });

  test('is filtered by the kind in its URL', async () => {
    service().on(listAuditEntries, pageOf([example]));
    renderPage(<AuditLog />, { at: '/settings/audit-log?kind=stream' });
    await screen.findByText('Stream created');
    expect(requestedFilters()).toBe(JSON.stringify([{ id: 'action', value: 'stream.' }]));
  });
});
