import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { TargetsView } from '@/app/(dashboard)/targets/targets-view';
import { exampleItemOf, exampleOf, setUpFakeService, pageOf } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { useStream } from '@/lib/client/queries/stream-queries';
import { listIngests } from '@/lib/contract/service';
import {
  addStreamTarget,
  getStream,
  listStreams,
  updateStream,
} from '@/lib/contract/streams/stream-endpoints';
import {
  createTarget,
  deleteTarget,
  getStreamMultistream,
  listTargets,
  type TargetStatus,
  updateTarget,
} from '@/lib/contract/targets/multistream';
import { testTarget, testTargetUrl } from '@/lib/contract/targets/target-test';
import type { Stream } from '@/lib/contract/streams/stream';
import { StreamTargetsPanel } from './stream-targets-panel';

const service = setUpFakeService();
const target = exampleItemOf(listTargets, { name: 'YouTube' });

beforeEach(() => {
  service().onExamples(listIngests);
  service().on(listTargets, pageOf([target]));
  service().on(listStreams, pageOf([]));
});

describe('the form that creates a target', () => {
  async function openForm() {
    const { user } = renderPage(<TargetsView />, { at: '/targets' });
    await user.click(screen.getByRole('button', { name: 'Create target' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create target' }));
    const field = (name: string) => dialog.getByLabelText<HTMLInputElement>(name);
    return {
      user,
      dialog,
      field,
      choosePlatform: (platform: string) => user.click(dialog.getByRole('radio', { name: platform })),
      fillField: async (name: string, text: string) => {
        await user.clear(field(name));
        await user.click(field(name));
        await user.paste(text);
      },
      submit: () => user.click(dialog.getByRole('button', { name: 'Create target' })),
    };
  }
  const requestBodies = () =>
    service()
      .callsOf(createTarget)
      .map(({ body }) => body);

  // The rows are platform, stream key and URL.
  test.each([
    ['YouTube', 'abcd-efgh-ijkl-mnop-qrst', 'rtmps://a.rtmps.youtube.com/live2/abcd-efgh-ijkl-mnop-qrst'],
    ['Twitch', 'live_123456789_AbCdEf', 'rtmp://live.twitch.tv/app/live_123456789_AbCdEf'],
    ['Facebook', 'FB-1234567890-0-AbCdEf', 'rtmps://live-api-s.facebook.com:443/rtmp/FB-1234567890-0-AbCdEf'],
  ])('needs only the stream key for %s', async (platform, key, url) => {
    service().onExamples(createTarget);
    const { choosePlatform, fillField, submit, dialog } = await openForm();
    await choosePlatform(platform);
    await fillField('Stream key', key);
    expect(dialog.queryByText(/does not look like/)).toBeNull();
    await submit();
    await screen.findByText(`Created “${exampleOf(createTarget).name}”`);
    expect(requestBodies()).toEqual([{ url, name: platform }]);
  });

  test('warns about a key in the format of another platform, but sends it', async () => {
    service().onExamples(createTarget);
    const { choosePlatform, fillField, submit, dialog } = await openForm();
    await choosePlatform('Twitch');
    await fillField('Stream key', 'abcd-efgh-ijkl-mnop-qrst');
    dialog.getByText('This does not look like a Twitch stream key.');
    await choosePlatform('YouTube');
    expect(dialog.queryByText(/does not look like/)).toBeNull();
    await choosePlatform('Twitch');
    await submit();
    await expect.poll(requestBodies).toHaveLength(1);
  });

  test('warns about a URL in place of the key', async () => {
    const { fillField, dialog } = await openForm();
    await fillField('Stream key', 'rtmp://a.rtmp.youtube.com/live2/abcd');
    dialog.getByText('Enter only the stream key, not the URL.');
  });

  test('needs the whole URL for another platform, and sends no name if none is entered', async () => {
    service().onExamples(createTarget);
    const { choosePlatform, fillField, submit } = await openForm();
    await choosePlatform('Custom');
    await fillField('URL', 'srt://live.example.com:9000?streamid=abc');
    await submit();
    await expect.poll(requestBodies).toEqual([{ url: 'srt://live.example.com:9000?streamid=abc' }]);
  });

  test('has a field for the bearer token of a WHIP endpoint, which is appended to the URL', async () => {
    service().onExamples(createTarget);
    const { choosePlatform, fillField, submit, field, dialog } = await openForm();
    await choosePlatform('Custom');
    expect(dialog.queryByLabelText('Bearer token (optional)')).toBeNull();
    await fillField('URL', 'https://whip.example.com/live');
    expect(field('Bearer token (optional)').type).toBe('password');
    await fillField('Bearer token (optional)', 'secret-token');
    await submit();
    await screen.findByText(`Created “${exampleOf(createTarget).name}”`);
    expect(requestBodies()).toEqual([{ url: 'https://whip.example.com/live#secret-token' }]);
  });

  test('shows a validation error at its field, and keeps the masked URL', async () => {
    service().reject(
      createTarget,
      'invalid',
      { field: 'url', message: 'must not be a private address' },
      { field: 'name', message: 'is taken' },
    );
    const { choosePlatform, fillField, submit, dialog, field } = await openForm();
    await choosePlatform('Custom');
    await fillField('URL', 'rtmp://10.0.0.1/live/key');
    await submit();
    await dialog.findByText('Must not be a private address');
    dialog.getByRole('textbox', { name: 'Name (optional)', description: 'Is taken' });
    expect(field('URL').value).toBe('rtmp://10.0.0.1/live/key');
    expect(field('URL').type).toBe('password');
  });

  test('is not sent without a key', async () => {
    const { submit, dialog } = await openForm();
    await submit();
    await dialog.findByText('Enter the stream key');
    expect(requestBodies()).toEqual([]);
  });
});

describe('a single target', () => {
  async function chooseMenuItem(item: string) {
    const page = renderPage(<TargetsView />, { at: '/targets' });
    await page.user.click(await screen.findByRole('button', { name: 'Actions for YouTube' }));
    await page.user.click(await screen.findByRole('menuitem', { name: item }));
    return page;
  }

  test('is renamed without changing its URL', async () => {
    service().onExamples(updateTarget);
    const { user } = await chooseMenuItem('Rename or replace URL');
    const dialog = within(await screen.findByRole('dialog', { name: 'Change target' }));
    await user.clear(dialog.getByLabelText('Name'));
    await user.type(dialog.getByLabelText('Name'), 'Backup{Enter}');
    await screen.findByText('Saved “Backup”');
    expect(
      service()
        .callsOf(updateTarget)
        .map(({ body }) => body),
    ).toEqual([{ name: 'Backup' }]);
  });

  test('is disabled for all streams', async () => {
    service().onExamples(updateTarget);
    await chooseMenuItem('Disable');
    await screen.findByText('Disabled “YouTube”');
    expect(
      service()
        .callsOf(updateTarget)
        .map(({ body }) => body),
    ).toEqual([{ disabled: true }]);
  });

  test('that the service does not delete has a dialog that shows why', async () => {
    service().reject(deleteTarget, 'unavailable', 'the database is not responding, try again');
    const { user } = await chooseMenuItem('Delete target');
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Delete the target “YouTube”?' }));
    await user.type(dialog.getByRole('textbox'), 'delete{Enter}');
    await dialog.findByText('the database is not responding, try again');
  });

  test('lists the streams that use it', async () => {
    const referringStream = exampleItemOf(listStreams, {
      multistream: { targets: [{ id: target.id, profile: 'source' }] },
    });
    service().on(listStreams, pageOf([referringStream]));
    renderPage(<TargetsView />, { at: '/targets' });
    const link = await screen.findByRole('link', { name: 'Town hall' });
    expect(link.getAttribute('href')).toBe(`/streams/${referringStream.id}#targets`);
  });
});

describe('the connection of a target', () => {
  const acceptedMessage = exampleOf(testTarget).message;
  const rejectionMessage = 'live.example.com rejected the stream: bad key. Copy the stream key again.';

  test('that is saved is tested with one click, and again with another', async () => {
    service().onExamples(testTarget);
    const { user } = renderPage(<TargetsView />, { at: '/targets' });
    await user.click(await screen.findByRole('button', { name: 'Actions for YouTube' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Test connection' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Test the connection to “YouTube”' }));
    await dialog.findByText(acceptedMessage);
    service().on(testTarget, { outcome: 'publish_rejected', message: rejectionMessage });
    await user.click(dialog.getByRole('button', { name: 'Test again' }));
    await dialog.findByText(rejectionMessage);
    service().reject(testTarget, 'conflict', 'the stream "Town hall" is sending to this target now');
    await user.click(dialog.getByRole('button', { name: 'Test again' }));
    await dialog.findByText('The stream "Town hall" is sending to this target now.');
  });

  test('is tested before the target is created, and the result disappears when the key changes', async () => {
    service().onExamples(testTargetUrl);
    const { user } = renderPage(<TargetsView />, { at: '/targets' });
    await user.click(screen.getByRole('button', { name: 'Create target' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create target' }));
    await user.click(dialog.getByRole('button', { name: 'Test connection' }));
    await dialog.findByText('Enter the stream key');
    await user.type(dialog.getByLabelText('Stream key'), 'abcd');
    await user.click(dialog.getByRole('button', { name: 'Test connection' }));
    await dialog.findByText(acceptedMessage);
    await user.type(dialog.getByLabelText('Stream key'), 'e');
    expect(dialog.queryByText(acceptedMessage)).toBeNull();
    expect(service().callsOf(testTargetUrl)).toMatchObject([
      { body: { url: 'rtmps://a.rtmps.youtube.com/live2/abcd' } },
    ]);
  });

  test('is tested with the saved URL until a new one is entered', async () => {
    service().onExamples(testTarget, testTargetUrl);
    const { user } = renderPage(<TargetsView />, { at: '/targets' });
    await user.click(await screen.findByRole('button', { name: 'Actions for YouTube' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Rename or replace URL' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change target' }));
    await user.click(dialog.getByRole('button', { name: 'Test connection' }));
    await dialog.findByText(acceptedMessage);
    expect(service().callsOf(testTarget)).toHaveLength(1);
    await user.type(dialog.getByLabelText('New URL'), 'rtmp://live.example.com/app/other');
    await user.click(dialog.getByRole('button', { name: 'Test connection' }));
    await expect
      .poll(() => service().callsOf(testTargetUrl))
      .toMatchObject([{ body: { url: 'rtmp://live.example.com/app/other' } }]);
  });
});

describe('the targets of a stream', () => {
  const createStatus = (change: Partial<TargetStatus> = {}): TargetStatus =>
    exampleItemOf(getStreamMultistream, { id: target.id, name: 'YouTube', ...change });
  const stream = exampleOf(getStream, {
    multistream: {
      targets: [
        { id: target.id, profile: 'source' },
        { id: target.id, profile: '720p' },
      ],
    },
  });

  function openPanel(...statuses: TargetStatus[]) {
    service().on(getStreamMultistream, statuses);
    return renderPage(<StreamTargetsPanel stream={{ ...stream, isActive: true }} />, {
      at: `/streams/${stream.id}`,
    });
  }

  test.each([
    [{ state: 'connected', uptime: 640, bitrate: 2_950_000 }, 'Live', '10 min 40 s · 3.0 Mbit/s'],
    [{ state: 'waiting' }, 'Waiting', 'Starts when video arrives.'],
    [
      { state: 'error', lastError: { at: 1_767_225_605_000, message: 'the server rejected the key' } },
      'Failed',
      'The server rejected the key.',
    ],
  ] as const)('with %j are shown as “%s” with the detail “%s”', async (change, label, detail) => {
    openPanel(createStatus(change));
    await screen.findByText(label);
    screen.getByText(detail);
  });

  test('can be added with a rendition and without audio', async () => {
    service().onExamples(addStreamTarget);
    const { user, dialog } = await openAddDialog([]);
    await user.selectOptions(await dialog.findByLabelText('Rendition'), '720p');
    await user.click(dialog.getByRole('checkbox', { name: 'Without audio' }));
    await user.click(dialog.getByRole('button', { name: 'Add to stream' }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    expect(
      service()
        .callsOf(addStreamTarget)
        .map(({ body }) => body),
    ).toEqual([{ id: target.id, profile: '720p', videoOnly: true }]);
  });

  const openAddDialog = async (references: Stream['multistream']['targets'], baseStream = stream) => {
    const initialStream = { ...baseStream, multistream: { targets: references } };
    service().on(getStreamMultistream, []);
    const page = renderPage(<StreamTargetsPanel stream={initialStream} />, { at: `/streams/${stream.id}` });
    await page.user.click(await screen.findByRole('button', { name: 'Add target' }));
    return { ...page, dialog: within(await screen.findByRole('dialog')) };
  };

  /** Creates a target in the dialog that adds targets to a stream. */
  const createInDialog = async (initialStream: Stream, existingTargets = [target]) => {
    service().on(listTargets, pageOf(existingTargets));
    const created = { ...target, id: '11111111-5c0e-4b7b-8f3e-6a1d0c9b7e55', name: 'Choir' };
    service().on(createTarget, () => {
      service().on(listTargets, pageOf([...existingTargets, created]));
      return { ...created, url: 'rtmp://live.example.com/app/key' };
    });
    const page = await openAddDialog([], initialStream);
    const { user, dialog } = page;
    if (existingTargets.length > 0)
      await user.click(await dialog.findByRole('button', { name: 'Create target' }));
    await screen.findByRole('dialog', { name: 'Create target' });
    await user.click(await dialog.findByRole('radio', { name: 'Custom' }));
    await user.click(dialog.getByLabelText('URL'));
    await user.paste('rtmp://live.example.com/app/key');
    await user.click(dialog.getByRole('button', { name: 'Create target' }));
    return { ...page, created };
  };

  test('can be created in the dialog that adds them, where the new target is then selected', async () => {
    service().onExamples(addStreamTarget);
    const { user, dialog, created } = await createInDialog(stream);
    const choice = await dialog.findByLabelText<HTMLSelectElement>('Target');
    expect(choice.value).toBe(created.id);
    await user.click(dialog.getByRole('button', { name: 'Add to stream' }));
    await expect.poll(() => service().callsOf(addStreamTarget)).toMatchObject([{ body: { id: created.id } }]);
  });

  test('are added immediately after they are created if the stream has no renditions', async () => {
    service().onExamples(addStreamTarget);
    const { created } = await createInDialog({ ...stream, profiles: [] });
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    expect(service().callsOf(addStreamTarget)).toMatchObject([
      { body: { id: created.id, profile: 'source', videoOnly: false } },
    ]);
  });

  test('are added immediately after the first target of the team is created', async () => {
    service().onExamples(addStreamTarget);
    const { created } = await createInDialog({ ...stream, profiles: [] }, []);
    await expect.poll(() => service().callsOf(addStreamTarget)).toMatchObject([{ body: { id: created.id } }]);
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  });

  test('that are created but cannot be added are selected in the form, with the reason', async () => {
    service().reject(addStreamTarget, 'conflict', 'The stream has as many targets as it may have.');
    const { dialog, created } = await createInDialog({ ...stream, profiles: [] });
    await dialog.findByText('The stream has as many targets as it may have.');
    expect(dialog.getByLabelText<HTMLSelectElement>('Target').value).toBe(created.id);
  });

  test('close the dialog after the last available target was added', async () => {
    const reference = { id: target.id, profile: 'source' };
    service().on(listTargets, pageOf([target]));
    service().on(getStream, { ...stream, multistream: { targets: [] } });
    service().on(addStreamTarget, () => {
      service().on(getStream, { ...stream, multistream: { targets: [reference] } });
    });
    service().on(getStreamMultistream, []);
    function Panel() {
      const { data } = useStream(stream.id);
      return data ? <StreamTargetsPanel stream={data} /> : null;
    }
    const { user } = renderPage(<Panel />, { at: `/streams/${stream.id}` });
    await user.click(await screen.findByRole('button', { name: 'Add target' }));
    await user.click(await screen.findByRole('button', { name: 'Add to stream' }));
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Add target' }));
    await screen.findByRole('dialog', { name: 'Create target' });
  });

  test.each([
    ['are all added', pageOf([target]), 'All targets of your team are already added to this stream.'],
    ['do not exist', pageOf([]), 'Your team has no targets yet.'],
  ])('that %s are created in the dialog, which explains why', async (_, targetsPage, message) => {
    service().on(listTargets, targetsPage);
    const { dialog } = await openAddDialog([{ id: target.id, profile: 'source' }]);
    await dialog.findByText(new RegExp(message));
    dialog.getByRole('radio', { name: 'YouTube' });
    expect(dialog.queryByRole('button', { name: 'Back' })).toBeNull();
  });

  test('can be removed from one rendition, and an error is shown if the service rejects it', async () => {
    const { user } = openPanel(createStatus(), createStatus({ profile: '720p' }));
    const removeFirst = async () => {
      const [firstMenu] = await screen.findAllByRole('button', { name: 'Actions for YouTube' });
      if (firstMenu) await user.click(firstMenu);
      await user.click(await screen.findByRole('menuitem', { name: 'Remove from this stream' }));
    };
    service().reject(updateStream, 'conflict', 'The stream is being deleted.');
    await removeFirst();
    await screen.findByText('The stream is being deleted.');
    service().onExamples(updateStream);
    await removeFirst();
    await expect
      .poll(() => service().callsOf(updateStream).at(-1)?.body.multistream?.targets)
      .toEqual([{ id: target.id, profile: '720p' }]);
  });
});
