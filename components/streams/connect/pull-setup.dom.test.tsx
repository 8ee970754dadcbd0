import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { setUpStreamPage } from '@/components/testing/stream-page';
import { startPull } from '@/lib/contract/streams/pull-endpoints';
import { terminateStream, updateStream } from '@/lib/contract/streams/stream-endpoints';

const { service, openStream } = setUpStreamPage();

const streamKey = 'abcd-ef12-3456-7890';
const source = 'rtsp://ada:secret@cam.example.com/live';
const error =
  'Pull: cam.example.com refused the connection on port 554. Check the port and that the source is running.';
const pulling = { streamKey, pull: { source }, pullStatus: { state: 'pulling', since: 1 } } as const;

test('a source entered in the tab “Pull” is saved without surrounding spaces, and the tab disappears', async () => {
  const { user, changeStream } = openStream({ streamKey });
  // Set only now, because the page also requests the stream while the source is typed.
  service().on(
    updateStream,
    () => void changeStream({ ...pulling, pullStatus: { state: 'connecting', since: 1 } }),
  );
  await user.click(await screen.findByRole('tab', { name: 'Pull' }));
  await user.type(await screen.findByRole('textbox', { name: 'Source URL' }), ` ${source} `);
  await user.click(screen.getByRole('button', { name: 'Start' }));
  await screen.findByText('Connecting');
  const calls = service().callsOf(updateStream);
  expect(calls.map(({ body }) => body)).toEqual([{ pull: { source } }]);
  expect(screen.queryByRole('tab', { name: 'Pull' })).toBeNull();
});

test('the error of a rejected source is shown at its field', async () => {
  service().reject(updateStream, 'invalid', { field: 'pull.source', message: 'must name a port' });
  const { user } = openStream({ streamKey });
  await user.click(await screen.findByRole('tab', { name: 'Pull' }));
  await user.type(await screen.findByRole('textbox', { name: 'Source URL' }), 'srt://cam.example.com');
  await user.click(screen.getByRole('button', { name: 'Start' }));
  await screen.findByRole('textbox', { name: 'Source URL', description: /Must name a port/ });
});

test('the pull shows its state without secrets, and can be stopped and restarted', async () => {
  service().on(terminateStream, undefined);
  service().on(startPull, undefined);
  const { user, changeStream } = openStream({
    ...pulling,
    pullStatus: { state: 'waiting', since: 1, error },
  });
  await screen.findByText('Waiting');
  screen.getByText(error);
  expect(document.body.textContent).not.toContain('secret');
  changeStream({ pullStatus: { state: 'stopped', since: null } });
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  await screen.findByText('Stopped');
  changeStream({ pullStatus: { state: 'pulling', since: 2 } });
  await user.click(screen.getByRole('button', { name: 'Start' }));
  await screen.findByText('Pulling');
  expect([service().callsOf(terminateStream).length, service().callsOf(startPull).length]).toEqual([1, 1]);
});

test('“Remove source” ends the pull', async () => {
  service().on(updateStream, undefined);
  const { user } = openStream(pulling);
  await user.click(await screen.findByRole('button', { name: 'Remove source' }));
  await expect
    .poll(() =>
      service()
        .callsOf(updateStream)
        .map(({ body }) => body),
    )
    .toEqual([{ pull: null }]);
});
