import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { WebhookView } from '@/app/(dashboard)/developers/webhooks/[id]/webhook-view';
import {
  exampleItemOf,
  exampleOf,
  setUpFakeService,
  createDelayedResponse,
  pageOf,
} from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import type { Webhook, WebhookDelivery } from '@/lib/contract/webhooks/webhook';
import {
  listWebhookDeliveries,
  replayEvents,
  resendFailedDeliveries,
  sendTestEvent,
} from '@/lib/contract/webhooks/webhook-dashboard-endpoints';
import { getStream } from '@/lib/contract/streams/stream-endpoints';
import { getWebhook, updateWebhook } from '@/lib/contract/webhooks/webhook-endpoints';
import { listWebhookLogs, resendWebhookLog } from '@/lib/contract/webhooks/webhook-log-endpoints';
import { HOUR_MS } from '@/lib/core/units';

const service = setUpFakeService();
const webhook = exampleOf(getWebhook);
const delivery = exampleItemOf(listWebhookDeliveries, { state: 'failed' });
const attempt = exampleItemOf(listWebhookLogs);

beforeEach(() => {
  service().onExamples(listWebhookLogs);
  service().on(listWebhookDeliveries, pageOf([delivery]));
});

function openPage(change: Partial<Webhook> = {}, query = '') {
  service().on(getWebhook, { ...webhook, ...change });
  return renderPage(<WebhookView id={webhook.id} email="ada@example.com" />, {
    at: `/developers/webhooks/${webhook.id}${query}`,
  });
}

const findDeliveries = async () => within(await screen.findByRole('list', { name: 'Deliveries' }));
const requestedFilters = (): unknown =>
  JSON.parse(service().callsOf(listWebhookDeliveries).at(-1)?.query.filters ?? '[]');
const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;

test('a webhook of one stream shows the name of the stream with a link', async () => {
  const stream = exampleOf(getStream, { name: 'Town hall' });
  service().on(getStream, stream);
  openPage({ streamId: stream.id });
  const link = await screen.findByRole('link', { name: 'Town hall' });
  expect(link.getAttribute('href')).toBe(`/streams/${stream.id}`);
});

test('a webhook shows the id of a deleted stream, without a link', async () => {
  const { id } = exampleOf(getStream);
  service().reject(getStream, 'not_found', 'No such stream.');
  openPage({ streamId: id });
  await screen.findByText(id);
  expect(screen.queryByRole('link', { name: id })).toBeNull();
});

