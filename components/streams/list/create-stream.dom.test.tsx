import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { exampleOf, createDelayedResponse, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import type { Stream } from '@/lib/contract/streams/stream';
import { createStream } from '@/lib/contract/streams/stream-endpoints';
import { CreateStreamDialog } from './create-stream';

const service = setUpFakeService();

/** Opens the form. `createdStreams` are the streams that the form has passed on. */
async function openForm() {
  const createdStreams: Stream[] = [];
  const page = renderPage(<CreateStreamDialog onCreated={(stream) => createdStreams.push(stream)} />, {
    at: '/streams',
  });
  await page.user.click(screen.getByRole('button', { name: 'Create stream' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create stream' }));
  const nameField = () => dialog.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
  const submitButton = () => dialog.getByRole('button', { name: 'Create stream' });
  return { ...page, createdStreams, dialog, nameField, submitButton };
}

const requestBodies = () =>
  service()
    .callsOf(createStream)
    .map(({ body }) => body);

test('the form creates the stream with its settings, closes and passes the stream on', async () => {
  service().onExamples(createStream);
  const { user, dialog, nameField, submitButton, createdStreams } = await openForm();
  await user.type(nameField(), '  Town hall ');
  await user.click(dialog.getByRole('switch', { name: 'Record', checked: true }));
  await user.click(submitButton());
  await expect.poll(() => createdStreams).toEqual([exampleOf(createStream)]);
  expect(requestBodies()).toEqual([{ name: 'Town hall', record: false }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the form requires the password of viewers before it creates a stream with that policy', async () => {
  service().onExamples(createStream);
  const { user, dialog, nameField, submitButton } = await openForm();
  await user.type(nameField(), 'Members');
  const policy = dialog.getByRole('combobox', { name: 'Who can watch' });
  await user.selectOptions(policy, 'password');
  await user.click(submitButton());
  const password = await dialog.findByRole('textbox', {
    name: 'Password for viewers',
    description: /Enter a password/,
  });
  expect(requestBodies()).toEqual([]);
  await user.type(password, 'sesame');
  await user.click(submitButton());
  await expect
    .poll(requestBodies)
    .toEqual([{ name: 'Members', record: true, playbackPolicy: { type: 'password', password: 'sesame' } }]);
});

test('the form creates a stream with the source of a pull, without surrounding spaces', async () => {
  service().onExamples(createStream);
  const { user, dialog, nameField } = await openForm();
  await user.type(nameField(), 'Camera');
  await user.type(dialog.getByRole('textbox', { name: /Pull from another server/ }), ' rtsp://cam/x {Enter}');
  await expect
    .poll(requestBodies)
    .toEqual([{ name: 'Camera', record: true, pull: { source: 'rtsp://cam/x' } }]);
});

test('the form shows an error of the service at the source of a pull', async () => {
  service().reject(createStream, 'invalid', { field: 'pull.source', message: 'must name a port' });
  const { user, dialog, nameField } = await openForm();
  await user.type(nameField(), 'Camera');
  await user.type(dialog.getByRole('textbox', { name: /Pull from/ }), 'srt://cam.example.com{Enter}');
  await dialog.findByRole('textbox', { name: /Pull from/, description: /Must name a port/ });
});

test('the form validates the name before it sends a request', async () => {
  service().onExamples(createStream);
  const { user, dialog, submitButton } = await openForm();
  await user.click(submitButton());
  await dialog.findByRole('textbox', { name: 'Name', description: 'Enter a name' });
  expect(requestBodies()).toEqual([]);
});

test('the form shows an error of the service at the name and keeps the input', async () => {
  service().reject(createStream, 'invalid', { field: 'name', message: 'is used by another stream' });
  const { user, dialog, nameField, submitButton, createdStreams } = await openForm();
  await user.type(nameField(), 'Town hall');
  await user.click(dialog.getByRole('switch', { name: 'Record' }));
  await user.click(submitButton());
  await dialog.findByRole('textbox', { description: 'Is used by another stream' });
  expect(nameField().value).toBe('Town hall');
  dialog.getByRole('switch', { name: 'Record', checked: false });
  expect(createdStreams).toEqual([]);
});

test('the form shows errors that belong to no field', async () => {
  service().reject(createStream, 'rate_limited', 'You have 1000 streams. Delete one first.');
  const { user, dialog, nameField } = await openForm();
  await user.type(nameField(), 'Town hall{Enter}');
  await dialog.findByText('You have 1000 streams. Delete one first.');
});

test.each([
  ['a double click', 'dblClick'],
  ['Enter pressed twice', 'enter'],
] as const)('the form sends one request for %s', async (_title, action) => {
  const reply = createDelayedResponse<Stream>();
  service().on(createStream, () => reply.response);
  const { user, nameField, submitButton, createdStreams } = await openForm();
  await user.type(nameField(), 'Town hall');
  if (action === 'enter') await user.keyboard('{Enter}{Enter}');
  else await user.dblClick(submitButton());
  reply.send(exampleOf(createStream));
  await expect.poll(() => createdStreams).toHaveLength(1);
  expect(requestBodies()).toHaveLength(1);
});

test('the form is in the URL while it is open, and discards an error when it is closed', async () => {
  service().reject(createStream, 'invalid', { field: 'name', message: 'is used by another stream' });
  const { user, dialog, nameField } = await openForm();
  expect(window.location.search).toBe('?new=1');
  await user.type(nameField(), 'Town hall{Enter}');
  await dialog.findByText('Is used by another stream');
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  expect(window.location.search).toBe('');
  await user.click(screen.getByRole('button', { name: 'Create stream' }));
  await screen.findByRole('dialog');
  expect(screen.queryByText('Is used by another stream')).toBeNull();
});
