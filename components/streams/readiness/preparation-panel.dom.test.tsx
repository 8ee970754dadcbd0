import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { exampleItemOf, exampleOf } from '@/components/testing/fake-service';
import { id, setUpStreamPage } from '@/components/testing/stream-page';
import type { ResponseOf } from '@/lib/contract/define-endpoint';
import { setStreamRecord } from '@/lib/contract/streams/stream-endpoints';
import { getStreamMultistream, type TargetStatus, updateTarget } from '@/lib/contract/targets/multistream';
import { testTarget } from '@/lib/contract/targets/target-test';

const { service, openStream } = setUpStreamPage();

const panel = async () => within(await screen.findByRole('region', { name: 'Before you go live' }));
const check = async (name: string | RegExp) => within((await panel()).getByRole('listitem', { name }));
const textOf = async (name: string | RegExp) => (await panel()).getByRole('listitem', { name }).textContent;
const targetOf = (change: Partial<TargetStatus>) =>
  exampleItemOf(getStreamMultistream, { name: 'YouTube', state: 'disconnected', reached: null, ...change });

describe('the checks before a broadcast', () => {
  test('of a new stream name what is missing, with the way to it', async () => {
    openStream({ record: false, profiles: [] });
    await (await panel()).findByText('1 of 3 ready');
    expect(await textOf('Encoder')).toContain('No encoder has connected yet.');
    expect(await textOf('If the encoder drops')).toContain('The video stops.');
    const setUp = (await check('If the encoder drops')).getByRole('link');
    expect(setUp.textContent).toBe('Set up');
    expect(setUp.getAttribute('href')).toBe(`/streams/${id}?tab=settings#encoder-loss`);
    expect(await textOf('Anyone with the link can watch')).toContain('Source');
    (await panel()).getByText(/^No targets\./);
    (await panel()).getByRole('button', { name: 'Add target' });
  });

  test('of a prepared stream are ready', async () => {
    service().on(getStreamMultistream, [targetOf({ reached: true, since: Date.now() - 60_000 })]);
    openStream({ record: true, lastSeen: Date.now() - 60_000, backup: true, slate: true });
    await (await panel()).findByText('5 of 5 ready');
    expect(await textOf('Encoder')).toContain('Last sent video 1 min ago.');
    expect(await textOf('YouTube')).toContain('Received the last broadcast, 1 min ago.');
    expect(await textOf('If the encoder drops')).toContain('The standby takes over, then the slate.');
  });

  test('show that a suspended or restricted stream cannot be watched by everyone', async () => {
    openStream({ suspended: true });
    expect(await textOf('Viewers can’t watch')).toContain('The stream is suspended.');
  });

  test('turn recording on and off', async () => {
    const { user, updateStream } = openStream({ record: false });
    service().on(setStreamRecord, ({ body }) => void updateStream({ record: body.record }));
    await user.click((await check('Recording off')).getByRole('switch', { name: 'Record sessions' }));
    await check('Recording on');
    expect(service().callsOf(setStreamRecord)).toMatchObject([{ body: { record: true } }]);
  });

  test('are replaced by the targets while the stream is live', async () => {
    service().on(getStreamMultistream, [
      targetOf({ state: 'connected', reached: true }),
      targetOf({ id: '11111111-5c0e-4b7b-8f3e-6a1d0c9b7e55', name: 'Twitch', state: 'error' }),
    ]);
    openStream({ isActive: true });
    const targets = within(await screen.findByRole('region', { name: 'Targets' }));
    await targets.findByText('1 of 2 live');
    expect(screen.queryByRole('region', { name: 'Before you go live' })).toBeNull();
  });
});

describe('the check of a target', () => {
  const rejected = { outcome: 'publish_rejected', message: 'the key was rejected' } as const;
  const button = async (name: string) => (await check('YouTube')).findByRole('button', { name });

  /** Answers tests of the target, whose result the service stores in its status. */
  const answerTests = (result: ResponseOf<typeof testTarget>) =>
    service().on(testTarget, () => {
      const reached = result.outcome === 'accepted';
      service().on(getStreamMultistream, [targetOf({ reached, lastTest: { ...result, at: Date.now() } })]);
      return result;
    });

  test('tests the connection and keeps the result', async () => {
    service().on(getStreamMultistream, [targetOf({})]);
    answerTests(exampleOf(testTarget));
    const { user } = openStream();
    await (await panel()).findByText('Not tested yet.');
    await user.click(await button('Test'));
    await (await panel()).findByText(/^Accepted a connection/);
    expect((await check('YouTube')).queryByRole('button', { name: /Test/ })).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'Events' }));
    await user.click(screen.getByRole('tab', { name: 'Overview' }));
    await (await panel()).findByText(/^Accepted a connection/);
  });

  test('with a rejected key opens the dialog for a new URL, and is not tested after that', async () => {
    service().on(getStreamMultistream, [targetOf({ reached: false })]);
    answerTests(rejected);
    service().on(updateTarget, () => {
      service().on(getStreamMultistream, [targetOf({ reached: false })]);
      return undefined;
    });
    const { user } = openStream();
    await user.click(await button('Test again'));
    await (await panel()).findByText('The key was rejected.');
    await user.click(await button('Replace URL'));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change target' }));
    await user.type(dialog.getByLabelText('New URL'), 'rtmp://live.example.com/app/other');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await button('Test again');
    await expect.poll(() => screen.queryByText('The key was rejected.')).toBeNull();
  });

  test('that failed in the last broadcast shows why', async () => {
    const lastError = { message: 'the target closed the connection', at: Date.now() };
    service().on(getStreamMultistream, [targetOf({ reached: false, lastError })]);
    openStream();
    await (await panel()).findByText('The target closed the connection.');
    await button('Test again');
  });

  test('that was tested before the last broadcast shows that broadcast', async () => {
    const lastTest = { ...rejected, at: Date.now() - 120_000 };
    service().on(getStreamMultistream, [targetOf({ reached: true, since: Date.now() - 60_000, lastTest })]);
    openStream();
    await (await panel()).findByText(/^Received the last broadcast/);
  });

  test('that is busy shows why it was not tested', async () => {
    service().on(getStreamMultistream, [targetOf({})]);
    service().reject(testTarget, 'conflict', 'another test of the team is running');
    const { user } = openStream();
    await user.click(await button('Test'));
    await (await panel()).findByText('Another test of the team is running.');
  });

  test('that is disabled can be enabled', async () => {
    service().on(getStreamMultistream, [targetOf({ disabled: true })]);
    service().on(updateTarget, undefined);
    const { user } = openStream();
    await (await panel()).findByText('Disabled for all streams.');
    await user.click(await button('Enable'));
    await expect.poll(() => service().callsOf(updateTarget)).toMatchObject([{ body: { disabled: false } }]);
  });
});
