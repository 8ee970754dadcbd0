import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { exportAsset, getAsset, importAsset } from '@/lib/contract/assets/asset-endpoints';
import { transcodeAsset } from '@/lib/contract/assets/transcode';
import { ExportAssetDialog } from './export-form';
import { ImportAssetDialog } from './import-form';
import { TranscodeAssetDialog } from './transcode-form';

const service = setUpFakeService();
const asset = exampleOf(getAsset);

/** @param button name of the button that opens the dialog; absent: it is open */
async function openDialog(form: React.ReactNode, button?: string) {
  const { user, visitedPaths } = renderPage(form, { at: `/assets/${asset.id}` });
  if (button !== undefined) await user.click(screen.getByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = (name: string) => dialog.getByLabelText<HTMLInputElement>(name);
  const fillField = async (name: string, text: string) => {
    await user.clear(field(name));
    await user.click(field(name));
    await user.paste(text);
  };
  return { user, visitedPaths, dialog, field, fillField };
}

/** Component that shows a dialog until the dialog closes. */
function DialogOwner({ children }: { children: (onClose: () => void) => React.ReactNode }) {
  const [open, setOpen] = useState(true);
  return open && children(() => setOpen(false));
}

describe('import from a URL', () => {
  const open = () => openDialog(<ImportAssetDialog />, 'Import URL');
  const requestBodies = () =>
    service()
      .callsOf(importAsset)
      .map(({ body }) => body);

  test('names the asset after the file if no name is entered', async () => {
    service().onExamples(importAsset);
    const { user, dialog, field, fillField } = await open();
    await fillField('File URL', 'https://files.example.com/films/town%20hall.mp4');
    const defaultName = field('Name').placeholder;
    await user.click(dialog.getByRole('button', { name: 'Import' }));
    await screen.findByText(`Importing “${exampleOf(importAsset).asset.name}”`);
    expect(defaultName).toBe('town hall');
    expect(requestBodies()).toEqual([
      { url: 'https://files.example.com/films/town%20hall.mp4', name: 'town hall', convert: true },
    ]);
  });

  test.each([
    ['', 'Enter the file URL'],
    ['files.example.com/film.mp4', 'Must be an http:// or https:// URL'],
  ])('does not send the invalid URL “%s”', async (url, message) => {
    service().onExamples(importAsset);
    const { user, dialog, field, fillField } = await open();
    if (url) await fillField('File URL', url);
    await user.click(dialog.getByRole('button', { name: 'Import' }));
    await dialog.findByText(message);
    expect(field('File URL').getAttribute('aria-invalid')).toBe('true');
    expect(requestBodies()).toEqual([]);
  });

  test('shows the error of the service at the URL field, and keeps the input', async () => {
    service().reject(importAsset, 'invalid', { field: 'url', message: 'must not be a private address' });
    const { user, dialog, field, fillField } = await open();
    await fillField('File URL', 'https://intranet.example/film.mp4');
    await fillField('Name', 'Film');
    await user.click(dialog.getByRole('button', { name: 'Import' }));
    await dialog.findByRole('textbox', { name: 'File URL', description: /Must not be a private address/ });
    expect([field('File URL').value, field('Name').value]).toEqual([
      'https://intranet.example/film.mp4',
      'Film',
    ]);
  });
});

describe('transcode', () => {
  const open = () =>
    openDialog(
      <DialogOwner>{(onClose) => <TranscodeAssetDialog asset={asset} onClose={onClose} />}</DialogOwner>,
    );
  const requestBodies = () =>
    service()
      .callsOf(transcodeAsset)
      .map(({ body }) => body);

  test('offers only renditions smaller than the video, largest first', async () => {
    service().onExamples(transcodeAsset);
    const { user, visitedPaths, dialog } = await open();
    const presets = within(dialog.getByRole('group', { name: 'Rendition' })).getAllByRole('button');
    expect(presets.map(({ textContent }) => textContent)).toEqual(['480p', '360p', '240p']);
    await user.click(dialog.getByRole('button', { name: 'Transcode' }));
    await expect.poll(requestBodies).toEqual([
      {
        name: 'Town hall, part 1 (480p)',
        profile: { name: '480p', width: 854, height: 480, bitrate: 1_500_000, fps: 0 },
      },
    ]);
    await user.click(await screen.findByRole('button', { name: 'Open' }));
    expect(visitedPaths).toEqual([`/assets/${exampleOf(transcodeAsset).asset.id}`]);
  });

  test('a preset fills in the numbers and the name', async () => {
    const { user, dialog, field } = await open();
    await user.click(dialog.getByRole('button', { name: '240p' }));
    expect(field('Height (pixels)').value).toBe('240');
    expect(field('Bitrate (kbit/s)').value).toBe('400');
    expect(field('New asset name').value).toBe('Town hall, part 1 (240p)');
    expect(dialog.getByRole('button', { name: '240p' }).getAttribute('aria-pressed')).toBe('true');
    expect(dialog.getByRole('button', { name: '480p' }).getAttribute('aria-pressed')).toBe('false');
  });

  test('shows an error at the field of an invalid number', async () => {
    service().onExamples(transcodeAsset);
    const { user, dialog, fillField } = await open();
    await fillField('Width (pixels)', '100');
    await fillField('Frames per second', 'many');
    await user.click(dialog.getByRole('button', { name: 'Transcode' }));
    await dialog.findByRole('textbox', { name: 'Width (pixels)', description: 'At least 128' });
    dialog.getByRole('textbox', { name: 'Frames per second', description: /Frames must be a number/ });
    expect(requestBodies()).toEqual([]);
  });

  test('shows an error of the service, and keeps the entered numbers', async () => {
    service().reject(transcodeAsset, 'invalid', { field: 'profile.width', message: 'must be even' });
    const { user, dialog, field, fillField } = await open();
    await fillField('Width (pixels)', '853');
    await user.click(dialog.getByRole('button', { name: 'Transcode' }));
    await dialog.findByText('Must be even');
    expect(field('Width (pixels)').value).toBe('853');
  });
});

describe('export', () => {
  const open = () =>
    openDialog(
      <DialogOwner>{(onClose) => <ExportAssetDialog asset={asset} onClose={onClose} />}</DialogOwner>,
    );
  const requestBodies = () =>
    service()
      .callsOf(exportAsset)
      .map(({ body }) => body);

  test('to the IPFS node of this server needs no further input', async () => {
    service().onExamples(exportAsset);
    const { user, dialog } = await open();
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    await screen.findByText('Export started');
    expect(requestBodies()).toEqual([{ ipfs: {} }]);
  });

  test('to a pinning service requires the credentials of the selected kind only', async () => {
    service().onExamples(exportAsset);
    const { user, dialog, field, fillField } = await open();
    await user.selectOptions(field('Destination'), 'IPFS, through a pinning service');
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('Required');
    await user.selectOptions(field('Credentials'), 'API key and secret');
    await fillField('API key', 'pk-1');
    await fillField('API secret', 'with space');
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('Use printable ASCII without spaces');
    expect(requestBodies()).toEqual([]);
    await fillField('API secret', 's3cret');
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    await screen.findByText('Export started');
    expect(requestBodies()).toEqual([{ ipfs: { pinning: { apiKey: 'pk-1', apiSecret: 's3cret' } } }]);
  });

  test('to a custom URL sends method and headers', async () => {
    service().onExamples(exportAsset);
    const { user, dialog, field, fillField } = await open();
    await user.selectOptions(field('Destination'), 'Your own URL');
    await fillField('URL', 'https://storage.example.com/film.mp4');
    await user.selectOptions(field('Method'), 'POST');
    await fillField('Headers', 'Authorization Bearer x');
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('“Authorization Bearer x” must look like Name: value');
    await fillField('Headers', 'Authorization: Bearer x\nX-Kind: film');
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    await screen.findByText('Export started');
    expect(requestBodies()).toMatchObject([
      {
        custom: {
          url: 'https://storage.example.com/film.mp4',
          method: 'POST',
          headers: { Authorization: 'Bearer x', 'X-Kind': 'film' },
        },
      },
    ]);
  });

  test('keeps the input after the service rejected the request', async () => {
    service().reject(exportAsset, 'conflict', 'An export of this asset is running.');
    const { user, dialog, field, fillField } = await open();
    await user.selectOptions(field('Destination'), 'Your own URL');
    await fillField('URL', 'https://storage.example.com/film.mp4');
    await user.click(dialog.getByRole('button', { name: 'Export' }));
    await dialog.findByText('An export of this asset is running.');
    expect(field('URL').value).toBe('https://storage.example.com/film.mp4');
  });
});
