import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { exampleOf } from '@/components/testing/fake-service';
import { idleHealth, setUpStreamPage, streamId } from '@/components/testing/stream-page';
import type { Program, ProgramEncoder } from '@/lib/contract/streams/program';
import { switchStream } from '@/lib/contract/streams/program-endpoints';
import {
  deleteSlatePicture,
  MAX_SLATE_PICTURE_BYTES,
  requestSlatePictureUpload,
} from '@/lib/contract/streams/slate-picture';
import { updateStream } from '@/lib/contract/streams/stream-endpoints';
import { getStreamHealth } from '@/lib/contract/streams/stream-health';
import { reconnectingIssue } from '@/lib/core/streams/stream-doctor';

const { service, openStream } = setUpStreamPage();

const now = idleHealth.to;
const createEncoder = (change: Partial<ProgramEncoder> = {}): ProgramEncoder => ({
  connectedAt: now - 60_000,
  bitrate: 3_900_000,
  width: 1280,
  height: 720,
  fps: 50,
  silentMs: 20,
  ...change,
});
const createReport = (change: Partial<Program> = {}): Program => ({
  input: 'primary',
  since: now - 60_000,
  byHand: false,
  primary: createEncoder(),
  standby: null,
  reportedAt: now - 1_000,
  ...change,
});
const liveStreamWith = (program: Program | null) => ({ isActive: true, backup: true, slate: true, program });
const controlPanel = () => screen.findByRole('region', { name: 'Control panel' });
const findTile = async (name: string) => within(await controlPanel()).getByRole('listitem', { name });
const buttonOf = (container: HTMLElement) => within(container).getByRole<HTMLButtonElement>('button');

