import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { exampleItemOf, exampleOf } from '@/components/testing/fake-service';
import { setUpStreamPage, streamId } from '@/components/testing/stream-page';
import type { ResponseOf } from '@/lib/contract/define-endpoint';
import { setStreamRecord } from '@/lib/contract/streams/stream-endpoints';
import { getStreamMultistream, type TargetStatus, updateTarget } from '@/lib/contract/targets/multistream';
import { testTarget } from '@/lib/contract/targets/target-test';

const { service, openStream } = setUpStreamPage();

const findPanel = async () => within(await screen.findByRole('region', { name: 'Before you go live' }));
const findCheck = async (name: string | RegExp) =>
  within((await findPanel()).getByRole('listitem', { name }));
const textOfCheck = async (name: string | RegExp) =>
  (await findPanel()).getByRole('listitem', { name }).textContent;
const createTargetStatus = (change: Partial<TargetStatus>) =>
  exampleItemOf(getStreamMultistream, { name: 'YouTube', state: 'disconnected', reached: null, ...change });

describe('the checks before a stream goes live', () => {
  test('of a new stream name what is missing, with links to it', async () => {
    openStream({ record: false, profiles: [] });
    await (await findPanel()).findByText('1 of 3 ready');
    expect(await textOfCheck('Encoder')).toContain('No encoder has connected yet.');
    expect(await textOfCheck('If the encoder drops')).toContain('The video stops.');
    const setUp = (await findCheck('If the encoder drops')).getByRole('link');
    expect(setUp.textContent).toBe('Set up');
    expect(setUp.getAttribute('href')).toBe(`/streams/${streamId}?tab=settings#encoder-loss`);
    expect(await textOfCheck('Anyone with the link can watch')).toContain('Source');
    (await findPanel()).getByText(/^No targets\./);
    (await findPanel()).getByRole('button', { name: 'Add target' });
  });

  test('of a prepared stream are ready', async () => {
    service().on(getStreamMultistream, [createTargetStatus({ reached: true, since: Date.now() - 60_000 })]);
    openStream({ record: true, lastSeen: Date.now() - 60_000, backup: true, slate: true });
    await (await findPanel()).findByText('5 of 5 ready');
    expect(await textOfCheck('Encoder')).toContain('Last sent video 1 min ago.');
    expect(await textOfCheck('YouTube')).toContain('Received the last session, 1 min ago.');
    expect(await textOfCheck('If the encoder drops')).toContain('The standby takes over, then the slate.');
  });

  test('show that a suspended stream cannot be watched', async () => {
    openStream({ suspended: true });
    expect(await textOfCheck('Viewers can’t watch')).toContain('The stream is suspended.');
  });

  test('have a switch that turns recording on', async () => {
    const { user, changeStream } = openStream({ record: false });
    service().on(setStreamRecord, ({ body }) => void changeStream({ record: body.record }));
    await user.click((await findCheck('Recording off')).getByRole('switch', { name: 'Record sessions' }));
    await findCheck('Recording on');
    expect(service().callsOf(setStreamRecord)).toMatchObject([{ body: { record: true } }]);
  });

  test('are replaced by the targets while the stream is live', async () => {
    service().on(getStreamMultistream, [
      createTargetStatus({ state: 'connected', reached: true }),
      createTargetStatus({ id: '11111111-5c0e-4b7b-8f3e-6a1d0c9b7e55', name: 'Twitch', state: 'error' }),
    ]);
    openStream({ isActive: true });
    const targets = within(await screen.findByRole('region', { name: 'Targets' }));
    await targets.findByText('1 of 2 live');
    expect(screen.queryByRole('region', { name: 'Before you go live' })).toBeNull();
  });
});

describe('the check of a target', () => {
  const rejection = { outcome: 'publish_rejected', message: 'the key was rejected' } as const;
  const findTargetButton = async (name: string) =>
    (await findCheck('YouTube')).findByRole('button', { name });

  /** Answers tests of the target, whose result the service stores in its status. */
  const answerTests = (result: ResponseOf<typeof testTarget>) =>
    service().on(testTarget, () => {
      const reached = result.outcome === 'accepted';
      service().on(getStreamMultistream, [
        createTargetStatus({ reached, lastTest: { ...result, at: Date.now() } }),
      ]);
      return result;
    });

  test('tests the connection, and keeps the result after a change of the tab', async () => {
    service().on(getStreamMultistream, [createTargetStatus({})]);
    answerTests(exampleOf(testTarget));
    const { user } = openStream();
    await (await findPanel()).findByText('Not tested yet.');
    await user.click(await findTargetButton('Test'));
    await (await findPanel()).findByText(/^Accepted a connection/);
    expect((await findCheck('YouTube')).queryByRole('button', { name: /Test/ })).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'Events' }));
    await user.click(screen.getByRole('tab', { name: 'Overview' }));
    await (await findPanel()).findByText(/^Accepted a connection/);
  });

  test('with a rejected key opens the dialog for a new URL, which discards the result of the test', async () => {
    service().on(getStreamMultistream, [createTargetStatus({ reached: false })]);
    answerTests(rejection);
    service().on(updateTarget, () => {
      service().on(getStreamMultistream, [createTargetStatus({ reached: false })]);
      return undefined;
    });
    const { user } = openStream();
    await user.click(await findTargetButton('Test again'));
    await (await findPanel()).findByText('The key was rejected.');
    await user.click(await findTargetButton('Replace URL'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change target' }));
    await user.type(dialog.getByLabelText('New URL'), 'rtmp://live.example.com/app/other');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await findTargetButton('Test again');
    await expect.poll(() => screen.queryByText('The key was rejected.')).toBeNull();
  });

  test('that failed in the last session shows why', async () => {
    const lastError = { message: 'the target closed the connection', at: Date.now() };
    service().on(getStreamMultistream, [createTargetStatus({ reached: false, lastError })]);
    openStream();
    await (await findPanel()).findByText('The target closed the connection.');
    await findTargetButton('Test again');
  });

  test('that was tested before the last session shows the result of the session', async () => {
    const lastTest = { ...rejection, at: Date.now() - 120_000 };
    service().on(getStreamMultistream, [
      createTargetStatus({ reached: true, since: Date.now() - 60_000, lastTest }),
    ]);
    openStream();
    await (await findPanel()).findByText(/^Received the last session/);
  });

  test('shows why it was not tested if the service rejects the test', async () => {
    service().on(getStreamMultistream, [createTargetStatus({})]);
    service().reject(testTarget, 'conflict', 'another test of the team is running');
    const { user } = openStream();
    await user.click(await findTargetButton('Test'));
    await (await findPanel()).findByText('Another test of the team is running.');
  });

  test('that is disabled can be enabled', async () => {
    service().on(getStreamMultistream, [createTargetStatus({ disabled: true })]);
    service().on(updateTarget, undefined);
    const { user } = openStream();
    await (await findPanel()).findByText('Disabled for all streams.');
    await user.click(await findTargetButton('Enable'));
    await expect.poll(() => service().callsOf(updateTarget)).toMatchObject([{ body: { disabled: false } }]);
  });
});
