import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { exampleItemOf, exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { listStreams } from '@/lib/contract/streams/stream-endpoints';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  revealWebhookSecret,
  updateWebhook,
} from '@/lib/contract/webhooks/webhook-endpoints';
import { rollWebhookSecret } from '@/lib/contract/webhooks/webhook-dashboard-endpoints';
import { eventNames } from '@/lib/core/webhooks/events';
import { CreateWebhookDialog } from './webhook-form';
import { WebhookMenu } from './webhook-menu';

const service = setUpFakeService();
const webhook = exampleOf(getWebhook);
const url = 'https://example.com/hooks/headwater';

beforeEach(() => service().onExamples(listStreams));

async function openForm() {
  const { user, visitedPaths } = renderPage(<CreateWebhookDialog />, { at: '/developers/webhooks' });
  await user.click(screen.getByRole('button', { name: 'Create webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create webhook' }));
  const getField = (name: string) => dialog.getByLabelText<HTMLInputElement>(name);
  return {
    user,
    visitedPaths,
    dialog,
    getField,
    fillField: async (name: string, text: string) => {
      await user.click(getField(name));
      await user.paste(text);
    },
    submit: () => user.click(dialog.getByRole('button', { name: 'Create webhook' })),
  };
}

const requestBodies = () =>
  service()
    .callsOf(createWebhook)
    .map(({ body }) => body);
const eventsOf = (group: string) => eventNames.filter((name) => name.startsWith(`${group}.`));

test('the form creates a webhook for the default events of all streams, shows its secret and opens it', async () => {
  service().onExamples(createWebhook);
  const { user, fillField, submit, visitedPaths } = await openForm();
  await fillField('Name', 'Chat bot');
  await fillField('URL', url);
  await submit();
  const dialog = within(await screen.findByRole('dialog', { name: /created$/ }));
  const defaultEvents = ['stream.started', 'stream.idle', 'recording.ready'];
  const sharedSecret = expect.stringMatching(/^whsec_[\w+/]{43}=$/) as string;
  expect(requestBodies()).toEqual([
    { name: 'Chat bot', url, events: defaultEvents, streamId: null, sharedSecret },
  ]);
  dialog.getByText(requestBodies()[0]?.sharedSecret ?? '');
  await user.click(dialog.getByRole('button', { name: 'Open the webhook' }));
  expect(visitedPaths).toEqual([`/developers/webhooks/${webhook.id}`]);
});

test('a webhook can be limited to one stream and to other events', async () => {
  service().onExamples(createWebhook);
  const { user, dialog, fillField, submit } = await openForm();
  await fillField('Name', 'Chat bot');
  await fillField('URL', url);
  const stream = exampleItemOf(listStreams);
  await user.click(dialog.getByRole('combobox', { name: 'Stream: All streams' }));
  await user.keyboard('hall');
  await expect
    .poll(() =>
      service()
        .callsOf(listStreams)
        .map(({ query }) => query.filters),
    )
    .toContain(JSON.stringify([{ id: 'name', value: 'hall' }]));
  await user.click(await screen.findByRole('option', { name: stream.name }));
  await user.click(dialog.getByRole('checkbox', { name: 'recording.ready' }));
  await user.click(dialog.getByRole('checkbox', { name: 'asset.ready' }));
  await submit();
  await expect
    .poll(requestBodies)
    .toMatchObject([{ streamId: stream.id, events: ['stream.started', 'stream.idle', 'asset.ready'] }]);
});

test('the checkbox of a group selects all of its events, or none', async () => {
  const { user, dialog } = await openForm();
  const groupCheckbox = () => dialog.getByRole('checkbox', { name: 'Streams' });
  const chosenEvents = () =>
    eventsOf('stream').filter((name) => dialog.queryByRole('checkbox', { name, checked: true }) !== null);
  expect(groupCheckbox().getAttribute('aria-checked')).toBe('mixed');
  await user.click(groupCheckbox());
  expect(chosenEvents()).toEqual(eventsOf('stream'));
  expect(groupCheckbox().getAttribute('aria-checked')).toBe('true');
  await user.click(groupCheckbox());
  expect(chosenEvents()).toEqual([]);
});

test('every missing field shows an error, and nothing is sent', async () => {
  const { user, dialog, submit } = await openForm();
  for (const name of ['stream.started', 'stream.idle', 'recording.ready']) {
    await user.click(dialog.getByRole('checkbox', { name }));
  }
  await submit();
  await dialog.findByRole('textbox', { name: 'Name', description: 'Enter a name' });
  dialog.getByText('Enter a URL that starts with https:// or http://');
  dialog.getByText('Choose at least one event');
  expect(requestBodies()).toEqual([]);
});