describe('the control panel', () => {
  test('is hidden while the stream is not live', async () => {
    openStream({ backup: true, slate: true });
    await screen.findByText('Not live yet');
    expect(screen.queryByRole('region', { name: 'Control panel' })).toBeNull();
  });

  test.each([['without a report', null] as const, ['with a report', createReport()] as const])(
    'offers a second encoder and the slate if there is only the primary, %s',
    async (_, program) => {
      const { latest } = exampleOf(getStreamHealth);
      service().on(getStreamHealth, { ...idleHealth, isActive: true, latest });
      service().on(updateStream, undefined);
      const { user } = openStream({ isActive: true, program });
      const primary = await findTile('Primary');
      expect(primary.textContent).toContain('On air');
      await expect.poll(() => primary.textContent).toContain('Mbit/s');
      expect(within(primary).queryByRole('button')).toBeNull();
      const settings = await screen.findByRole('link', { name: 'Add a second encoder' });
      expect(settings.getAttribute('href')).toBe(`/streams/${streamId}?tab=settings#encoder-loss`);
      screen.getByText('If the encoder drops, the video stops.');
      const slate = await findTile('Slate');
      expect(slate.textContent).toContain('Off');
      await user.click(within(slate).getByRole('button', { name: 'Turn on the slate' }));
      await expect.poll(() => service().callsOf(updateStream)).toMatchObject([{ body: { slate: true } }]);
    },
  );

  test('shows that the only encoder is not connected', async () => {
    openStream({ isActive: true, program: createReport(), issues: [reconnectingIssue] });
    expect((await findTile('Primary')).textContent).toContain('Not connected');
  });

  test('offers the slate but not the standby while only the primary encoder is connected', async () => {
    openStream(liveStreamWith(createReport()));
    expect((await findTile('Primary')).textContent).toContain('On air');
    const standby = await findTile('Standby');
    expect(standby.textContent).toContain('Not connected');
    expect(buttonOf(standby).disabled).toBe(true);
    const slate = await findTile('Slate');
    expect(slate.textContent).toContain('Ready');
    expect(buttonOf(slate).disabled).toBe(false);
    expect(buttonOf(await findTile('Primary')).disabled).toBe(true);
  });

  test('shows the latest measurement of the encoder on air', async () => {
    const { latest } = exampleOf(getStreamHealth);
    service().on(getStreamHealth, { ...idleHealth, isActive: true, latest });
    openStream(liveStreamWith(createReport({ primary: createEncoder({ bitrate: 0 }) })));
    await expect.poll(async () => (await findTile('Primary')).textContent).toContain('Mbit/s');
  });

  test('shows the figures of a connected standby, which takes over after a confirmation', async () => {
    service().on(switchStream, undefined);
    const { user } = openStream(
      liveStreamWith(
        createReport({ standby: createEncoder({ bitrate: 2_000_000, width: 640, height: 360 }) }),
      ),
    );
    const standby = await findTile('Standby');
    for (const fact of ['Ready', '2.0 Mbit/s', '640×360', '50 fps'])
      expect(standby.textContent).toContain(fact);
    await user.click(buttonOf(standby));
    expect(service().callsOf(switchStream)).toHaveLength(0);
    const confirm = await screen.findByRole('button', { name: 'Switch now' });
    expect(document.activeElement).toBe(confirm);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('button', { name: 'Switch now' })).toBeNull();
    await user.click(buttonOf(standby));
    await user.click(await screen.findByRole('button', { name: 'Switch now' }));
    await expect.poll(() => service().callsOf(switchStream)).toHaveLength(1);
    expect(service().callsOf(switchStream)[0]).toMatchObject({ body: { to: 'standby' } });
    await expect.poll(() => screen.queryByRole('button', { name: 'Switch now' })).toBeNull();
  });

  test('requests the slate, and shows an error if the service rejects it', async () => {
    service().reject(switchStream, 'conflict', 'the stream is not live');
    const { user } = openStream(liveStreamWith(createReport()));
    await user.click(await screen.findByRole('button', { name: 'Show slate' }));
    await user.click(await screen.findByRole('button', { name: 'Show slate now' }));
    await screen.findByText('Couldn’t switch');
    expect(service().callsOf(switchStream)[0]).toMatchObject({ body: { to: 'slate' } });
  });

  test('asks before an available input is selected by its key, and Enter puts it on air', async () => {
    service().on(switchStream, undefined);
    const { user } = openStream(liveStreamWith(createReport()));
    await findTile('Primary');
    // 2 is the key of the standby encoder, which is not connected; 0 is the key of the slate.
    await user.keyboard('2');
    expect(screen.queryByRole('button', { name: /now$/ })).toBeNull();
    await user.keyboard('0');
    expect(document.activeElement).toBe(await screen.findByRole('button', { name: 'Show slate now' }));
    await user.keyboard('{Enter}');
    await expect.poll(() => service().callsOf(switchStream)).toHaveLength(1);
    expect(service().callsOf(switchStream)[0]).toMatchObject({ body: { to: 'slate' } });
  });

  test('shows that the slate was switched on automatically after an encoder loss', async () => {
    openStream(liveStreamWith(createReport({ input: 'slate', primary: null })));
    expect((await findTile('Slate')).textContent).toContain('On air');
    expect((await findTile('Primary')).textContent).toContain('Not connected');
    await screen.findByText(/^On air: Slate, switched automatically at/);
  });

  test('shows that the slate was chosen manually, and offers the connected encoder', async () => {
    openStream(liveStreamWith(createReport({ input: 'slate', byHand: true })));
    await screen.findByText(/^On air: Slate, chosen manually, since/);
    expect(buttonOf(await findTile('Primary')).disabled).toBe(false);
  });

  test('shows how long a standby has been silent, and does not offer it', async () => {
    openStream(liveStreamWith(createReport({ standby: createEncoder({ silentMs: 4_200 }) })));
    const standby = await findTile('Standby');
    expect(standby.textContent).toContain('Silent for 4 s');
    expect(buttonOf(standby).disabled).toBe(true);
  });

  test('shows the inputs as unknown after an outdated report', async () => {
    // A report about two encoders is outdated after 10 s.
    openStream(liveStreamWith(createReport({ standby: createEncoder(), reportedAt: now - 10_001 })));
    await screen.findByText(/^The input on air is unknown: the last report is from/);
    const standby = await findTile('Standby');
    expect(standby.textContent).toContain('Not known');
    expect(standby.textContent).not.toContain('Mbit/s');
    expect(buttonOf(standby).disabled).toBe(true);
  });

  test('shows no figures of the only encoder after an outdated report', async () => {
    // A report about one encoder is outdated after 30 s.
    openStream(liveStreamWith(createReport({ reportedAt: now - 30_001 })));
    await screen.findByText(/^The input on air is unknown: the last report is from/);
    expect((await findTile('Primary')).textContent).not.toContain('Mbit/s');
  });

  test('shows the inputs as unknown without a report', async () => {
    openStream(liveStreamWith(null));
    await screen.findByText('The input on air is not known yet.');
    expect((await findTile('Primary')).textContent).toContain('Not known');
  });
});