describe('the deliveries of a webhook', () => {
  test('expand to their attempts with requests and responses', async () => {
    const { user } = openPage();
    await user.click((await findDeliveries()).getByRole('button', { name: /stream\.started/ }));
    const attempts = within(await screen.findByRole('list', { name: 'Attempts' }));
    attempts.getByText('The receiver answered 500');
    expect(attempts.getByLabelText('Request body', { selector: 'pre' }).textContent).toContain(
      '"event": "stream.started"',
    );
    expect(attempts.getByLabelText('Response body', { selector: 'pre' }).textContent).toBe('oops');
  });

  test('are resent with a button, and a rejection is shown', async () => {
    const { user } = openPage();
    await user.click((await findDeliveries()).getByRole('button', { name: /stream\.started/ }));
    service().reject(resendWebhookLog, 'rate_limited', 'At most ten a minute.');
    await user.click(await screen.findByRole('button', { name: 'Resend' }));
    await screen.findByText('At most ten a minute.');
    service().onExamples(resendWebhookLog);
    await user.click(screen.getByRole('button', { name: 'Resend' }));
    await expect
      .poll(() =>
        service()
          .callsOf(resendWebhookLog)
          .map(({ params }) => params.logId),
      )
      .toEqual([attempt.id, attempt.id]);
  });

  test.each([
    [12, '12 resent'],
    [0, 'Nothing to resend'],
  ])(
    'that failed are resent together, and with %i resent deliveries “%s” is shown',
    async (resent, message) => {
      service().on(resendFailedDeliveries, { resent });
      const { user } = openPage();
      await user.click(await screen.findByRole('button', { name: 'Resend failed' }));
      await screen.findByText(message);
    },
  );

  test('are filtered by state, with a message if there are none', async () => {
    const { user } = openPage();
    await findDeliveries();
    const noDeliveries: WebhookDelivery[] = [];
    service().on(listWebhookDeliveries, pageOf(noDeliveries));
    await user.click(screen.getByText('Skipped', { selector: 'button, label' }));
    await screen.findByText('No deliveries in this state.');
    expect(requestedFilters()).toEqual([{ id: 'state', value: 'skipped' }]);
  });

  test('are reduced to the delivery in the URL, which is expanded', async () => {
    const { user } = openPage({}, `?delivery=${delivery.id}`);
    await screen.findByRole('list', { name: 'Attempts' });
    expect(requestedFilters()).toEqual([{ id: 'id', value: delivery.id }]);
    await user.click(screen.getByRole('button', { name: 'Show all deliveries' }));
    await expect.poll(requestedFilters).toEqual([]);
    expect(window.location.search).toBe('');
  });

  test('of a time range are resent, and an end before the start shows an error', async () => {
    const { user } = openPage();
    service().onExamples(replayEvents);
    await user.click(await screen.findByRole('button', { name: 'Replay' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Replay a time range' }));
    const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Replay' });
    expect(submit.disabled).toBe(true);
    fireEvent.change(dialog.getByLabelText('From'), { target: { value: '2026-01-02T10:00' } });
    fireEvent.change(dialog.getByLabelText('To'), { target: { value: '2026-01-02T09:00' } });
    await user.click(submit);
    await dialog.findByText('Must be after from');
    fireEvent.change(dialog.getByLabelText('To'), { target: { value: '2026-01-02T11:00' } });
    await user.click(submit);
    await screen.findByText(`${exampleOf(replayEvents).resent} resent`);
    const [replayCall] = service().callsOf(replayEvents);
    expect(replayCall && replayCall.body.to - replayCall.body.from).toBe(HOUR_MS);
  });
});

describe('a webhook', () => {
  test('that the service disabled shows why, and its buttons that send are disabled until it is enabled', async () => {
    const { user } = openPage({ disabled: true, disabledReason: 'gone' });
    await screen.findByText(/the receiver answered 410 Gone/);
    for (const name of ['Replay', 'Resend failed', 'Send test event']) expect(isDisabled(name)).toBe(true);
    service().on(updateWebhook, ({ body }) =>
      service().on(getWebhook, { ...webhook, disabled: body.disabled ?? true }),
    );
    await user.click(screen.getByRole('switch', { name: 'Deliver events', checked: false }));
    await expect.poll(() => isDisabled('Replay')).toBe(false);
    expect(screen.queryByText(/410 Gone/)).toBeNull();
  });

  test('is shown as disabled before the service confirms it, and as enabled if the service rejects the change', async () => {
    const { user } = openPage();
    const reply = createDelayedResponse<never>();
    service().on(updateWebhook, () => reply.response);
    await user.click(await screen.findByRole('switch', { name: 'Deliver events', checked: true }));
    await screen.findByRole('switch', { name: 'Deliver events', checked: false });
    reply.reject('unavailable', 'Try again later.');
    await screen.findByRole('switch', { name: 'Deliver events', checked: true });
    await screen.findByText('Try again later.');
  });

  test('is tested with a sample event', async () => {
    service().onExamples(sendTestEvent);
    const { user } = openPage({ events: ['asset.ready', 'stream.idle'] });
    await user.click(await screen.findByRole('button', { name: 'Send test event' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send test event' }));
    expect(dialog.getByLabelText<HTMLSelectElement>('Event').value).toBe('asset.ready');
    await user.click(dialog.getByRole('button', { name: 'Send' }));
    await screen.findByText('Test asset.ready sent');
    expect(
      service()
        .callsOf(sendTestEvent)
        .map(({ body }) => body),
    ).toEqual([{ event: 'asset.ready' }]);
  });
});