test('errors of the service are shown at the URL field or the form, and the input is kept', async () => {
  service().reject(
    createWebhook,
    'invalid',
    { field: 'url', message: 'must not be a private address' },
    'you have 50 webhooks',
  );
  const { dialog, getField, fillField, submit } = await openForm();
  await fillField('Name', 'Chat bot');
  await fillField('URL', 'http://10.0.0.1/hook');
  await submit();
  await dialog.findByRole('textbox', { name: 'URL', description: 'Must not be a private address' });
  dialog.getByText('You have 50 webhooks');
  expect([getField('Name').value, getField('URL').value]).toEqual(['Chat bot', 'http://10.0.0.1/hook']);
});

test('the sample shows the payload of the chosen event', async () => {
  const { user, dialog, getField } = await openForm();
  await user.click(dialog.getByText('Sample event'));
  await user.selectOptions(getField('Event'), 'asset.ready');
  expect(dialog.getByLabelText('Sample payload', { selector: 'pre' }).textContent).toContain('asset.ready');
});

async function chooseMenuItem(item: string) {
  const { user, visitedPaths } = renderPage(<WebhookMenu webhook={webhook} email="ada@example.com" />, {
    at: `/developers/webhooks/${webhook.id}`,
  });
  await user.click(screen.getByRole('button', { name: `Actions for ${webhook.name}` }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
  return { user, visitedPaths };
}

test.each([
  ['that exists', exampleItemOf(listStreams).id, 'Town hall'],
  ['that does not exist', 'aaaaaaaa-93b8-4d26-9a55-2f5c2d4a7b10', 'aaaaaaaa'],
])('editing a webhook keeps a stream %s', async (_title, streamId, shownText) => {
  service().onExamples(updateWebhook);
  const { user } = renderPage(<WebhookMenu webhook={{ ...webhook, streamId }} email="ada@example.com" />);
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: `Edit “${webhook.name}”` }));
  await dialog.findByRole('combobox', { name: `Stream: ${shownText}` });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  const { name, url: savedUrl, events } = webhook;
  expect(
    service()
      .callsOf(updateWebhook)
      .map(({ body }) => body),
  ).toEqual([{ name, url: savedUrl, events, streamId }]);
});

test('editing keeps the event of a webhook for playback policies, which the form does not show', async () => {
  service().onExamples(updateWebhook);
  const policyWebhook: typeof webhook = { ...webhook, events: ['playback.accessControl'] };
  const { user } = renderPage(<WebhookMenu webhook={policyWebhook} email="ada@example.com" />);
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: `Edit “${webhook.name}”` }));
  expect(dialog.queryByText('playback.accessControl')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const secondDialog = within(await screen.findByRole('dialog', { name: `Edit “${webhook.name}”` }));
  await user.click(secondDialog.getByRole('checkbox', { name: 'asset.ready' }));
  await user.click(secondDialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  const updates = service().callsOf(updateWebhook);
  expect(updates.map(({ body }) => body)).toMatchObject([
    { events: ['playback.accessControl'] },
    { events: ['asset.ready', 'playback.accessControl'] },
  ]);
});

test.each([
  ['Reveal secret', revealWebhookSecret],
  ['Roll secret', rollWebhookSecret],
] as const)('“%s” requires the password, and shows an error if it is wrong', async (item, endpoint) => {
  service().reject(endpoint, 'invalid', { field: 'password', message: 'is wrong' });
  const { user } = await chooseMenuItem(item);
  const dialog = within(await screen.findByRole('dialog'));
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: item });
  expect(submit.disabled).toBe(true);
  await user.type(dialog.getByLabelText('Your password'), 'not it{Enter}');
  await dialog.findByText('Is wrong');
  service().onExamples(endpoint);
  await user.click(submit);
  const { secret } = exampleOf(endpoint);
  const field = await dialog.findByRole('group', { name: 'Secret' });
  expect(field.textContent).toBe(secret);
});

test('a webhook is deleted after the confirmation word is entered', async () => {
  service().onExamples(deleteWebhook);
  const { user, visitedPaths } = await chooseMenuItem('Delete webhook');
  const dialog = within(
    await screen.findByRole('alertdialog', { name: `Delete the webhook “${webhook.name}”?` }),
  );
  await user.type(dialog.getByRole('textbox'), 'chat bot{Enter}');
  expect(service().callsOf(deleteWebhook)).toEqual([]);
  await user.clear(dialog.getByRole('textbox'));
  await user.type(dialog.getByRole('textbox'), 'delete{Enter}');
  await expect.poll(() => visitedPaths).toEqual(['/developers/webhooks']);
});