describe('the settings', () => {
  const findSettingsPanel = () => screen.findByRole('region', { name: 'If the encoder drops' });

  test('show the key of the standby encoder once it is enabled', async () => {
    service().on(updateStream, undefined);
    const { user, changeStream } = openStream({}, 'settings');
    const toggle = await screen.findByRole('switch', { name: 'Standby encoder' });
    expect(within(await findSettingsPanel()).queryByText('Backup stream key')).toBeNull();
    service().on(updateStream, () => {
      changeStream({ backup: true, backupStreamKey: 'aaaa-bbbb-cccc-dddd' });
    });
    await user.click(toggle);
    const field = await within(await findSettingsPanel()).findByRole('group', { name: 'Backup stream key' });
    expect(field.textContent).toBe('••••-••••-••••-••••');
    expect(service().callsOf(updateStream)[0]).toMatchObject({ body: { backup: true } });
  });

  test('of the slate are saved one by one as they are changed', async () => {
    service().on(updateStream, undefined);
    const { user } = openStream({ slate: true, slateSeconds: 90, fallbackAfterMs: 3_000 }, 'settings');
    const select = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Show the slate for' });
    expect(select.value).toBe('90');
    await user.selectOptions(select, 'The reconnect window');
    await user.click(screen.getByRole('switch', { name: 'Record the slate' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Fall back after' }), '5 s');
    await expect.poll(() => service().callsOf(updateStream)).toHaveLength(3);
    expect(
      service()
        .callsOf(updateStream)
        .map(({ body }) => body),
    ).toEqual([{ slateSeconds: null }, { recordSlate: true }, { fallbackAfterMs: 5_000 }]);
  });

  test('show the uploaded picture of the slate, and can delete it', async () => {
    service().on(deleteSlatePicture, undefined);
    const slatePictureUrl = 'http://localhost:8080/slate/abcdabcdabcdabcd.png';
    const { user } = openStream({ slate: true, slatePictureUrl }, 'settings');
    const group = await screen.findByRole('group', { name: 'Slate picture' });
    expect(within(group).getByRole('presentation').getAttribute('src')).toBe(slatePictureUrl);
    await user.click(within(group).getByRole('button', { name: 'Delete picture' }));
    await expect.poll(() => service().callsOf(deleteSlatePicture)).toHaveLength(1);
  });

  test('reject a picture that is too large before it is sent', async () => {
    const { user } = openStream({ slate: true }, 'settings');
    const large = new File([new Uint8Array(MAX_SLATE_PICTURE_BYTES + 1)], 'large.png', { type: 'image/png' });
    await user.upload(await screen.findByLabelText('Slate picture file'), large);
    await screen.findByText('The file is larger than 4 MB.');
    expect(service().callsOf(requestSlatePictureUpload)).toEqual([]);
  });

  test('ask for confirmation before a connected standby encoder is turned off', async () => {
    service().on(updateStream, undefined);
    const { user } = openStream(
      { ...liveStreamWith(createReport({ standby: createEncoder() })), backupStreamKey: 'a-b' },
      'settings',
    );
    await user.click(await screen.findByRole('switch', { name: 'Standby encoder' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(service().callsOf(updateStream)).toHaveLength(0);
    await user.click(within(dialog).getByRole('button', { name: 'Turn off' }));
    await expect.poll(() => service().callsOf(updateStream)).toHaveLength(1);
  });
});
